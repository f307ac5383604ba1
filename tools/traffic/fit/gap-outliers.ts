/**
 * Gaps that do not belong to a think time with sharp ends: a health check by the same client, a page opened twice, a machine
 * that stood still. A uniform law has no tails, so one such gap among thousands would move its end, or make every law with
 * tails look better.
 */

export interface GapOutliers {
  /** How many of the shortest and of the longest gaps stand apart. */
  readonly low: number;
  readonly high: number;
  /** What the likelihood of all gaps gains or loses by them: they are taken as spread evenly from 0 to the longest gap. */
  readonly logLikelihood: number;
}

/** At most this share of the gaps is set aside. */
const OUTLIER_SHARE = 0.005;
/** Log-likelihood that setting gaps aside must gain; dropping the extreme gap of a true uniform law gains that in 1 of 20 n. */
const WORTH = 3;
/** Outliers stand off from the others by this share of the range, and by two steps of the stamps. */
const APART = 0.05;

/**
 * The outliers whose removal makes a uniform law of the others, mixed with an even background, most likely.
 * @param sorted gaps, s
 * @param step of the time stamps, s
 */
export function gapOutliers(sorted: Float64Array, step: number): GapOutliers {
  const n = sorted.length;
  const most = Math.floor(OUTLIER_SHARE * n);
  const span = Math.max((sorted[n - 1] as number) - Math.min(0, sorted[0] as number), 1e-9);
  const none = -n * Math.log(Math.max((sorted[n - 1] as number) - (sorted[0] as number), 1e-9));
  let best: GapOutliers = { low: 0, high: 0, logLikelihood: 0 };
  let bestValue = none + WORTH;
  for (let low = 0; low <= most; low++) {
    for (let high = 0; low + high <= most; high++) {
      const from = sorted[low] as number;
      const to = sorted[n - 1 - high] as number;
      const range = Math.max(to - from, 1e-9);
      const apart = Math.max(2 * step, APART * range);
      if (low > 0 && from - (sorted[low - 1] as number) <= apart) continue;
      if (high > 0 && (sorted[n - high] as number) - to <= apart) continue;
      const outliers = low + high;
      if (outliers === 0) continue;
      const rest = n - outliers;
      const extra = outliers * Math.log(outliers / n / span) + rest * Math.log(rest / n);
      const value = extra - rest * Math.log(range);
      if (value > bestValue) {
        bestValue = value;
        best = { low, high, logLikelihood: extra };
      }
    }
  }
  return best;
}
