/**
 * Discrete Zipf law P(k) = k^-s / (1^-s + ... + n^-s) for ranks 1 to n: draws without a table, exact distribution function.
 */
import type { Random } from './random.ts';

/**
 * Draws ranks 1 to n by rejection-inversion: W. Hoermann, G. Derflinger, "Rejection-inversion to generate variates from
 * monotone discrete distributions", ACM TOMACS 6 (1996) 169-184. A point is drawn under the continuous h(x) = x^-s by
 * inverting its integral H; rounding it gives k; it is kept when it lies in the part of k's cell whose area is k^-s, which a
 * constant decides in most cases without evaluating H again. Constant time and memory for any n.
 *
 * H(x) = (x^(1-s) - 1) / (1-s) is written as ln x * expm1(t)/t with t = (1-s) ln x, and its inverse as
 * exp(y * log1p(t)/t) with t = (1-s) y, so that s = 1 and its neighbourhood lose no digits.
 * @param s exponent, any finite number >= 0 (0 is uniform)
 * @param n number of ranks, an integer >= 1
 */
export const zipfSampler = (s: number, n: number): ((random: Random) => number) => {
  const q = 1 - s;
  const H = (x: number): number => {
    const log = Math.log(x);
    const t = q * log;
    return t ? (Math.expm1(t) / t) * log : log;
  };
  const inverse = (y: number): number => {
    // Below -1 only by rounding; x is then cut to rank 1 or n.
    const t = Math.max(-1, q * y);
    return Math.exp(t ? (Math.log1p(t) / t) * y : y);
  };
  const low = H(1.5) - 1;
  const width = H(n + 0.5) - low;
  const squeeze = 2 - inverse(H(2.5) - 2 ** -s);
  return (random) => {
    for (;;) {
      const y = low + random() * width;
      const x = inverse(y);
      const k = Math.min(n, Math.max(1, Math.floor(x + 0.5)));
      if (k - x <= squeeze || y >= H(k + 0.5) - k ** -s) return k;
    }
  };
};

/**
 * Generalised harmonic number 1^-s + 2^-s + ... + k^-s. The first terms are added one by one, the rest follows from the
 * Euler-Maclaurin formula (NIST DLMF 2.10.1), whose neglected term is below the rounding error of a double.
 * @param k integer >= 0
 * @param s exponent >= 0
 */
export function harmonic(k: number, s: number): number {
  const direct = 30 + Math.ceil(s);
  let sum = 0;
  for (let i = Math.min(k, direct); i >= 1; i--) sum += i ** -s;
  if (k <= direct) return sum;
  // Sum over direct+1 .. k as integral and end corrections from `direct`; f(direct) itself is already in `sum`.
  const t = (1 - s) * Math.log(k / direct);
  const integral = direct ** (1 - s) * (t ? Math.expm1(t) / t : 1) * Math.log(k / direct);
  let tail = integral + (k ** -s - direct ** -s) / 2;
  // Odd derivatives of x^-s: f^(m)(x) = -s (s+1) ... (s+m-1) x^(-s-m) for odd m.
  let rising = s;
  // B_2j / (2j)! for j = 1 to 6.
  [1 / 12, -1 / 720, 1 / 30_240, -1 / 1_209_600, 1 / 47_900_160, -691 / 1_307_674_368_000].forEach((coefficient, j) => {
    const m = 2 * j + 1;
    tail -= coefficient * rising * (k ** (-s - m) - direct ** (-s - m));
    rising *= (s + m) * (s + m + 1);
  });
  return sum + tail;
}

/** P(rank <= k) of the Zipf law with exponent `s` over `n` ranks; `k` is cut to 0..n. */
export function zipfCdf(s: number, n: number): (k: number) => number {
  const total = harmonic(n, s);
  return (k) => (k >= n ? 1 : harmonic(Math.max(0, Math.floor(k)), s) / total);
}
