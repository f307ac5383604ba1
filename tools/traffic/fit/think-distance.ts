/** How far the observed distribution of gaps is from a law's. */
import { type FamilyRules, smearedCdf } from './think-laws.ts';

/** Kolmogorov and Smirnov's D; for coarse stamps between the values that occur, where both functions are defined alike. */
export function distanceOf(rules: FamilyRules, p: readonly number[], sorted: Float64Array, step: number): number {
  const n = sorted.length;
  let worst = 0;
  const stride = Math.max(1, Math.floor(n / 1000));
  for (let i = 0; i < n; i += stride) {
    const x = sorted[i] as number;
    let last = i;
    while (last + 1 < n && sorted[last + 1] === x) last++;
    // Whole-second gaps are a lattice: half-way to the next value the step function is compared with the smeared one.
    const lattice = step > 0 && last - i > n / 200;
    const place = lattice ? x + step / 2 : x;
    if (lattice) {
      worst = Math.max(worst, Math.abs((last + 1) / n - latticeCdf(rules, p, place, step)));
    } else {
      const f = smearedCdf(rules, p, place, step);
      worst = Math.max(worst, Math.abs((last + 1) / n - f), Math.abs(i / n - f));
    }
    i = Math.max(i, last - stride + 1);
  }
  return worst;
}

/** P(gap of whole steps <= x - d/2) = (G(x + d/2) - G(x - d/2)) / d: the sum of the lattice's probabilities telescopes. */
function latticeCdf(rules: FamilyRules, p: readonly number[], x: number, d: number): number {
  const g = (y: number): number => y * rules.cdf(y, p) - rules.partialMean(y, p);
  return (g(x + d / 2) - g(x - d / 2)) / d;
}
