/** How late the engine takes up answers: one thread runs all VUs, and its delay looks like latency of the system. */

/** How often the thread is looked at, ms. */
const BEAT_MS = 2;
const QUANTILE = 0.99;
/** A p99 that is half as high again as it would be without the delay is said to be off. */
const OFF = 1.5;
/** A wait below this is none, ms. */
const AT_ONCE_MS = 1;
/** Below this nobody cares, ms. */
const LEAST_MS = 2;

/** Counts of values by size, each class 2 % wide. */
class Sizes {
  private readonly counts: number[] = [];
  total = 0;

  add(ms: number): void {
    const place = Math.max(0, Math.ceil(Math.log(Math.max(ms, 0.001) / 0.001) / Math.log(1.02)));
    this.counts[place] = (this.counts[place] ?? 0) + 1;
    this.total++;
  }

  quantile(share: number): number {
    let left = share * this.total;
    for (const [place, count] of this.counts.entries()) {
      left -= count ?? 0;
      if (left <= 0) return 0.001 * 1.02 ** place;
    }
    return 0;
  }
}

/**
 * Durations of all answers, and of those that were taken up at once. The thread beats every 2 ms; a beat that comes late tells that it was
 * busy, and that answers taken up after it may have waited for so long.
 */
export class Lateness {
  private readonly all = new Sizes();
  private readonly atOnce = new Sizes();
  private readonly waits = new Sizes();
  private readonly now: () => number;
  private last: number;
  private busy = 0;

  constructor(now: () => number) {
    this.now = now;
    this.last = now();
  }

  beat(): void {
    const now = this.now();
    this.busy = Math.max(0, now - this.last - BEAT_MS);
    this.last = now;
  }

  /** An answer was taken up just now. @param duration as it was measured, ms */
  taken(duration: number): void {
    const wait = this.busy + Math.max(0, this.now() - this.last - BEAT_MS);
    this.all.add(duration);
    this.waits.add(wait);
    if (wait < AT_ONCE_MS) this.atOnce.add(duration);
  }

  /** @returns what is to be said when the p99 is off by half */
  sentence(): string | undefined {
    const { all, atOnce, waits } = this;
    const share = atOnce.total / all.total;
    const measured = all.quantile(QUANTILE);
    // With few answers that did not wait, the usual wait is what they have too much.
    const own = share > 0.5 ? atOnce.quantile(QUANTILE) : Math.max(0, measured - waits.quantile(0.5));
    if (!(measured >= OFF * own) || measured - own < LEAST_MS) return undefined;
    return `the engine itself was late: ${Math.round((1 - share) * all.total)} of ${all.total} answers waited for it, up to ${waits.quantile(1).toFixed(0)} ms, and the p99 of http_req_duration is ${measured.toFixed(0)} ms where it would be about ${own.toFixed(0)} ms; lower the rate or run this script with k6 (--engine k6)`;
  }
}

/** @returns the end of watching */
export function watchLateness(lateness: Lateness): () => void {
  const timer = setInterval(() => lateness.beat(), BEAT_MS);
  return () => clearInterval(timer);
}
