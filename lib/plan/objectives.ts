/**
 * Objectives as people write them (thresholds/*.json) and their compilation to k6 thresholds. Every objective gets a guard,
 * because k6 passes a threshold that saw no sample; keys have one tag order, because k6 takes two spellings of one tag set
 * for one sub-metric and keeps only one of the two lists.
 */

import { metricKey } from '../k6/metric-key.ts';
import { DURATION_METRICS, METRICS, STATUS_CLASSES } from '../model/names.ts';

export const OBJECTIVES_SCHEMA_VERSION = 1;

/** `p(95)<300` with k6's aggregates of the metric's type, or the same with the power to end the run. */
export type Objective =
  | string
  | { readonly threshold: string; readonly abortOnFail: boolean; readonly delayAbortEval?: string };

/** What an endpoint's objectives may speak of: latency of a status class, or of all answers; shares of requests. */
export const SUBJECTS = [...STATUS_CLASSES, 'all', 'failed', 'checks'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** Limits on the run itself and what kind of metric each one is. */
export const VALIDITY = {
  dropped_iterations: 'counter',
  [METRICS.rateLimited]: 'counter',
  [METRICS.dataExhausted]: 'counter',
  [METRICS.noResponse]: 'counter',
  [METRICS.flowErrors]: 'rate',
} as const;

export interface Objectives {
  readonly schemaVersion: typeof OBJECTIVES_SCHEMA_VERSION;
  /** What the file is for, one sentence. */
  readonly purpose: string;
  /**
   * Per endpoint name. `*` stands for each endpoint that the run calls, one by one, unless the endpoint says something of the
   * same subject itself; `total` is all requests taken together, which hides an endpoint that fails behind the others.
   */
  readonly endpoints: Readonly<Record<string, Partial<Readonly<Record<Subject, readonly Objective[]>>>>>;
  /** Session time per flow, ms, think time included. */
  readonly sessions?: Readonly<Record<string, readonly Objective[]>>;
  /** Limits on the test, not on the system: by metric of `VALIDITY`, or counter of the suite. */
  readonly validity?: Readonly<Record<string, readonly Objective[]>>;
}

/** Key of `endpoints` that stands for every endpoint of the run. */
export const EACH_ENDPOINT = '*';
/** Key of `endpoints` for all requests together. */
export const ALL_REQUESTS = 'total';

/** k6's form of a threshold. */
export interface Threshold {
  threshold: string;
  abortOnFail?: boolean;
  delayAbortEval?: string;
}
export type Thresholds = Record<string, Threshold[]>;

/** Guards by kind of metric: what is false when there was no sample. A latency is never 0, but an empty Trend's maximum is. */
export const GUARD = { trend: 'max>0', counter: 'count>0' } as const;

export const METRIC_OF: Readonly<Record<Subject, string>> = {
  ...DURATION_METRICS,
  all: 'http_req_duration',
  failed: 'http_req_failed',
  checks: 'checks',
};

/** What the run is about, as far as thresholds need to know. */
export interface Scope {
  /** Endpoint names that the scenario's flows call. */
  readonly endpoints: readonly string[];
  /** Those of them that may by chance get no request, so that `*` does not stand for them. */
  readonly rare?: readonly string[];
  /** Status classes that an endpoint expects, where its table says so: `*` sets no limit for others. */
  readonly classes?: Readonly<Record<string, readonly string[]>>;
  /** Those of them that are steps of another protocol than HTTP. */
  readonly steps: readonly string[];
  /** Counters of the suite's own. */
  readonly counters: readonly string[];
  readonly flows: readonly string[];
  /** Names of the k6 scenarios that are measured: `dropped_iterations` carries no other tag. */
  readonly scenarios: readonly string[];
  /** Leave out objectives on endpoints and flows that the scenario does not have; else they are red. */
  readonly narrowed: boolean;
  readonly warmsUp: boolean;
}

/**
 * k6 thresholds of the objectives; they bind the measured phase only. Sub-metrics that the summary shows stand in it with
 * an empty list, because k6 hands over only those that a threshold names.
 */
export function compileObjectives(objectives: Objectives, scope: Scope): Thresholds {
  const result: Thresholds = {};
  const add = (key: string, list: readonly Objective[]) => {
    const known = result[key] ?? [];
    result[key] = known;
    for (const objective of list) {
      const threshold = typeof objective === 'string' ? { threshold: objective } : { ...objective };
      if (!known.some((one) => one.threshold === threshold.threshold)) known.push(threshold);
    }
  };
  const measured = { phase: 'measure' };

  for (const [endpoint, subjects] of Object.entries(perEndpoint(objectives.endpoints, scope))) {
    if (scope.narrowed && endpoint !== ALL_REQUESTS && !scope.endpoints.includes(endpoint)) continue;
    const tags = endpoint === ALL_REQUESTS ? measured : { ...measured, name: endpoint };
    for (const [subject, list] of Object.entries(subjects) as [Subject, readonly Objective[]][]) {
      // A step of another protocol has no sample of k6's HTTP metrics: its failures are in its checks.
      const isHttp = subject === 'failed' || subject === 'all';
      if (list.length === 0 || (isHttp && scope.steps.includes(endpoint))) continue;
      const key = metricKey(METRIC_OF[subject], tags);
      add(key, list);
      // The time of a step may be 0 ms; that there were steps, their counter says.
      const isTrend = subject === 'all' || subject in DURATION_METRICS;
      if (isTrend && !scope.steps.includes(endpoint)) add(key, [GUARD.trend]);
      // A Rate without samples passes every threshold, so its guard is the number of requests.
      add(metricKey(scope.steps.includes(endpoint) ? METRICS.steps : 'http_reqs', tags), [GUARD.counter]);
    }
  }
  for (const [flow, list] of Object.entries(objectives.sessions ?? {})) {
    if (scope.narrowed && !scope.flows.includes(flow)) continue;
    const key = metricKey(METRICS.sessionDuration, { ...measured, flow });
    add(key, [...list, GUARD.trend]);
  }
  for (const [metric, list] of Object.entries(objectives.validity ?? {})) {
    if (!Object.hasOwn(VALIDITY, metric) && !scope.counters.includes(metric)) continue;
    if (metric === 'dropped_iterations') {
      for (const scenario of scope.scenarios) add(metricKey(metric, { scenario }), list);
    } else {
      add(metricKey(metric, measured), list);
    }
    add(metricKey('http_reqs', measured), [GUARD.counter]);
  }
  for (const key of shown(scope)) add(key, []);
  return result;
}

/** The objectives with `*` written out: each endpoint gets what it does not say itself. */
function perEndpoint(
  { [EACH_ENDPOINT]: each, ...own }: Objectives['endpoints'],
  { endpoints, rare = [], classes = {} }: Pick<Scope, 'endpoints' | 'rare' | 'classes'>,
): Objectives['endpoints'] {
  if (each === undefined) return own;
  const called = endpoints.filter((name) => !rare.includes(name));
  const fitting = (name: string) => {
    const expected = classes[name];
    const subjects = Object.entries(each).filter(
      ([subject]) => expected === undefined || !(subject in DURATION_METRICS) || expected.includes(subject),
    );
    return Object.fromEntries(subjects);
  };
  return { ...own, ...Object.fromEntries(called.map((name) => [name, { ...fitting(name), ...own[name] }])) };
}

/** Sub-metrics that the summary shows. */
function shown({ endpoints, steps, counters, flows, scenarios, warmsUp }: Scope): string[] {
  const keys: string[] = [];
  for (const phase of warmsUp ? ['measure', 'warmup'] : ['measure']) {
    for (const name of endpoints) {
      const requests = steps.includes(name) ? [METRICS.steps] : ['http_reqs', 'http_req_failed'];
      for (const metric of [...Object.values(DURATION_METRICS), ...requests, METRICS.noResponse]) {
        keys.push(metricKey(metric, { name, phase }));
      }
    }
  }
  for (const flow of flows) {
    for (const metric of ['iterations', METRICS.sessionDuration])
      keys.push(metricKey(metric, { flow, phase: 'measure' }));
  }
  for (const scenario of scenarios) keys.push(metricKey('dropped_iterations', { scenario }));
  const rest = [...Object.keys(VALIDITY).slice(1), ...counters];
  for (const metric of ['iterations', 'http_reqs', 'http_req_failed', 'checks', ...rest]) {
    keys.push(metricKey(metric, { phase: 'measure' }));
  }
  return keys;
}
