/** Workers that behaved unlike the others, by name and number. Pure. */
import { largest, smallest } from '../../../lib/model/extremes.ts';
import { percent } from '../../../lib/model/figures.ts';
import type { WorkerFacts } from '../facts.ts';

export interface OutlyingWorker {
  readonly worker: string;
  readonly message: string;
}

/** A worker is outlying when its latency, failures, drops or length stand far off the median of the others. */
export function outlyingWorkers(workers: readonly WorkerFacts[]): OutlyingWorker[] {
  if (workers.length < 2) return [];
  const found: OutlyingWorker[] = [];
  for (const worker of workers) {
    const others = workers.filter((one) => one !== worker);
    const typical = (value: (one: WorkerFacts) => number | undefined) =>
      median(others.map(value).filter((one) => one !== undefined));
    const say = (message: string) => found.push({ worker: worker.worker, message: `${worker.worker} ${message}` });
    const p50 = typical((one) => one.p50Ms);
    if (worker.p50Ms !== undefined && p50 !== undefined && p50 > 0 && worker.p50Ms > 2 * p50) {
      say(`is slow: median ${worker.p50Ms.toFixed(2)} ms against ${p50.toFixed(2)} ms of the others`);
    }
    const failed = typical((one) => one.failed / Math.max(1, one.requests)) ?? 0;
    const own = worker.failed / Math.max(1, worker.requests);
    if (own > 3 * failed + 0.01) say(`fails ${percent(own)} of its requests, the others ${percent(failed)}`);
    const dropped = typical((one) => one.dropped / Math.max(1, one.finished + one.dropped)) ?? 0;
    const ownDropped = worker.dropped / Math.max(1, worker.finished + worker.dropped);
    if (ownDropped > 3 * dropped + 0.01)
      say(`dropped ${percent(ownDropped)} of its iterations, the others ${percent(dropped)}`);
    const length = typical((one) => one.endMs - one.startMs) ?? 0;
    if (worker.endMs - worker.startMs < 0.8 * length) {
      say(
        `ran ${((worker.endMs - worker.startMs) / 1000).toFixed(1)} s, the others ${(length / 1000).toFixed(1)} s: it ended early`,
      );
    }
  }
  return found;
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? sorted[middle]
    : sorted.length === 0
      ? undefined
      : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export interface CommonWindow {
  readonly startMs: number;
  readonly endMs: number;
  readonly seconds: number;
  /** Seconds that the whole run is longer. */
  readonly outsideSeconds: number;
}

/** The time in which all workers were running; undefined when there is none. */
export function commonWindow(workers: readonly WorkerFacts[]): CommonWindow | undefined {
  const startMs = largest(workers.map((worker) => worker.startMs));
  const endMs = smallest(workers.map((worker) => worker.endMs));
  if (workers.length === 0 || endMs <= startMs) return undefined;
  const whole = largest(workers.map((worker) => worker.endMs)) - smallest(workers.map((worker) => worker.startMs));
  return { startMs, endMs, seconds: (endMs - startMs) / 1000, outsideSeconds: (whole - (endMs - startMs)) / 1000 };
}
