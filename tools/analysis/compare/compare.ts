/** Compares two sides: quantiles per endpoint, failures beside them; what is not shown is `~`. */
import { hashSeed, sessionRandom } from '../../../lib/random.ts';
import { redactAll } from '../redact.ts';
import { blockLength } from '../statistics/blocks.ts';
import { quantileDifferences } from '../statistics/difference.ts';
import { carries } from '../statistics/quantile.ts';
import { normalQuantile, studentQuantile } from '../statistics/student.ts';
import type { Side } from './side.ts';

export const COMPARISON_SCHEMA_VERSION = 1;

export interface CompareOptions {
  /** A difference below either of these is not worth a word, however certain. */
  readonly minimumMs: number;
  /** Share of A's value, 0 to 1. */
  readonly minimumShare: number;
  readonly quantiles: readonly number[];
  readonly repetitions: number;
  readonly seed: string;
}

export const DEFAULT_COMPARE: CompareOptions = {
  minimumMs: 1,
  minimumShare: 0.05,
  quantiles: [0.5, 0.95, 0.99],
  repetitions: 2000,
  seed: 'compare',
};

export type Mark = '~' | 'slower' | 'faster' | 'more failures' | 'fewer failures';

export interface QuantileRow {
  readonly endpoint: string;
  readonly p: number;
  readonly nA: number;
  readonly nB: number;
  readonly a: number;
  readonly b: number;
  readonly difference: number;
  /** 95 % interval of the difference, ms. */
  readonly low: number;
  readonly high: number;
  /** Interval by which the mark was set: widened for the number of rows. */
  readonly decision: readonly [number, number];
  readonly relative: number;
  readonly mark: Mark;
  /** Smallest difference that a comparison of this length would have shown, ms; and the test length for 10 % of A. */
  readonly detectableMs: number;
  readonly secondsFor10Percent: number;
  /** Block lengths, in bins. */
  readonly blocks: readonly [number, number];
}

export interface FailureRow {
  readonly a: number;
  readonly b: number;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly mark: Mark;
}

export interface Comparison {
  readonly schemaVersion: typeof COMPARISON_SCHEMA_VERSION;
  readonly rows: readonly QuantileRow[];
  readonly failures: FailureRow;
  readonly hitRatio?: readonly [number, number];
  /** Populations or quantiles that were left out, and why. */
  readonly leftOut: readonly string[];
  readonly minimum: { readonly ms: number; readonly share: number };
}

/** A rise of the failure share by less than this (points) is not worth a word. */
const FAILURE_POINTS = 0.005;

export function compareSides(a: Side, b: Side, options: CompareOptions = DEFAULT_COMPARE): Comparison {
  const leftOut: string[] = [];
  const jobs: { endpoint: string; p: number }[] = [];
  for (const endpoint of [...new Set([...a.populations.keys(), ...b.populations.keys()])].sort()) {
    const [nA, nB] = [a.populations.get(endpoint)?.n ?? 0, b.populations.get(endpoint)?.n ?? 0];
    for (const p of options.quantiles) {
      if (carries(nA, p) && carries(nB, p)) jobs.push({ endpoint, p });
      else leftOut.push(`${endpoint} p${round(p * 100)}: ${nA} and ${nB} samples do not carry it`);
    }
  }
  const seed = hashSeed(options.seed);
  const rows = jobs.map(({ endpoint, p }, index) =>
    row(a, b, endpoint, p, jobs.length + 1, sessionRandom(seed, index), options),
  );
  const found: Comparison = {
    schemaVersion: COMPARISON_SCHEMA_VERSION,
    rows: rows.filter((one) => one !== undefined),
    failures: failureRow(a, b, jobs.length + 1),
    ...(a.hitRatio === undefined || b.hitRatio === undefined ? {} : { hitRatio: [a.hitRatio, b.hitRatio] as const }),
    leftOut,
    minimum: { ms: options.minimumMs, share: options.minimumShare },
  };
  return redactAll(found, [...a.populations.keys(), ...b.populations.keys()]);
}

function row(
  a: Side,
  b: Side,
  endpoint: string,
  p: number,
  comparisons: number,
  random: () => number,
  options: CompareOptions,
): QuantileRow | undefined {
  const [one, other] = [a.populations.get(endpoint), b.populations.get(endpoint)];
  if (one === undefined || other === undefined) return undefined;
  const [found] = quantileDifferences(one.samples, other.samples, [p], random, {
    comparisons,
    repetitions: options.repetitions,
  });
  if (found === undefined) return undefined;
  const { difference } = found;
  const relative = found.a === 0 ? 0 : difference / found.a;
  const large = Math.abs(difference) >= options.minimumMs && Math.abs(relative) >= options.minimumShare;
  const shown = found.decisionLow > 0 || found.decisionHigh < 0;
  const half = (found.decisionHigh - found.decisionLow) / 2;
  // To be found in 80 % of tests a difference must exceed the half width by 0.84 standard deviations.
  const detectable = half * (1 + normalQuantile(0.8) / normalQuantile(0.975));
  const wanted = Math.max(0.1 * found.a, 1e-9);
  return {
    endpoint,
    p,
    nA: one.n,
    nB: other.n,
    a: found.a,
    b: found.b,
    difference,
    low: found.low,
    high: found.high,
    decision: [found.decisionLow, found.decisionHigh],
    relative,
    mark: large && shown ? (difference > 0 ? 'slower' : 'faster') : '~',
    detectableMs: detectable,
    secondsFor10Percent: Math.ceil(Math.min(a.seconds, b.seconds) * (detectable / wanted) ** 2),
    blocks: found.blocks,
  };
}

function failureRow(a: Side, b: Side, comparisons: number): FailureRow {
  const [one, other] = [shareWithSpread(a), shareWithSpread(b)];
  const difference = other.share - one.share;
  const spread = Math.hypot(one.spread, other.spread);
  const df = Math.max(2, Math.min(one.blocks, other.blocks) - 1);
  const half = studentQuantile(0.975, df) * spread;
  const strict = studentQuantile(1 - 0.025 / comparisons, df) * spread;
  const shown = Math.abs(difference) >= FAILURE_POINTS && Math.abs(difference) > strict;
  return {
    a: one.share,
    b: other.share,
    difference,
    low: difference - half,
    high: difference + half,
    mark: shown ? (difference > 0 ? 'more failures' : 'fewer failures') : '~',
  };
}

/** Failure share and its standard error from the sums of blocks of time (ratio estimator). */
function shareWithSpread(side: Side): { share: number; spread: number; blocks: number } {
  const requests = side.failures.reduce((sum, bin) => sum + bin.requests, 0);
  const failed = side.failures.reduce((sum, bin) => sum + bin.failed, 0);
  const share = failed / Math.max(1, requests);
  const excess = Float64Array.from(side.failures, (bin) => bin.failed - share * bin.requests);
  const length = blockLength(excess);
  const blocks = Math.max(2, Math.floor(excess.length / length));
  let sum = 0;
  for (let k = 0; k < blocks; k++) {
    let block = 0;
    for (let i = k * length; i < (k + 1) * length && i < excess.length; i++) block += excess[i] ?? 0;
    sum += block ** 2;
  }
  return { share, spread: Math.sqrt((sum * blocks) / (blocks - 1)) / Math.max(1, requests), blocks };
}

/** Whether anything got worse. */
export function isRegression(comparison: Comparison): boolean {
  return comparison.failures.mark === 'more failures' || comparison.rows.some((one) => one.mark === 'slower');
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
