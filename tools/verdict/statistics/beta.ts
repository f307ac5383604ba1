/**
 * Regularised incomplete beta function and the binomial distribution made of it.
 * Continued fraction after Lentz, as in Abramowitz & Stegun 26.5.8.
 */
import { logGamma } from '../../../lib/model/log-gamma.ts';

/** I_x(a, b) for 0 <= x <= 1, a and b > 0. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges fast on this side of the mean; the other side is its mirror.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

function fraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1), tiny);
  let h = d;
  for (let m = 1; m <= 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d, tiny);
    c = nonZero(1 + even / c, tiny);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d, tiny);
    c = nonZero(1 + odd / c, tiny);
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < 1e-14) break;
  }
  return h;
}

function nonZero(value: number, tiny: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

/** P(B <= k) for B binomial with n trials of probability p. */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  if (k >= n) return 1;
  return incompleteBeta(1 - p, n - k, k + 1);
}

/** Smallest k with P(B <= k) >= target. */
export function binomialQuantile(target: number, n: number, p: number): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (binomialCdf(middle, n, p) >= target) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Exact (Clopper-Pearson) interval of a proportion: `successes` of `n`, two-sided at `confidence`.
 * n = 0 gives [0, 1]: nothing is known.
 */
export function proportionInterval(successes: number, n: number, confidence = 0.95): [number, number] {
  if (n === 0) return [0, 1];
  const alpha = (1 - confidence) / 2;
  const solve = (target: number, a: number, b: number) => {
    let low = 0;
    let high = 1;
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (incompleteBeta(middle, a, b) < target) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  };
  return [
    successes === 0 ? 0 : solve(alpha, successes, n - successes + 1),
    successes === n ? 1 : solve(1 - alpha, successes + 1, n - successes),
  ];
}
