/** An output cache with a fixed time to live, and what it should do by theory. */

export interface ModelCache {
  /** Whether `key` is answered from the cache at `now`. */
  hit(key: string, now: number): boolean;
  /** An answer made from scratch is stored when it is ready. */
  store(key: string, ready: number): void;
}

/** @param ttl same unit as the times */
export function modelCache(ttl: number): ModelCache {
  const entries = new Map<string, { from: number; until: number }>();
  return {
    hit(key, now) {
      const entry = entries.get(key);
      return entry !== undefined && now >= entry.from && now < entry.until;
    },
    store(key, ready) {
      const entry = entries.get(key);
      // An answer that another request is about to store stays; both were made from scratch.
      if (entry !== undefined && entry.until > ready) return;
      entries.set(key, { from: ready, until: ready + ttl });
    },
  };
}

/**
 * Hit ratio of a time-to-live cache in the steady state: an item requested at rate r is fetched once per cycle of
 * ttl + 1/r, so its hit ratio is r ttl / (1 + r ttl) (renewal reward; Poisson requests, fetching takes no time).
 * @param rate requests per second over all items
 * @param shares probability of each item
 */
export function steadyHitRatio(rate: number, ttl: number, shares: Iterable<number>): number {
  let hits = 0;
  for (const share of shares) {
    const load = rate * share * ttl;
    hits += share * (load / (1 + load));
  }
  return hits;
}

/**
 * Hit ratio of the first `seconds` from an empty cache, no longer than the time to live: the misses are the distinct items,
 * of which an item with share p is one with probability 1 - exp(-rate p seconds).
 */
export function coldHitRatio(rate: number, seconds: number, shares: Iterable<number>): number {
  let distinct = 0;
  for (const share of shares) distinct += 1 - Math.exp(-rate * share * seconds);
  return 1 - distinct / (rate * seconds);
}

/**
 * Hit ratio of `seconds` that begin `warm` seconds after an empty cache began to fill. An item's k-th miss comes after k - 1 times
 * to live and the time of k requests, which is Erlang(k) distributed; so its expected misses up to t are the sum over k of
 * P(Erlang(k) <= t - (k - 1) ttl). `warm` 0 gives the cold ratio, a long one the steady one.
 */
export function hitRatioAfter(
  rate: number,
  ttl: number,
  warm: number,
  seconds: number,
  shares: Iterable<number>,
): number {
  const missesUpTo = (share: number, t: number) => {
    let misses = 0;
    for (let k = 1; t > (k - 1) * ttl; k++) {
      const x = rate * share * (t - (k - 1) * ttl);
      let term = Math.exp(-x);
      let fewer = 0;
      for (let i = 0; i < k; i++) {
        fewer += term;
        term *= x / (i + 1);
      }
      misses += 1 - fewer;
    }
    return misses;
  };
  let misses = 0;
  for (const share of shares) misses += missesUpTo(share, warm + seconds) - missesUpTo(share, warm);
  return 1 - misses / (rate * seconds);
}

/** Probability of each rank from a law's cumulative probability. */
export function* sharesOf(cdf: (rank: number) => number, n: number): Generator<number> {
  let before = 0;
  for (let rank = 1; rank <= n; rank++) {
    const upTo = cdf(rank);
    yield upTo - before;
    before = upTo;
  }
}
