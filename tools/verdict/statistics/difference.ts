/** Difference of quantiles between two sides, with an interval that holds under autocorrelation. */
import type { Random } from '../../../lib/model/random.ts';
import {
  type BinnedSamples,
  blockAutocorrelationTime,
  blockLength,
  bootstrapDeviations,
  countTable,
  isAlike,
  memory,
  quantileGrid,
} from './blocks.ts';
import { quantileOfSorted } from './quantile.ts';
import { normalQuantile, studentQuantile } from './student.ts';

export interface Difference {
  readonly p: number;
  readonly a: number;
  readonly b: number;
  /** b - a, in the unit of the samples. */
  readonly difference: number;
  /** 95 % interval of the difference. */
  readonly low: number;
  readonly high: number;
  /** The same, widened so that all `comparisons` together err in 5 % at most; decisions are made by this one. */
  readonly decisionLow: number;
  readonly decisionHigh: number;
  /** Lengths of the blocks, in bins. */
  readonly blocks: readonly [number, number];
  /** Bins of the shorter side over its autocorrelation time: how many independent pieces of time it is worth. */
  readonly pieces: number;
}

export interface DifferenceOptions {
  /** How many comparisons are looked at together (Bonferroni). Default 1. */
  readonly comparisons?: number;
  readonly repetitions?: number;
}

/**
 * Circular block bootstrap of each side, percentile interval of the difference, widened by Student's t for the number
 * of blocks (few blocks know their own spread badly), and by what the blocks are too short to hold of the autocorrelation.
 */
export function quantileDifferences(
  a: BinnedSamples,
  b: BinnedSamples,
  quantiles: readonly number[],
  random: Random,
  options: DifferenceOptions = {},
): Difference[] {
  const repetitions = options.repetitions ?? 1000;
  const sortedA = sortedValues(a);
  const sortedB = sortedValues(b);
  const grid = quantileGrid(sortedValues(a, b));
  // What makes latencies alike moves the median most clearly; rare exceedances hide it in their own noise.
  const typical = Math.min(
    piecesOf(exceedances(a, quantileOfSorted(sortedA, 0.5) ?? 0, 0.5)),
    piecesOf(exceedances(b, quantileOfSorted(sortedB, 0.5) ?? 0, 0.5)),
  );
  return quantiles.map((p) => {
    const qa = quantileOfSorted(sortedA, p) ?? 0;
    const qb = quantileOfSorted(sortedB, p) ?? 0;
    const [seriesA, seriesB] = [exceedances(a, qa, p), exceedances(b, qb, p)];
    const [lengthA, lengthB] = [blockLength(seriesA), blockLength(seriesB)];
    const [memoryA, memoryB] = [memory(seriesA), memory(seriesB)];
    const [devA] = bootstrapDeviations(tableOf(a, grid), [p], lengthA, repetitions, random);
    const [devB] = bootstrapDeviations(tableOf(b, grid), [p], lengthB, repetitions, random);
    const [widerA, widerB] = [widening(seriesA, lengthA, memoryA), widening(seriesB, lengthB, memoryB)];
    const deviations = Float64Array.from(
      { length: repetitions },
      (_, i) => widerB * (devB?.[i] ?? 0) - widerA * (devA?.[i] ?? 0),
    ).sort();
    const pieces = Math.min(a.bins.length / memoryA, b.bins.length / memoryB);
    const df = Math.max(2, Math.min(a.bins.length / lengthA, b.bins.length / lengthB, pieces) - 1);
    const plain = studentQuantile(0.975, df) / normalQuantile(0.975);
    const strict = studentQuantile(1 - 0.025 / (options.comparisons ?? 1), df) / normalQuantile(0.975);
    const below = quantileOfSorted(deviations, 0.025) ?? 0;
    const above = quantileOfSorted(deviations, 0.975) ?? 0;
    const difference = qb - qa;
    return {
      p,
      a: qa,
      b: qb,
      difference,
      low: difference + below * plain,
      high: difference + above * plain,
      decisionLow: difference + below * strict,
      decisionHigh: difference + above * strict,
      blocks: [lengthA, lengthB],
      pieces: Math.min(piecesOf(seriesA), piecesOf(seriesB), typical),
    };
  });
}

/** Independent pieces of time: as many as bins, unless values near each other are shown to be alike. */
export const piecesOf = (series: Float64Array): number => series.length / (isAlike(series) ? memory(series) : 1);

/** Factor on the deviations for what blocks of this length do not hold of the autocorrelation. */
const widening = (series: Float64Array, length: number, time: number): number =>
  Math.sqrt(Math.max(1, time / blockAutocorrelationTime(series, length)));

const tables = new WeakMap<BinnedSamples, { grid: Float64Array; table: ReturnType<typeof countTable> }>();

/** The table of a side does not depend on the quantile: made once per grid. */
function tableOf(samples: BinnedSamples, grid: Float64Array) {
  const known = tables.get(samples);
  if (known?.grid === grid) return known.table;
  const table = countTable(samples, grid);
  tables.set(samples, { grid, table });
  return table;
}

function sortedValues(...sides: readonly BinnedSamples[]): Float64Array {
  const length = sides.reduce((sum, side) => sum + side.bins.reduce((n, bin) => n + bin.length, 0), 0);
  const values = new Float64Array(length);
  let at = 0;
  for (const side of sides) {
    for (const bin of side.bins) {
      values.set(bin, at);
      at += bin.length;
    }
  }
  return values.sort();
}

/** Per bin: values above the quantile, less those expected there. Its autocorrelation is what blocks must hold. */
function exceedances(samples: BinnedSamples, quantile: number, p: number): Float64Array {
  return Float64Array.from(samples.bins, (bin) => {
    let sum = 0;
    for (const value of bin) sum += (value > quantile ? 1 : 0) - (1 - p);
    return sum;
  });
}
