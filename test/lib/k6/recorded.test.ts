/**
 * Our reading of k6's grammars against k6's own answers (v2.2): all as recorded, and where k6 is installed those that few
 * processes can tell. `npm run grammars:record` records again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { durationMs } from '../../../lib/k6/duration.ts';
import { parseMetricKey } from '../../../lib/k6/metric-key.ts';
import { fractionText, parseSegment, parseSequence } from '../../../lib/k6/segment.ts';
import { AGGREGATES, holds, parseThreshold, type ThresholdExpression } from '../../../lib/k6/threshold.ts';
import { K6 } from '../../support/k6.ts';
import type { Type } from './recorded/ask-k6.ts';
import { DURATIONS } from './recorded/cases/durations.ts';
import { METRIC_KEYS, SAMPLE_TAGS } from './recorded/cases/metric-keys.ts';
import { SEGMENTS, SEQUENCES } from './recorded/cases/segments.ts';
import { THRESHOLDS } from './recorded/cases/thresholds.ts';
import { durationsOf, type Kept, keptBy, type Recording, record, sumOf } from './recorded/record.ts';

const FILE = join(import.meta.dirname, 'recorded', 'k6-v2.2.json');
const recording = process.env['GRAMMARS_RECORD'] === '1';

const NOTHING: Recording = { durations: [], thresholds: [], metricKeys: [], segments: [], sequences: [] };
const recorded = recording ? NOTHING : (JSON.parse(readFileSync(FILE, 'utf8')) as Recording);

/** A line an answer, as the formatter of this repository has it. */
function written(answers: Recording): string {
  const spaced = (value: unknown) =>
    JSON.stringify(value)
      .replace(/([{:,])(?=\S)/g, '$1 ')
      .replace(/(?<=\S)\}/g, ' }');
  const shown = (value: unknown) =>
    value !== null && typeof value === 'object' ? spaced(value) : JSON.stringify(value);
  const parts = Object.entries(answers).map(([name, list]) => {
    const lines = (list as [unknown, unknown][]).map(([text, answer]) => `    [${shown(text)}, ${shown(answer)}]`);
    return `  "${name}": [\n${lines.join(',\n')}\n  ]`;
  });
  return `{\n${parts.join(',\n')}\n}\n`;
}

describe.runIf(recording)('recording from k6', () => {
  it('asks k6 for every text', async () => {
    if (K6 === undefined) throw new Error('recording needs k6: put it on PATH or name it in K6_BIN');
    const answers = await record();
    writeFileSync(FILE, written(answers));
    expect(answers.durations).toHaveLength(DURATIONS.length);
  }, 600_000);
});

/** As Go prints a duration. */
function goText(ms: number): string {
  const sign = ms < 0 ? '-' : '';
  let ns = Math.round(Math.abs(ms) * 1e6);
  if (ns === 0) return '0s';
  if (ns < 1e3) return `${sign}${ns}ns`;
  if (ns < 1e6) return `${sign}${ns / 1e3}µs`;
  if (ns < 1e9) return `${sign}${ns / 1e6}ms`;
  const hours = Math.floor(ns / 3600e9);
  ns -= hours * 3600e9;
  const minutes = Math.floor(ns / 60e9);
  ns -= minutes * 60e9;
  return `${sign}${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${ns / 1e9}s`;
}

const duration = (value: string | number | boolean): string | null => {
  const ms = typeof value === 'boolean' ? undefined : durationMs(value);
  return ms === undefined ? null : goText(ms);
};

/**
 * Aggregates of the script's samples: 1 to 10 (quantile q between the sorted values at index 9 q); 1 and 3; 7; one in four.
 * The rate of the counter is per second of a run of some milliseconds: more than 4, and no limit here is near it.
 */
const VALUES: Readonly<Record<Type, (expression: ThresholdExpression) => number | undefined>> = {
  trend: ({ aggregate, percentile = 50 }) =>
    ({ avg: 5.5, min: 1, max: 10, med: 5.5, p: 1 + (9 * percentile) / 100 })[aggregate as string],
  counter: ({ aggregate }) => ({ count: 4, rate: 1000 })[aggregate as string],
  gauge: () => 7,
  rate: () => 0.25,
};

