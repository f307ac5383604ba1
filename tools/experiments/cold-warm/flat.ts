/** From when on a warming-up system is warm. Pure. */
import { mannKendall } from '../../verdict/statistics/trend.ts';

/** |z| of the trend test above which a series is said to climb or fall: two-sided, 1 %, since many rests are looked at. */
const TREND_Z = 2.576;
/** Steps that a flat rest must have: the trend of fewer cannot be tested. */
export const LEAST_STEPS = 8;

/**
 * First step from which the series has no trend any more: the smallest k such that neither the values from k on nor those
 * from any later step (with at least `LEAST_STEPS` left) show one by the Mann-Kendall test, and each lies within the spread
 * of what follows it. Undefined when the series still moves at its end.
 */
export function flatFrom(values: readonly number[]): number | undefined {
  let flat: number | undefined;
  for (let k = values.length - LEAST_STEPS; k >= 0; k--) {
    const rest = values.slice(k);
    if (Math.abs(mannKendall(rest).z) > TREND_Z || !within(values[k] ?? 0, rest.slice(1))) break;
    flat = k;
  }
  return flat;
}

/** Whether a value is none that the rest would call an outlier: within three standard deviations (and never a rounding off). */
function within(value: number, rest: readonly number[]): boolean {
  const mean = rest.reduce((sum, one) => sum + one, 0) / rest.length;
  const deviation = Math.sqrt(rest.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, rest.length - 1));
  return Math.abs(value - mean) <= 3 * deviation + 1e-9;
}
