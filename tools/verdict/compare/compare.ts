/** Compares two sides: quantiles per endpoint, failures beside them; what is not shown is `~`. */
import { smallest } from '../../../lib/model/extremes.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { redactAll } from '../redact.ts';
import { blockLength } from '../statistics/blocks.ts';
import { type Difference, quantileDifferences } from '../statistics/difference.ts';
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

/** Times in ms. */
export interface QuantileRow extends Pick<Difference, 'p' | 'a' | 'b' | 'difference' | 'low' | 'high' | 'blocks'> {
  readonly endpoint: string;
  readonly nA: number;
  readonly nB: number;
  /** Interval by which the mark was set: widened for the number of rows. */
  readonly decision: readonly [number, number];
  readonly relative: number;
  readonly mark: Mark;
  /** Smallest difference that a comparison of this length would have shown, ms; and the test length for 10 % of A. */
  readonly detectableMs: number;
  readonly secondsFor10Percent: number;
  /** Independent pieces of time that the shorter side is worth; below FEWEST_PIECES nothing is decided. */
  readonly pieces: number;
}

/** Shares of the requests. */
export interface FailureRow extends Pick<Difference, 'a' | 'b' | 'difference' | 'low' | 'high'> {
  readonly mark: Mark;
}

export interface Comparison {
  readonly schemaVersion: typeof COMPARISON_SCHEMA_VERSION;
  readonly rows: readonly QuantileRow[];
  readonly failures: FailureRow;
  readonly hitRatio?: readonly [number, number];
  /** Populations or quantiles that were left out, and why. */
  readonly leftOut: readonly string[];
  /** Endpoints whose tests are too short for how long their latencies stay alike: nothing is decided there. */
  readonly tooShort: readonly string[];
  readonly minimum: { readonly ms: number; readonly share: number };
}

/**
 * Pieces of time (length over autocorrelation time) that a decision needs. Simulated (docs/verdict.md): with 30 and more the
 * intervals hold without it, with 6 to 15 they held in 76 to 91 %, and up to every sixth A/A comparison was a false alarm.
 */
export const FEWEST_PIECES = 25;

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
  const found = rows.filter((one) => one !== undefined);
  const comparison: Comparison = {
    schemaVersion: COMPARISON_SCHEMA_VERSION,
    rows: found,
    failures: failureRow(a, b, jobs.length + 1),
    ...(a.hitRatio === undefined || b.hitRatio === undefined ? {} : { hitRatio: [a.hitRatio, b.hitRatio] as const }),
    leftOut,
    tooShort: tooShort(found, Math.min(a.seconds, b.seconds)),
    minimum: { ms: options.minimumMs, share: options.minimumShare },
  };
  return redactAll(comparison, [...a.populations.keys(), ...b.populations.keys()]);
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
  const shown = (found.decisionLow > 0 || found.decisionHigh < 0) && found.pieces >= FEWEST_PIECES;
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
    secondsFor10Percent: Math.ceil(
      Math.min(a.seconds, b.seconds) * Math.max((detectable / wanted) ** 2, FEWEST_PIECES / found.pieces),
    ),
    blocks: found.blocks,
    pieces: found.pieces,
  };
}

function tooShort(rows: readonly QuantileRow[], seconds: number): string[] {
  return [...new Set(rows.map(({ endpoint }) => endpoint))].flatMap((endpoint) => {
    const own = rows.filter((row) => row.endpoint === endpoint && row.pieces < FEWEST_PIECES);
    if (own.length === 0) return [];
    const pieces = smallest(own.map((row) => row.pieces));
    const which = own.map((row) => `p${round(row.p * 100)}`).join(', ');
    const needed = Math.ceil((seconds * FEWEST_PIECES) / pieces);
    return [
      `${endpoint} ${which}: its latencies stay alike for some ${Number((seconds / pieces).toPrecision(2))} s, so ${seconds.toFixed(0)} s are worth only ${Math.floor(pieces)} independent pieces of time, and ${FEWEST_PIECES} are needed; tests of about ${Number(needed.toPrecision(2))} s a side would do`,
    ];
  });
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

/** Whether anything could be decided: some row that its test is long enough for. */
export function isDecided(comparison: Comparison): boolean {
  return comparison.rows.some((one) => one.pieces >= FEWEST_PIECES);
}

/** Whether anything got worse. */
export function isRegression(comparison: Comparison): boolean {
  return comparison.failures.mark === 'more failures' || comparison.rows.some((one) => one.mark === 'slower');
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
