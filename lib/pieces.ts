// Touches k6: the pieces of this library for a k6 script that is no suite, each by itself.
import type { Response } from 'k6/http';
import { arrivalSteps, poissonCounts, stepStages } from './model/arrivals.ts';
import { METRICS, STATUS_CLASSES, type StatusClass } from './model/names.ts';
import { hashSeed, sessionRandom } from './model/random.ts';
import { GUARD, type Thresholds } from './plan/objectives.ts';
import { addNoResponse, durationOf } from './session/metrics.ts';
import type { SummaryData } from './summary/data.ts';
import type { Population } from './summary/populations.ts';
import { latencyTable } from './summary/text.ts';

export { popularitySampler } from './model/popularity.ts';
export { hashSeed, type Random, sessionRandom } from './model/random.ts';
export { meanOpenSessions, preallocatedVus } from './model/sizing.ts';
export { thinkTimeMean, thinkTimeSampler } from './model/think-times.ts';

export interface PoissonArrivals {
  /** k6's form: a ramping arrival rate in short steps. */
  readonly scenario: Readonly<Record<string, unknown>>;
  /** Each session must first wait a random time of up to so many seconds. */
  readonly shiftSeconds: number;
}

/**
 * Random arrivals for one k6 scenario: `rate * seconds` sessions in all, random at every time scale (see arrivals.ts).
 * @param rate sessions per second @param seed the same text gives the same arrivals @param vus that are made before the run
 */
export const poissonArrivals = (load: {
  readonly rate: number;
  readonly seconds: number;
  readonly seed: string;
  readonly vus: number;
}): PoissonArrivals => {
  const { rate, seconds, seed, vus } = load;
  const { steps, stepSeconds, shiftSeconds } = arrivalSteps(rate, seconds, seconds);
  // Only VU 0 is asked for options; the stages are many, and the others need not hold them.
  if (__VU !== 0) return { scenario: {}, shiftSeconds };
  const counts = poissonCounts(Math.round(rate * seconds), steps, sessionRandom(hashSeed(`${seed}/arrivals`), 0));
  const scenario = {
    executor: 'ramping-arrival-rate',
    ...stepStages(counts, stepSeconds),
    preAllocatedVUs: vus,
    maxVUs: 2 * vus,
  };
  return { scenario, shiftSeconds };
};

/** Puts the latency of an answer into the Trend of its status class, `duration_2xx` to `duration_5xx`; no answer is counted. */
export const addLatency = (
  { status, timings }: Pick<Response, 'status' | 'timings'>,
  tags: Readonly<Record<string, string>>,
): void => {
  if (status === 0) addNoResponse(1, tags as Record<string, string>);
  else durationOf(status)?.(timings.duration, { ...tags, status: `${status}` });
};

/** Thresholds that cannot be kept by a population without samples: k6 alone would call them green. */
export const guarded = (thresholds: Readonly<Record<string, readonly string[]>>): Thresholds => {
  const result: Thresholds = {};
  const add = (key: string, expressions: readonly string[]) => {
    result[key] = [...(result[key] ?? []), ...expressions.map((threshold) => ({ threshold }))];
  };
  for (const [key, expressions] of Object.entries(thresholds)) {
    const isTrend = expressions.some((text) => /^\s*(avg|min|med|max|p\()/.test(text));
    add(key, isTrend ? [...expressions, GUARD.trend] : expressions);
    const tags = key.indexOf('{');
    if (!isTrend) add(`http_reqs${tags < 0 ? '' : key.slice(tags)}`, [GUARD.counter]);
  }
  return result;
};

/** Latency by status class as text, each percentile beside its n: of the Trends that `addLatency` fills, as far as thresholds name them. */
export const latencySummary = (data: SummaryData): string => {
  const rows = Object.entries(data.metrics).flatMap(([key, { values }]): Population[] => {
    const [, statusClass, tags = 'all requests'] = /^duration_([2-5]xx)(?:\{(.*)\})?$/.exec(key) ?? [];
    const n = values['count'] ?? 0;
    if (statusClass === undefined || n === 0) return [];
    return [{ endpoint: tags, statusClass: statusClass as StatusClass, phase: 'measure', n, values }];
  });
  const silent = data.metrics[METRICS.noResponse]?.values['count'] ?? 0;
  const order = (row: Population) => STATUS_CLASSES.indexOf(row.statusClass);
  rows.sort((a, b) => (a.endpoint === b.endpoint ? order(a) - order(b) : a.endpoint < b.endpoint ? -1 : 1));
  const lines = latencyTable('LATENCY, ms, by status class', rows);
  return `${['', ...lines, ...(silent > 0 ? ['', `${silent} requests got no answer; they are in no percentile`] : [])].join('\n')}\n`;
};
