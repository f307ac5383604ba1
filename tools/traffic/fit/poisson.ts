/** Poisson draws for the bootstrap. */
import type { Random } from '../../../lib/model/random.ts';

/** One draw with this mean: inversion below 30, above it the normal with continuity and skewness terms (error < 1e-3 sd). */
export function poissonDraw(mean: number, random: Random): number {
  if (mean < 30) {
    let p = Math.exp(-mean);
    let u = random();
    let k = 0;
    while (u > p && k < 200) {
      u -= p;
      k++;
      p *= mean / k;
    }
    return k;
  }
  const z = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  // Cornish and Fisher's expansion to the skewness term.
  return Math.max(0, Math.round(mean + Math.sqrt(mean) * z + (z * z - 1) / 6));
}
