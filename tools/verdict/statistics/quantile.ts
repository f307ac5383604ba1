/**
 * Quantiles as k6 (and numpy "linear", R type 7, Excel PERCENTILE.INC) define them, with the interval that order
 * statistics give and the question whether a sample can carry them at all.
 */
import { MIN_BEYOND } from '../../../lib/model/samples-needed.ts';
import { binomialCdf, binomialQuantile } from './beta.ts';

/** Quantile of values in ascending order: linear interpolation at p * (n - 1). `undefined` for no values. */
export function quantileOfSorted(sorted: ArrayLike<number>, p: number): number | undefined {
  const n = sorted.length;
  if (n === 0) return undefined;
  const { index, weight } = quantileRank(n, p);
  const low = sorted[index] ?? 0;
  return weight === 0 ? low : low + ((sorted[index + 1] ?? low) - low) * weight;
}

/** 0-based rank below the quantile and the weight of the next one. p in [0, 1], n >= 1. */
export function quantileRank(n: number, p: number): { index: number; weight: number } {
  const position = Math.min(Math.max(p, 0), 1) * (n - 1);
  const index = Math.min(Math.floor(position), n - 1);
  return { index, weight: position - index };
}

/** How many of n samples lie beyond the quantile p, on its thinner side. */
export function samplesBeyond(n: number, p: number): number {
  // The tiny term keeps 0.05 * 200 = 10 from falling to 9.999....
  return Math.floor(n * Math.min(p, 1 - p) + 1e-9);
}

/** Whether n samples carry the quantile p. The extremes 0 and 1 are minimum and maximum: facts, not estimates. */
export function carries(n: number, p: number): boolean {
  return n > 0 && (p <= 0 || p >= 1 || samplesBeyond(n, p) >= MIN_BEYOND);
}

export interface RankInterval {
  /** 1-based ranks of the order statistics that bound the quantile; undefined where the sample has no such bound. */
  readonly low?: number;
  readonly high?: number;
}

/**
 * Ranks [l, u] with P(X(l) <= q < X(u)) >= confidence for any continuous distribution, each tail at most half of what
 * is left (David & Nagaraja, Order Statistics, 7.1): independent samples assumed. A side that no order statistic can
 * bound (0.99 of 50 samples: the maximum is below the quantile more often than not) is left open.
 */
export function intervalRanks(n: number, p: number, confidence = 0.95): RankInterval {
  if (n === 0 || p <= 0 || p >= 1) return {};
  const tail = (1 - confidence) / 2;
  // X(l) lies above q when fewer than l samples are below it: P(B <= l - 1) <= tail.
  const atLeast = binomialQuantile(tail, n, p);
  const low = binomialCdf(atLeast, n, p) <= tail ? atLeast + 1 : atLeast;
  // X(u) lies below q when at least u samples are below it: P(B >= u) <= tail, so P(B <= u - 1) >= 1 - tail.
  const high = binomialQuantile(1 - tail, n, p) + 1;
  return { ...(low >= 1 ? { low } : {}), ...(high <= n ? { high } : {}) };
}

/** A bound between two neighbouring order statistics. */
export interface RankBound {
  /** 1-based rank of the outer one, as `intervalRanks` gives it. */
  readonly rank: number;
  /** Rank of the next one towards the quantile. */
  readonly inner: number;
  /** Weight of the inner one, 0 to 1. */
  readonly weight: number;
}

export interface IntervalBounds {
  readonly low?: RankBound;
  readonly high?: RankBound;
}

/**
 * Where between order statistics the bounds lie that leave out (1 - confidence) / 2 on each side. Whole ranks cover too much
 * where few samples lie beyond a quantile (up to 98 % for 95 %). Interpolation after Nyblom, "Note on interpolated order
 * statistics" (Statistics & Probability Letters 14, 1992), which for the median is Hettmansperger & Sheather's: right where
 * the density is about the same on both sides of the quantile. Open where `intervalRanks` is.
 */
export function intervalBounds(n: number, p: number, confidence = 0.95): IntervalBounds {
  const { low, high } = intervalRanks(n, p, confidence);
  const tail = (1 - confidence) / 2;
  return {
    ...(low === undefined ? {} : { low: { rank: low, inner: Math.min(low + 1, n), weight: inwards(low, n, p, tail) } }),
    // The upper bound is the lower one of the values counted from above.
    ...(high === undefined
      ? {}
      : { high: { rank: high, inner: Math.max(high - 1, 1), weight: inwards(n + 1 - high, n, 1 - p, tail) } }),
  };
}

/** Weight of X(rank + 1) in a lower bound that misses with probability `tail`; X(rank) alone misses less often. */
function inwards(rank: number, n: number, p: number, tail: number): number {
  const left = tail - binomialCdf(rank - 1, n, p);
  const missing = binomialCdf(rank, n, p) - tail;
  if (left <= 0 || rank >= n) return 0;
  return 1 / (1 + ((rank * (1 - p)) / ((n - rank) * p)) * (missing / left));
}

/** The value of a bound, where `at` gives the order statistic of a 1-based rank. */
export function boundValue(bound: RankBound | undefined, at: (rank: number) => number): number | undefined {
  if (bound === undefined) return undefined;
  const [outer, inner] = [at(bound.rank), at(bound.inner)];
  return outer + (inner - outer) * bound.weight;
}

export interface Estimate {
  readonly p: number;
  readonly value: number;
  /** Interval at 95 % from interpolated order statistics; absent sides cannot be bounded by this sample. */
  readonly low?: number;
  readonly high?: number;
  /** Whether at least `MIN_BEYOND` samples lie beyond it. */
  readonly carried: boolean;
}

/** Quantile with its interval from sorted values. `undefined` for no values. */
export function estimate(sorted: ArrayLike<number>, p: number, confidence = 0.95): Estimate | undefined {
  const value = quantileOfSorted(sorted, p);
  if (value === undefined) return undefined;
  const { low, high } = intervalBounds(sorted.length, p, confidence);
  const at = (rank: number) => sorted[rank - 1] ?? Number.NaN;
  return withBounds(p, value, carries(sorted.length, p), boundValue(low, at), boundValue(high, at));
}

/** Builds an `Estimate`, leaving out sides that are open. */
export function withBounds(p: number, value: number, carried: boolean, low?: number, high?: number): Estimate {
  return { p, value, carried, ...(low === undefined ? {} : { low }), ...(high === undefined ? {} : { high }) };
}