function kept(text: string): Kept | null {
  const parsed = parseThreshold(text);
  if ('fault' in parsed) return null;
  const types = (Object.keys(VALUES) as Type[]).filter((type) => AGGREGATES[type].includes(parsed.aggregate));
  return Object.fromEntries(
    types.map((type) => [type, holds(VALUES[type](parsed) ?? Number.NaN, parsed.operator, parsed.limit)]),
  );
}

function sum(key: string): number | null {
  const parsed = parseMetricKey(key);
  if ('fault' in parsed || parsed.metric !== 'hits') return null;
  const wanted = Object.entries(parsed.tags);
  return SAMPLE_TAGS.reduce(
    (total, tags, i) => total + (wanted.every(([name, value]) => tags[name] === value) ? 2 ** i : 0),
    0,
  );
}

function segment(text: string): string | null {
  const parsed = parseSegment(text);
  return parsed === undefined ? null : `${fractionText(parsed.from)}:${fractionText(parsed.to)}`;
}

const sequence = (text: string): string | null => parseSequence(text)?.map(fractionText).join(',') ?? null;

describe.skipIf(recording)('our grammars agree with recorded k6 v2.2', () => {
  it('has an answer to every text, and many of both kinds', () => {
    const texts = [DURATIONS, THRESHOLDS, METRIC_KEYS, SEGMENTS, SEQUENCES];
    expect(Object.values(recorded).map((answers) => answers.map(([text]: [unknown]) => text))).toEqual(texts);
    for (const answers of [recorded.durations, recorded.thresholds]) {
      expect(answers.filter(([, answer]) => answer !== null).length).toBeGreaterThan(30);
      expect(answers.filter(([, answer]) => answer === null).length).toBeGreaterThan(30);
    }
  });

  it.each(recorded.durations)('duration %j is %j', (text, answer) => expect(duration(text)).toBe(answer));
  it.each(recorded.thresholds)('threshold %j: %j', (text, answer) => expect(kept(text)).toEqual(answer));
  it.each(recorded.metricKeys)('key %j: %j', (text, answer) => expect(sum(text)).toBe(answer));
  it.each(recorded.segments)('segment %j is %j', (text, answer) => expect(segment(text)).toBe(answer));
  it.each(recorded.sequences)('sequence %j is %j', (text, answer) => expect(sequence(text)).toBe(answer));
});

describe.skipIf(recording || K6 === undefined)('k6 on this machine agrees with the recording', () => {
  const refused = <Text>(answers: readonly (readonly [Text, unknown])[], every: number): Text[] =>
    answers.filter(([, answer]) => answer === null).flatMap(([text], i) => (i % every === 0 ? [text] : []));

  it('in the durations: all that it takes, some that it does not', async () => {
    const taken = recorded.durations.filter(([, answer]) => answer !== null);
    expect(await durationsOf(taken.map(([text]) => text))).toEqual(taken.map(([, answer]) => answer));
    for (const text of refused(recorded.durations, 8)) expect(await durationsOf([text]), String(text)).toBeUndefined();
  });

  it('in the thresholds: all that it takes, some that it does not', async () => {
    const types = Object.keys(VALUES) as Type[];
    const of = (type: Type) => recorded.thresholds.filter(([, answer]) => answer?.[type] !== undefined);
    const live = await keptBy(Object.fromEntries(types.map((type) => [type, of(type).map(([text]) => text)])));
    for (const type of types) {
      expect(live?.[type], type).toEqual(Object.fromEntries(of(type).map(([text, answer]) => [text, answer?.[type]])));
    }
    for (const text of refused(recorded.thresholds, 8)) expect(await keptBy({ trend: [text] }), text).toBeUndefined();
  });

  it('in some metric keys', async () => {
    for (const [text, answer] of recorded.metricKeys.filter((_, i) => i % 6 === 0)) {
      expect(await sumOf(text), text).toBe(answer);
    }
  });
});
