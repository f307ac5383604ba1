/** Compares two sides: quantiles per endpoint, failures beside them; what is not shown is `~`. */
import { smallest } from '../../../lib/model/extremes.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { optional } from '../../base/optional.ts';
import { redactAll } from '../redact.ts';
import { type Difference, quantileDifferences } from '../statistics/difference.ts';
import { carries } from '../statistics/quantile.ts';
import { normalQuantile } from '../statistics/student.ts';
import { cacheUnknown, type HitRow, hitRows } from './cache.ts';
import { intervalOf, ratio } from './ratio.ts';
import type { Side, SidePopulation } from './side.ts';

/** 2: hit ratios apart for first touches and repeats. */
export const COMPARISON_SCHEMA_VERSION = 2;

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

/** Means of an endpoint's times, ms, with the interval of their difference. */
export interface MeanRow
  extends Pick<
    QuantileRow,
    'endpoint' | 'nA' | 'nB' | 'a' | 'b' | 'difference' | 'low' | 'high' | 'relative' | 'mark' | 'pieces'
  > {}

/** Shares of the requests. */
export interface FailureRow extends Pick<Difference, 'a' | 'b' | 'difference' | 'low' | 'high'> {
  readonly mark: Mark;
}

export interface Comparison {
  readonly schemaVersion: typeof COMPARISON_SCHEMA_VERSION;
  readonly rows: readonly QuantileRow[];
  readonly means: readonly MeanRow[];
  readonly failures: FailureRow;
  /** Shares of answers that came from a cache, where a tag tells: of all, of first touches of an item, of repeats. */
  readonly hits: readonly HitRow[];
  /** What cannot be told of a declared state of the cache. */
  readonly cacheUnknown?: string;
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
  const [inA, inB] = [withTouches(a), withTouches(b)];
  for (const endpoint of [...new Set([...inA.keys(), ...inB.keys()])].sort()) {
    const [nA, nB] = [inA.get(endpoint)?.n ?? 0, inB.get(endpoint)?.n ?? 0];
    const carried = (p: number) => carries(nA, p) && carries(nB, p);
    // Where the sample is too small for the quantiles wanted, the highest that it carries stands for the slow end.
    const highest = HIGHEST.find(carried);
    const extra = highest === undefined || options.quantiles.includes(highest) ? [] : [highest];
    for (const p of [...options.quantiles, ...extra].sort()) {
      if (carried(p)) jobs.push({ endpoint, p });
      else leftOut.push(`${endpoint} p${round(p * 100)}: ${nA} and ${nB} samples do not carry it`);
    }
  }
  const endpoints = [...inA.keys()].filter((name) => inB.has(name)).sort();
  const comparisons = jobs.length + endpoints.length + 1;
  const seed = hashSeed(options.seed);
  const rows = jobs.map(({ endpoint, p }, index) =>
    row(a, b, endpoint, p, comparisons, sessionRandom(seed, index), options),
  );
  const found = rows.filter((one) => one !== undefined);
  const comparison: Comparison = {
    schemaVersion: COMPARISON_SCHEMA_VERSION,
    rows: found,
    means: endpoints.flatMap((endpoint) => meanRow(a, b, endpoint, comparisons, options) ?? []),
    failures: failureRow(a, b, comparisons),
    hits: hitRows(a, b),
    ...optional('cacheUnknown', cacheUnknown(a, b)),
    leftOut,
    tooShort: tooShort(found, Math.min(a.seconds, b.seconds)),
    minimum: { ms: options.minimumMs, share: options.minimumShare },
  };
  return redactAll(comparison, [...a.populations.keys(), ...b.populations.keys()]);
}

/** Populations by endpoint, and those of first touches and repeats beside them. */
const withTouches = ({ populations, touches }: Side): ReadonlyMap<string, SidePopulation> =>
  new Map([...populations, ...[...touches].filter(([touch]) => touch !== 'all')]);

function row(
  a: Side,
  b: Side,
  endpoint: string,
  p: number,
  comparisons: number,
  random: () => number,
  options: CompareOptions,
): QuantileRow | undefined {
  const [one, other] = [withTouches(a).get(endpoint), withTouches(b).get(endpoint)];
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

/** Quantiles of which the highest carried one is always compared. */
const HIGHEST = [0.99, 0.95, 0.9, 0.75] as const;

/** Fewer answers have no mean worth an interval. */
const FEWEST_FOR_MEAN = 30;

function meanRow(
  a: Side,
  b: Side,
  endpoint: string,
  comparisons: number,
  options: CompareOptions,
): MeanRow | undefined {
  const [one, other] = [withTouches(a).get(endpoint), withTouches(b).get(endpoint)];
  if (one === undefined || other === undefined || Math.min(one.n, other.n) < FEWEST_FOR_MEAN) return undefined;
  const sums = ({ samples }: SidePopulation) =>
    samples.bins.map((bin) => ({ n: bin.length, total: bin.reduce((sum, value) => sum + value, 0) }));
  const [meanA, meanB] = [ratio(sums(one)), ratio(sums(other))];
  const difference = meanB.value - meanA.value;
  const interval = intervalOf(meanA, meanB, comparisons);
  const relative = meanA.value === 0 ? 0 : difference / meanA.value;
  const pieces = Math.min(meanA.pieces, meanB.pieces);
  const large = Math.abs(difference) >= options.minimumMs && Math.abs(relative) >= options.minimumShare;
  const shown = Math.abs(difference) > interval.strict && pieces >= FEWEST_PIECES;
  return {
    endpoint,
    nA: one.n,
    nB: other.n,
    a: meanA.value,
    b: meanB.value,
    difference,
    low: difference - interval.half,
    high: difference + interval.half,
    relative,
    mark: large && shown ? (difference > 0 ? 'slower' : 'faster') : '~',
    pieces,
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
  const sums = (side: Side) => side.failures.map(({ requests, failed }) => ({ n: requests, total: failed }));
  const [one, other] = [ratio(sums(a)), ratio(sums(b))];
  const difference = other.value - one.value;
  const { half, strict } = intervalOf(one, other, comparisons);
  const shown = Math.abs(difference) >= FAILURE_POINTS && Math.abs(difference) > strict;
  return {
    a: one.value,
    b: other.value,
    difference,
    low: difference - half,
    high: difference + half,
    mark: shown ? (difference > 0 ? 'more failures' : 'fewer failures') : '~',
  };
}

/** Whether anything could be decided: some row that its test is long enough for. */
export function isDecided(comparison: Comparison): boolean {
  return [...comparison.rows, ...comparison.means].some((one) => one.pieces >= FEWEST_PIECES);
}

/** Whether anything got worse. */
export function isRegression(comparison: Comparison): boolean {
  return (
    comparison.failures.mark === 'more failures' ||
    [...comparison.rows, ...comparison.means].some((one) => one.mark === 'slower')
  );
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
