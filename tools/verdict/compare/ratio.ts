/** Shares and means with standard errors that hold under autocorrelation: sums of blocks of time (ratio estimator). */
import { blockLength } from '../statistics/blocks.ts';
import { piecesOf } from '../statistics/difference.ts';
import { studentQuantile } from '../statistics/student.ts';

export interface Ratio {
  readonly value: number;
  /** Standard error. */
  readonly spread: number;
  readonly blocks: number;
  /** Independent pieces of time that the series is worth. */
  readonly pieces: number;
}

/** Half widths of the 95 % interval of a difference, alone and widened for the number of comparisons (Bonferroni). */
export function intervalOf(one: Ratio, other: Ratio, comparisons: number): { half: number; strict: number } {
  const spread = Math.hypot(one.spread, other.spread);
  const df = Math.max(2, Math.min(one.blocks, other.blocks) - 1);
  return { half: studentQuantile(0.975, df) * spread, strict: studentQuantile(1 - 0.025 / comparisons, df) * spread };
}

/** Total over n, a share or a mean, and its standard error from the sums of blocks of time (ratio estimator). */
export function ratio(bins: readonly { readonly n: number; readonly total: number }[]): Ratio {
  const n = Math.max(
    1,
    bins.reduce((sum, bin) => sum + bin.n, 0),
  );
  const value = bins.reduce((sum, bin) => sum + bin.total, 0) / n;
  const excess = Float64Array.from(bins, (bin) => bin.total - value * bin.n);
  const length = blockLength(excess);
  const blocks = Math.max(2, Math.floor(excess.length / length));
  let sum = 0;
  for (let k = 0; k < blocks; k++) {
    let block = 0;
    for (let i = k * length; i < (k + 1) * length && i < excess.length; i++) block += excess[i] ?? 0;
    sum += block ** 2;
  }
  return { value, spread: Math.sqrt((sum * blocks) / (blocks - 1)) / n, blocks, pieces: piecesOf(excess) };
}
