/**
 * Block bootstrap of quantiles over time. Latencies that follow each other are alike (a queue), so samples are not
 * resampled one by one but in blocks of time, long enough to hold the likeness within them.
 */
import type { Random } from '../../../lib/model/random.ts';

/**
 * Block length for the circular block bootstrap, in steps of the series: Politis & White (2004) with the correction of
 * Patton, Politis & White (2009), flat-top lag window. At least 1, at most a tenth of the series (ten blocks are needed
 * for an interval).
 */
export function blockLength(series: ArrayLike<number>): number {
  const n = series.length;
  if (n < 10) return 1;
  const mean = meanOf(series);
  const longest = Math.ceil(Math.sqrt(n));
  const run = Math.max(5, Math.ceil(Math.sqrt(Math.log10(n))));
  const r: number[] = [];
  for (let lag = 0; lag <= Math.min(n - 1, longest + run); lag++) r.push(covarianceAt(series, mean, lag));
  const variance = r[0] ?? 0;
  if (variance <= 0) return 1;
  const critical = 2 * Math.sqrt(Math.log10(n) / n);
  // The smallest lag after which `run` autocorrelations in a row are not distinguishable from 0.
  let settled = longest;
  for (let lag = 0; lag < longest; lag++) {
    let small = true;
    for (let k = 1; k <= run; k++) if (Math.abs((r[lag + k] ?? 0) / variance) >= critical) small = false;
    if (small) {
      settled = lag;
      break;
    }
  }
  const width = Math.min(Math.max(2 * settled, 1), r.length - 1);
  let g = 0;
  let spectrum = variance;
  for (let lag = 1; lag <= width; lag++) {
    const t = lag / width;
    const weight = t <= 0.5 ? 1 : 2 * (1 - t);
    g += 2 * weight * lag * (r[lag] ?? 0);
    spectrum += 2 * weight * (r[lag] ?? 0);
  }
  const d = (4 / 3) * spectrum ** 2;
  const optimal = d <= 0 ? 1 : Math.cbrt((2 * g ** 2) / d) * Math.cbrt(n);
  // The optimum is for the variance's mean square error and errs to the short side; intervals want the likeness covered.
  return Math.max(1, Math.min(Math.ceil(2 * optimal) + 4, Math.floor(n / 10)));
}

/**
 * Integrated autocorrelation time of a series, in its steps: the variance of its mean is that many times the one of independent
 * values, so that n steps are worth n / time of them. A value of 1 means that nothing is alike. Sum of the autocorrelations with
 * the window of Sokal (the first lag M at which M >= 6 time; Madras & Sokal 1988, J. Stat. Phys. 50, 109). A mean taken from
 * the series itself pulls every autocorrelation down by about time / n, so a sum over 2 M + 1 of them is short by that
 * much; it is put back.
 */
export function memory(series: ArrayLike<number>): number {
  const n = series.length;
  if (n < 3) return 1;
  const mean = meanOf(series);
  const variance = covarianceAt(series, mean, 0);
  if (variance <= 0) return 1;
  let time = 1;
  let lag = 0;
  while (lag < 6 * time && lag < n / 3) {
    lag++;
    time += (2 * covarianceAt(series, mean, lag)) / variance;
  }
  return Math.max(1, time / Math.max(0.2, 1 - (2 * lag + 1) / n));
}

/**
 * Whether values near each other are alike, beyond chance (test of Ljung & Box 1978 over ten lags, 1 %). A short series of independent
 * values has a `memory` above 2 in every fourth case.
 */
export function isAlike(series: ArrayLike<number>): boolean {
  const n = series.length;
  const lags = Math.min(10, Math.floor(n / 5));
  if (lags < 1) return false;
  const mean = meanOf(series);
  const variance = covarianceAt(series, mean, 0);
  if (variance <= 0) return false;
  let sum = 0;
  for (let k = 1; k <= lags; k++) sum += (n * (n + 2) * (covarianceAt(series, mean, k) / variance) ** 2) / (n - k);
  return sum > chiSquare99(lags);
}

function meanOf(series: ArrayLike<number>): number {
  let mean = 0;
  for (let i = 0; i < series.length; i++) mean += (series[i] ?? 0) / series.length;
  return mean;
}

function covarianceAt(series: ArrayLike<number>, mean: number, lag: number): number {
  const n = series.length;
  let sum = 0;
  for (let i = 0; i + lag < n; i++) sum += ((series[i] ?? 0) - mean) * ((series[i + lag] ?? 0) - mean);
  return sum / n;
}

/** 99 % quantile of chi-square by Wilson & Hilferty (1931), right to 1 % from three degrees of freedom on. */
const chiSquare99 = (df: number): number => df * (1 - 2 / (9 * df) + 2.3263 * Math.sqrt(2 / (9 * df))) ** 3;

/** Autocorrelation time that blocks of this length take account of: variance of their sums over that of as many independent steps. */
export function blockAutocorrelationTime(series: ArrayLike<number>, length: number): number {
  const n = series.length;
  const mean = meanOf(series);
  let steps = 0;
  let sums = 0;
  let sum = 0;
  for (let i = 0; i < length; i++) sum += (series[i % n] ?? 0) - mean;
  for (let i = 0; i < n; i++) {
    steps += ((series[i] ?? 0) - mean) ** 2;
    sums += sum ** 2;
    sum += (series[(i + length) % n] ?? 0) - (series[i] ?? 0);
  }
  return steps <= 0 ? 1 : sums / (length * steps);
}

