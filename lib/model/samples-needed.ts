/** Samples that must lie beyond a quantile, on its thinner side, before it is more than a guess at the extreme. */
export const MIN_BEYOND = 10;

/** Samples that carry the quantile p, 0 to 1: so many that `MIN_BEYOND` lie beyond it. No number makes 0 or 1 an estimate. */
export function samplesNeeded(p: number): number {
  const thin = Math.min(p, 1 - p);
  // What binary makes of 1 - 0.9999 must not ask for one more.
  return thin <= 0 ? Number.POSITIVE_INFINITY : Math.ceil((MIN_BEYOND / thin) * (1 - 1e-9));
}
