/** The experiment's findings: cold, warm and their ratio side by side, never one number for both. */

import pc from 'picocolors';
import { largest } from '../../../lib/model/extremes.ts';
import { percent } from '../../../lib/model/figures.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { terminalTable } from '../../base/terminal-table.ts';
import type { BinnedSamples } from '../../verdict/statistics/blocks.ts';
import { quantileDifferences } from '../../verdict/statistics/difference.ts';
import { flatFrom } from './flat.ts';
import { type CacheFacts, type CachePopulation, type CurvePoint, populationKey, type Touch } from './populations.ts';

export const COLD_WARM_SCHEMA_VERSION = 1;

export interface ColdWarmRow {
  readonly touch: Touch;
  readonly band: string;
  readonly cold: CachePopulation;
  readonly warm: CachePopulation;
  /** Cold over warm; absent where one of the two does not carry the quantile. */
  readonly ratio: { readonly p50?: number; readonly p95?: number };
  /** 95 % intervals of the ratios. */
  readonly ratioInterval: { readonly p50?: Interval; readonly p95?: Interval };
}

type Interval = readonly [low: number, high: number];

/** Resamplings of each side. */
const REPETITIONS = 1000;

export interface ColdWarm {
  readonly schemaVersion: typeof COLD_WARM_SCHEMA_VERSION;
  readonly rows: readonly ColdWarmRow[];
  /** The cold run over time. */
  readonly curve: readonly CurvePoint[];
  /** Seconds after the first request from which it is flat; null: it still moved when the run ended. */
  readonly flat: { readonly hitRatioSecond: number | null; readonly medianSecond: number | null };
}

/** Populations that both runs have, with their ratios. Pure. */
export function coldWarm(cold: CacheFacts, warm: CacheFacts): ColdWarm {
  const rows = cold.populations.flatMap((one): ColdWarmRow[] => {
    const other = warm.populations.find(({ touch, band }) => touch === one.touch && band === one.band);
    if (other === undefined) return [];
    const ratio = (a: number | undefined, b: number | undefined) =>
      a === undefined || b === undefined || b === 0 ? undefined : a / b;
    const [p50, p95] = [ratio(one.p50, other.p50), ratio(one.p95, other.p95)];
    return [
      {
        touch: one.touch,
        band: one.band,
        cold: one,
        warm: other,
        ratio: { ...(p50 !== undefined && { p50 }), ...(p95 !== undefined && { p95 }) },
        ratioInterval: {
          ...(p50 !== undefined && { p50: ratioInterval(cold, warm, one, 0.5) }),
          ...(p95 !== undefined && { p95: ratioInterval(cold, warm, one, 0.95) }),
        },
      },
    ];
  });
  const seen = cold.curve.filter((point) => point.n > 0);
  const second = (values: readonly number[]): number | null => {
    const step = flatFrom(values);
    return step === undefined ? null : (seen[step]?.second ?? null);
  };
  return {
    schemaVersion: COLD_WARM_SCHEMA_VERSION,
    rows,
    curve: cold.curve,
    flat: {
      hitRatioSecond: second(seen.map((point) => point.hits / point.n)),
      medianSecond: second(seen.map((point) => point.p50 ?? 0)),
    },
  };
}

/**
 * Interval of cold over warm. The logarithm turns the ratio into a difference and leaves quantiles where they are, so it is
 * the interval that `compare` would give (blocks of time resampled), taken back from logarithms.
 */
function ratioInterval(cold: CacheFacts, warm: CacheFacts, population: CachePopulation, p: number): Interval {
  const key = populationKey(population);
  const logs = (facts: CacheFacts): BinnedSamples => ({
    bins: (facts.samples.get(key)?.bins ?? []).map((bin) => bin.map((value) => Math.log(Math.max(value, 1e-6)))),
  });
  const random = sessionRandom(hashSeed('cold-warm'), 0);
  const [found] = quantileDifferences(logs(warm), logs(cold), [p], random, { repetitions: REPETITIONS });
  return [Math.exp(found?.low ?? Number.NEGATIVE_INFINITY), Math.exp(found?.high ?? Number.POSITIVE_INFINITY)];
}

/** As text for a terminal. */
export function printColdWarm({ rows, curve, flat }: ColdWarm): string {
  const ms = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(value < 10 ? 2 : 1));
  const times = (value: number | undefined, interval: Interval | undefined) =>
    value === undefined || interval === undefined
      ? '-'
      : `${value.toFixed(2)} (${interval.map((side) => side.toFixed(2)).join(' to ')})`;
  const side = (name: string) => [`${name} n`, 'hits', 'p50', 'p95', 'max'];
  const head = ['requests', 'books', ...side('cold'), ...side('warm'), 'ratio p50 (95 % interval)', 'p95'];
  const body = rows.map(({ touch, band, cold, warm, ratio, ratioInterval }) => [
    touch === 'first' ? 'first touch' : touch,
    band,
    ...[cold, warm].flatMap((one) => [String(one.n), percent(one.hitRatio), ms(one.p50), ms(one.p95), ms(one.maxMs)]),
    times(ratio.p50, ratioInterval.p50),
    times(ratio.p95, ratioInterval.p95),
  ]);
  return [
    pc.bold('Cold, warm, and cold over warm (ms)'),
    ...terminalTable([head, ...body]),
    pc.dim('  - fewer than ten samples lie beyond it'),
    '',
    pc.bold('Warm-up of the cold run'),
    `  hit ratio  ${sparks(curve.map((point) => (point.n === 0 ? null : point.hits / point.n)))}  ${flatWords(flat.hitRatioSecond)}`,
    `  median     ${sparks(curve.map((point) => point.p50))}  ${flatWords(flat.medianSecond)}`,
    '',
  ].join('\n');
}

function flatWords(second: number | null): string {
  return second === null ? 'still moving at the end of the run' : `flat from ${second.toFixed(1)} s on`;
}

const BARS = '▁▂▃▄▅▆▇█';

/** A character a value, from 0 to the highest. */
function sparks(values: readonly (number | null)[]): string {
  const highest = largest(
    values.map((value) => value ?? 0),
    1e-9,
  );
  return values
    .map((value) => (value === null ? ' ' : (BARS[Math.min(7, Math.floor((value / highest) * 8))] ?? ' ')))
    .join('');
}
