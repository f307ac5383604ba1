/** A limit of requests per second per client address, as a token bucket that holds one second's worth. */

export interface RateLimiter {
  /** Whole seconds to wait (for `Retry-After`), or 0 when the request may pass. */
  check(address: string, perSecond: number): number;
  readonly refused: number;
}

/** Addresses remembered at most; those with a full bucket are forgotten first, since forgetting them changes nothing. */
const MAX_ADDRESSES = 10_000;

/** @param now milliseconds on a clock that never goes back */
export function rateLimiter(now: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  let refused = 0;
  return {
    check: (address, perSecond) => {
      const time = now();
      const capacity = Math.max(1, perSecond);
      const bucket = buckets.get(address) ?? { tokens: capacity, at: time };
      bucket.tokens = Math.min(capacity, bucket.tokens + ((time - bucket.at) / 1_000) * perSecond);
      bucket.at = time;
      buckets.delete(address);
      buckets.set(address, bucket);
      if (buckets.size > MAX_ADDRESSES) {
        const oldest = buckets.keys().next().value;
        if (oldest !== undefined) buckets.delete(oldest);
      }
      if (bucket.tokens >= 1) {
        bucket.tokens--;
        return 0;
      }
      refused++;
      return Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond));
    },
    get refused() {
      return refused;
    },
  };
}
