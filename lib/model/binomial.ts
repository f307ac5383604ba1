/** Binomial numbers, exact and in a time that does not grow with their mean. For init only. */
import type { Random } from './random.ts';

/** Below this mean, successes are drawn one by one; the rejection method is proven from here on. */
const SMALL_MEAN = 10;

/**
 * Successes in n independent trials. Large means by transformed rejection, algorithm BTRS of W. Hörmann, "The generation of
 * binomial random variates", J. Stat. Comput. Simul. 46 (1993) 101-110, which is exact up to the rounding of logarithms.
 * @param n trials, an integer >= 0
 * @param p chance of each, 0 to 1
 */
export function binomial(n: number, p: number, random: Random): number {
  if (p > 0.5) return n - binomial(n, 1 - p, random);
  if (n * p >= SMALL_MEAN) return rejected(n, p, random);
  return skipped(n, p, random);
}

/** Few successes: the failures between two are geometric (L. Devroye, 1986, X.4.3). */
function skipped(n: number, p: number, random: Random): number {
  const log = Math.log1p(-p);
  let successes = -1;
  for (let at = 0; at <= n; successes++) at += Math.floor(Math.log(1 - random()) / log) + 1;
  return successes;
}

function rejected(n: number, p: number, random: Random): number {
  const spread = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const centre = n * p + 0.5;
  const alpha = (2.83 + 5.1 / b) * spread;
  const squeeze = 0.92 - 4.2 / b;
  const mode = Math.floor((n + 1) * p);
  for (;;) {
    const v = random();
    const u = random() - 0.5;
    const tail = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / tail + b) * u + centre);
    if (tail >= 0.07 && v <= squeeze) return k;
    if (k < 0 || k > n) continue;
    if (Math.log((v * alpha) / (a / (tail * tail) + b)) <= logRatio(n, p, k, mode)) return k;
  }
}

/** ln(P(k) / P(m)) of the binomial law, by Stirling's formula with its remainder, so that nothing large cancels. */
function logRatio(n: number, p: number, k: number, m: number): number {
  const odds = p / (1 - p);
  return (
    (m + 0.5) * Math.log((m + 1) / (odds * (n - m + 1))) +
    (n + 1) * Math.log((n - m + 1) / (n - k + 1)) +
    (k + 0.5) * Math.log((odds * (n - k + 1)) / (k + 1)) +
    remainder(m) +
    remainder(n - m) -
    remainder(k) -
    remainder(n - k)
  );
}

/** ln(k!) less Stirling's (k + 1/2) ln(k + 1) - (k + 1) + ln(2 pi) / 2: its series, and below ten the definition. */
function remainder(k: number): number {
  if (k >= 10) {
    const square = (k + 1) * (k + 1);
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1);
  }
  let factorial = 0;
  for (let i = 2; i <= k; i++) factorial += Math.log(i);
  return factorial - (k + 0.5) * Math.log(k + 1) + (k + 1) - Math.log(2 * Math.PI) / 2;
}
