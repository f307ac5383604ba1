/** Intervals of shares and rates. */

const Z = 1.959964;

/** Wilson's 95 % interval of a share (E. B. Wilson 1927). */
export function wilson(successes: number, n: number): readonly [number, number] {
  if (n <= 0) return [0, 1];
  const p = successes / n;
  const centre = (p + (Z * Z) / (2 * n)) / (1 + (Z * Z) / n);
  const half = (Z / (1 + (Z * Z) / n)) * Math.sqrt((p * (1 - p)) / n + (Z * Z) / (4 * n * n));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/**
 * 95 % interval of the rate of `n` events in `seconds`, widened by the index of dispersion: exact Poisson limits are
 * approximated by (sqrt(n) +- z/2)^2.
 */
export function rateInterval(n: number, seconds: number, dispersion = 1): readonly [number, number] {
  const half = (Z / 2) * Math.sqrt(Math.max(dispersion, 1e-6));
  const low = Math.max(0, Math.sqrt(n) - half) ** 2;
  const high = (Math.sqrt(n + 1) + half) ** 2;
  return [low / seconds, high / seconds];
}