/** Samples of one population in equal bins of time. */
export interface BinnedSamples {
  /** Values by bin, in time order; several runs one after the other. */
  readonly bins: readonly Float64Array[];
}

/** Counts of values up to each grid point, added up over time, doubled so that blocks may wrap around the end. */
export interface CountTable {
  readonly bins: number;
  readonly grid: Float64Array;
  /** [grid x (2 * bins + 1)]: values up to the grid point in the bins before i; a grid point's counts lie together. */
  readonly cumulative: Float64Array;
}

/** Grid points: quantiles of both sides together, dense where quantiles are asked for (equal steps of the logit). */
export function quantileGrid(sorted: Float64Array, points = 320): Float64Array {
  const n = sorted.length;
  const grid: number[] = [];
  for (let k = 0; k < points; k++) {
    const logit = -4 + (12.5 * k) / (points - 1);
    const p = 1 / (1 + Math.exp(-logit));
    const value = sorted[Math.min(n - 1, Math.round(p * (n - 1)))] ?? 0;
    if (grid.length === 0 || value > (grid[grid.length - 1] ?? 0)) grid.push(value);
  }
  const highest = sorted[n - 1] ?? 0;
  if (highest > (grid[grid.length - 1] ?? Number.NEGATIVE_INFINITY)) grid.push(highest);
  return Float64Array.from(grid);
}

export function countTable(samples: BinnedSamples, grid: Float64Array): CountTable {
  const bins = samples.bins.length;
  const steps = 2 * bins + 1;
  const cumulative = new Float64Array(steps * grid.length);
  for (let i = 0; i < bins; i++) {
    for (const value of samples.bins[i] ?? []) {
      const k = firstAtLeast(grid, value) * steps;
      // The second round of bins repeats the first, so that a block may run over the end.
      cumulative[k + i + 1] = (cumulative[k + i + 1] ?? 0) + 1;
      cumulative[k + bins + i + 1] = (cumulative[k + bins + i + 1] ?? 0) + 1;
    }
  }
  for (let k = 0; k < grid.length; k++) {
    let upTo = 0;
    for (let i = 1; i < steps; i++) {
      upTo += cumulative[k * steps + i] ?? 0;
      cumulative[k * steps + i] = upTo + (k === 0 ? 0 : (cumulative[(k - 1) * steps + i] ?? 0));
    }
  }
  return { bins, grid, cumulative };
}

function firstAtLeast(grid: Float64Array, value: number): number {
  let low = 0;
  let high = grid.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((grid[middle] ?? 0) >= value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Starts of the blocks of one resample; together they have as many bins as the series (the last one is cut). */
function drawStarts(bins: number, length: number, random: Random, into: Int32Array): number {
  const blocks = Math.ceil(bins / length);
  for (let i = 0; i < blocks; i++) into[i] = Math.floor(random() * bins);
  return blocks;
}

/** Quantile of a resample, by the counts at the grid; linear between grid points. */
function resampledQuantile(table: CountTable, starts: Int32Array, blocks: number, length: number, p: number): number {
  const { grid, cumulative, bins } = table;
  const width = grid.length;
  const steps = 2 * bins + 1;
  const last = bins - (blocks - 1) * length;
  const count = (k: number) => {
    let sum = 0;
    for (let i = 0; i < blocks; i++) {
      const from = starts[i] ?? 0;
      const to = from + (i === blocks - 1 ? last : length);
      sum += (cumulative[k * steps + to] ?? 0) - (cumulative[k * steps + from] ?? 0);
    }
    return sum;
  };
  const target = p * count(width - 1);
  let low = 0;
  let high = width - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (count(middle) >= target) high = middle;
    else low = middle + 1;
  }
  if (low === 0) return grid[0] ?? 0;
  const below = count(low - 1);
  const above = count(low);
  const from = grid[low - 1] ?? 0;
  const weight = above === below ? 1 : (target - below) / (above - below);
  return from + ((grid[low] ?? from) - from) * Math.max(0, Math.min(1, weight));
}

/** Deviations of resampled quantiles from the quantile of the whole, one series per p. */
export function bootstrapDeviations(
  table: CountTable,
  quantiles: readonly number[],
  length: number,
  repetitions: number,
  random: Random,
): Float64Array[] {
  const whole = Int32Array.of(0);
  const centre = quantiles.map((p) => resampledQuantile(table, whole, 1, table.bins, p));
  const starts = new Int32Array(Math.ceil(table.bins / length));
  const deviations = quantiles.map(() => new Float64Array(repetitions));
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const blocks = drawStarts(table.bins, length, random, starts);
    for (const [index, p] of quantiles.entries()) {
      const series = deviations[index];
      if (series !== undefined)
        series[repetition] = resampledQuantile(table, starts, blocks, length, p) - (centre[index] ?? 0);
    }
  }
  return deviations;
}
