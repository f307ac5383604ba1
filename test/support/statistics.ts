/**
 * Tests of fit for the tests: chi-square and Kolmogorov-Smirnov p-values, index of dispersion. They are checked against
 * published tables in statistics.test.ts.
 */

/** ln Gamma(x), x > 0: Stirling's series (NIST DLMF 5.11.1) after shifting x above 15 by Gamma(x+1) = x Gamma(x). */
export function lnGamma(x: number): number {
  let shift = 0;
  while (x < 15) shift -= Math.log(x++);
  const y = 1 / (x * x);
  const series = (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188)))) / x;
  return shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}

/** Regularised upper incomplete gamma function Q(a, x): the series 8.11.4 or the continued fraction 8.9.2 of NIST DLMF. */
export function gammaQ(a: number, x: number): number {
  if (x <= 0) return 1;
  const front = Math.exp(a * Math.log(x) - x - lnGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; term > sum * 1e-16; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - front * sum;
  }
  // Evaluated from the tail; the number of terms that matter grows with sqrt(a).
  const terms = 200 + Math.ceil(20 * Math.sqrt(a));
  let fraction = 0;
  for (let n = terms; n >= 1; n--) fraction = (n * (n - a)) / (x + 2 * n + 1 - a - fraction);
  return front / (x + 1 - a - fraction);
}

/** P(chi-square with `df` degrees of freedom >= x). */
export function chiSquareP(x: number, df: number): number {
  return gammaQ(df / 2, x / 2);
}

/**
 * Pearson's test of counts against probabilities. Neighbours are binned until at least five are expected (Cochran), what is
 * left at the end joins the last bin.
 * @param counts observed count per outcome
 * @param probability probability of outcome i; they add up to 1
 */
export function chiSquareTest(
  counts: ArrayLike<number>,
  probability: (i: number) => number,
): { statistic: number; df: number; p: number } {
  let n = 0;
  for (let i = 0; i < counts.length; i++) n += counts[i] as number;
  const bins: { observed: number; expected: number }[] = [];
  let observed = 0;
  let expected = 0;
  for (let i = 0; i < counts.length; i++) {
    observed += counts[i] as number;
    expected += n * probability(i);
    if (expected >= 5) {
      bins.push({ observed, expected });
      observed = 0;
      expected = 0;
    }
  }
  const last = bins.at(-1);
  if (last === undefined) throw new RangeError('not enough draws for a single bin');
  last.observed += observed;
  last.expected += expected;
  const total = bins.reduce((sum, bin) => sum + bin.expected, 0);
  if (Math.abs(total - n) > 1e-6 * n) throw new RangeError(`probabilities add up to ${total / n}`);
  const statistic = bins.reduce((sum, bin) => sum + (bin.observed - bin.expected) ** 2 / bin.expected, 0);
  const df = bins.length - 1;
  return { statistic, df, p: df === 0 ? 1 : chiSquareP(statistic, df) };
}

/** P(K >= x) of Kolmogorov's limiting distribution: 2 sum of (-1)^(j-1) exp(-2 j^2 x^2). */
export function kolmogorovP(x: number): number {
  if (x < 0.2) return 1; // 1 - P is below 1e-12 there, and the alternating series converges slowly.
  let sum = 0;
  for (let j = 1; j <= 100; j++) sum += (j % 2 === 1 ? 2 : -2) * Math.exp(-2 * j * j * x * x);
  return Math.min(1, Math.max(0, sum));
}

/**
 * Kolmogorov-Smirnov test of a sample against a distribution function. At an atom of the law both sides jump alike, so only
 * values of the empirical function at distinct points count, and the p-value is then an upper bound.
 */
export function ksTest(
  sample: readonly number[],
  cdf: (x: number) => number,
  cdfBelow = cdf,
): { d: number; p: number } {
  const sorted = [...sample].sort((a, b) => a - b);
  const n = sorted.length;
  let d = 0;
  for (let i = 0; i < n; ) {
    const x = sorted[i] as number;
    let j = i;
    while (j < n && sorted[j] === x) j++;
    d = Math.max(d, Math.abs(cdfBelow(x) - i / n), Math.abs(j / n - cdf(x)));
    i = j;
  }
  // Stephens (1970): the limit holds for finite n with this factor.
  return { d, p: kolmogorovP(d * (Math.sqrt(n) + 0.12 + 0.11 / Math.sqrt(n))) };
}

/**
 * Index of dispersion of counts in windows: sample variance over mean, 1 for a Poisson process, 0 for a metronome.
 * @param times instants in seconds, any order
 */
export function indexOfDispersion(times: readonly number[], window: number, from: number, to: number): number {
  const counts = new Array<number>(Math.floor((to - from) / window + 1e-9)).fill(0);
  for (const t of times) {
    const i = Math.floor((t - from) / window);
    if (i >= 0 && i < counts.length) counts[i] = (counts[i] as number) + 1;
  }
  const mean = counts.reduce((a, b) => a + b, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (counts.length - 1) / mean;
}
