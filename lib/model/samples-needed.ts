/** Samples that must lie beyond a quantile, on its thinner side, before it is more than a guess at the extreme. */
export const MIN_BEYOND = 10;

/** Samples that carry the quantile p, 0 to 1: so many that `MIN_BEYOND` lie beyond it. No number makes 0 or 1 an estimate. */
export function samplesNeeded(p: number): number {
  const thin = Math.min(p, 1 - p);
  // What binary makes of 1 - 0.9999 must not ask for one more.
  return thin <= 0 ? Number.POSITIVE_INFINITY : Math.ceil((MIN_BEYOND / thin) * (1 - 1e-9));
}

/**
 * Samples without a single miss after which a share is known to keep a limit, 0 to 1: of fewer the exact 95 % interval
 * (Clopper and Pearson 1934), whose bound is then 1 - 0.025^(1/n), still holds the limit. 368 for 1 %.
 */
export function samplesForShare(limit: number): number {
  return limit <= 0 ? Number.POSITIVE_INFINITY : Math.floor(Math.log(0.025) / Math.log(1 - limit)) + 1;
}

/**
 * Samples below which an objective cannot be decided, however well the system does; 1 for what is a fact (a count, a maximum,
 * a share of exactly all or none).
 */
export function samplesToDecide(
  aggregate: string,
  percentile: number | undefined,
  operator: string,
  limit: number,
): number {
  if (percentile !== undefined) return percentile > 0 && percentile < 100 ? samplesNeeded(percentile / 100) : 1;
  if (aggregate === 'med') return samplesNeeded(0.5);
  // Averages have an interval from 30 samples on.
  if (aggregate === 'avg') return 30;
  if (aggregate !== 'rate' || limit <= 0 || limit >= 1) return 1;
  if (operator.startsWith('<')) return samplesForShare(limit);
  return operator.startsWith('>') ? samplesForShare(1 - limit) : 1;
}
