/** How far the observed distribution of gaps is from a law's. */
import { type FamilyRules, meanCdf } from './think-laws.ts';

/** Gaps of a sorted sample that are looked at; evenly spaced by rank, they change D by less than 1 / (2 * POINTS). */
const POINTS = 2000;

/**
 * Kolmogorov and Smirnov's D between gaps and a law, 0 to 1, as stamps of any step show them.
 *
 * A gap is a difference of stamps less a duration. Whatever the duration, it can only take places a whole step apart, and
 * with the phase of the first stamp uniform the law gives the place y the probability that F, averaged over (y, y + d), has
 * more than F averaged over (y - d, y). Those averages are where the gap's place begins and ends on the scale of the law's
 * probability. The mean over all gaps of a uniform law between both ends (C. Czado, T. Gneiting, L. Held, "Predictive model
 * assessment for count data", Biometrics 65, 2009) is uniform when the law is true, with the same durations or with as many as
 * there are gaps; its largest distance from uniform is D. Exact stamps give the ordinary D.
 * @param sorted gaps, s
 * @param step of the time stamps, s; 0 for exact ones
 * @param cut gaps above this were not seen, s
 */
export function distanceOf(
  rules: FamilyRules,
  p: readonly number[],
  sorted: Float64Array,
  step: number,
  cut = Number.POSITIVE_INFINITY,
): number {
  const gaps = thinned(sorted);
  const n = gaps.length;
  const seen = Math.max(1e-300, rules.cdf(cut, p));
  const place = (x: number): number => Math.min(1, meanCdf(rules, p, x, step) / seen);
  // Each gap adds a slope between its two ends, or a jump where they are one.
  const slopes: [at: number, change: number][] = [];
  const jumps: number[] = [];
  for (const y of gaps) {
    const from = place(y - step);
    const to = place(y);
    if (to - from > 1e-9) slopes.push([from, 1 / (to - from)], [to, -1 / (to - from)]);
    else jumps.push(to);
  }
  return worstOf(slopes, jumps, n);
}

/** Largest distance from the diagonal of the function on [0, 1] that rises by these slopes and jumps, divided by n. */
function worstOf(slopes: [at: number, change: number][], jumps: number[], n: number): number {
  slopes.sort((a, b) => a[0] - b[0]);
  jumps.sort((a, b) => a - b);
  let worst = 0;
  let at = 0;
  let value = 0;
  let slope = 0;
  const moveTo = (next: number): void => {
    value += slope * (next - at);
    at = next;
    worst = Math.max(worst, Math.abs(value / n - at));
  };
  let s = 0;
  let j = 0;
  while (s < slopes.length || j < jumps.length) {
    const [from, change] = slopes[s] ?? [Number.POSITIVE_INFINITY, 0];
    const jump = jumps[j] ?? Number.POSITIVE_INFINITY;
    moveTo(Math.min(from, jump));
    if (jump <= from) {
      value++;
      j++;
      moveTo(jump);
    } else {
      slope += change;
      s++;
    }
  }
  return worst;
}

function thinned(sorted: Float64Array): Float64Array {
  const n = sorted.length;
  if (n <= POINTS) return sorted;
  return Float64Array.from({ length: POINTS }, (_, i) => sorted[Math.floor(((i + 0.5) * n) / POINTS)] as number);
}
