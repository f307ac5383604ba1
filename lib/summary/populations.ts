/** From what k6 hands over at the end to rows: one population (endpoint, status class, phase) each. */

import { metricKey } from '../k6/metric-key.ts';
import { aggregateName, thresholdOf } from '../k6/threshold.ts';
import { DURATION_METRICS, METRICS, type Phase, STATUS_CLASSES, type StatusClass } from '../model/names.ts';
import { samplesNeeded } from '../model/samples-needed.ts';
import { GUARD } from '../plan/objectives.ts';
import type { Plan } from '../plan/planned.ts';
import type { SummaryData } from './data.ts';
import { dueSessions, nothingSent } from './planned-load.ts';

export interface Population {
  readonly endpoint: string;
  readonly statusClass: StatusClass;
  readonly phase: Phase;
  readonly n: number;
  /** k6's aggregates, ms. */
  readonly values: Readonly<Record<string, number>>;
}

/** Value of one metric, 0 when k6 has none. */
export function valueIn(data: SummaryData, key: string, aggregate: string): number {
  return data.metrics[key]?.values[aggregate] ?? 0;
}

/** All populations with at least one sample, in the order of the endpoints. */
export function populationsOf(data: SummaryData, { scope }: Pick<Plan, 'scope'>): Population[] {
  const rows: Population[] = [];
  for (const phase of scope.warmsUp ? (['measure', 'warmup'] as const) : (['measure'] as const)) {
    for (const endpoint of scope.endpoints) {
      for (const statusClass of STATUS_CLASSES) {
        const values = data.metrics[metricKey(DURATION_METRICS[statusClass], { name: endpoint, phase })]?.values ?? {};
        const n = values['count'] ?? 0;
        if (n > 0) rows.push({ endpoint, statusClass, phase, n, values });
      }
    }
  }
  return rows;
}

export interface RequestRow {
  readonly endpoint: string;
  readonly requests: number;
  /** Share of the measured requests, 0 to 1. */
  readonly share: number;
  readonly noResponse: number;
  /** Requests that k6 counts as failed: an answer that the endpoint does not expect, or none. */
  readonly failed: number;
}

export function requestRows(data: SummaryData, { scope }: Pick<Plan, 'scope'>): RequestRow[] {
  const total = scope.endpoints.reduce((sum, name) => sum + requestsOf(data, name), 0);
  return scope.endpoints.map((name) => {
    const requests = requestsOf(data, name);
    return {
      endpoint: name,
      requests,
      share: total > 0 ? requests / total : 0,
      noResponse: measured(data, METRICS.noResponse, { name }),
      // k6's Rate counts what is true, and a failure is.
      failed: measured(data, 'http_req_failed', { name }, 'passes'),
    };
  });
}

/** Requests to an endpoint, or steps of another protocol under its name. */
const requestsOf = (data: SummaryData, name: string): number =>
  measured(data, 'http_reqs', { name }) + measured(data, METRICS.steps, { name });

export interface SessionRow {
  readonly flow: string;
  /** Undefined in a closed loop. */
  readonly planned: number | undefined;
  readonly finished: number;
  readonly dropped: number;
  /** Due by the end of the run: what was planned, or less when it was stopped early. */
  readonly due: number | undefined;
  /** Due, but neither finished nor dropped when the run ended; k6's last tick may be one session off, which is none. */
  readonly unaccounted: number;
  /** Share of the finished sessions, 0 to 1. */
  readonly share: number;
  readonly meanSeconds: number;
}

export function sessionRows(data: SummaryData, { scope, scenarios }: Pick<Plan, 'scope' | 'scenarios'>): SessionRow[] {
  const total = scope.flows.reduce((sum, flow) => sum + measured(data, 'iterations', { flow }), 0);
  return scope.flows.map((flow) => {
    const scenario = scenarios.find((one) => one.flow === flow && one.phase === 'measure');
    const finished = measured(data, 'iterations', { flow });
    const dropped = valueIn(data, metricKey('dropped_iterations', { scenario: scenario?.name ?? flow }), 'count');
    const planned = scenario?.sessions;
    const due = scenario === undefined ? undefined : dueSessions(data, { scenarios }, scenario);
    const missing = (due ?? 0) - finished - dropped;
    return {
      flow,
      planned,
      due,
      finished,
      dropped,
      unaccounted: missing > 1 ? missing : 0,
      share: total > 0 ? finished / total : 0,
      meanSeconds: measured(data, METRICS.sessionDuration, { flow }, 'avg') / 1000,
    };
  });
}

/** Value of a metric in the measured phase. */
export function measured(
  data: SummaryData,
  metric: string,
  tags: Readonly<Record<string, string>> = {},
  aggregate = 'count',
): number {
  return valueIn(data, metricKey(metric, { ...tags, phase: 'measure' }), aggregate);
}

export interface ThresholdRow {
  readonly metric: string;
  readonly expression: string;
  readonly ok: boolean;
  /** What the metric's aggregate was; undefined when k6 does not hand it over, or made it up for an empty population. */
  readonly actual: number | undefined;
  /** Whether there was anything to judge: k6 gives an empty Trend or Rate a 0 and calls it green. */
  readonly seen: boolean;
  /** When a percentile was judged on fewer samples than it needs: how many there were, and how many it needs. */
  readonly few?: { readonly n: number; readonly needed: number };
}

/** n that a percentile (`p(99)`) needs; infinite for `p(100)`. */
export function neededFor(percentile: string): number {
  return samplesNeeded(Number.parseFloat(percentile.slice(2)) / 100);
}

/** `n=120, too few: needs 1000` */
export function tooFew({ n, needed }: { readonly n: number; readonly needed: number }): string {
  return `n=${n}, too few: ${needed === Infinity ? 'no number is enough' : `needs ${needed}`}`;
}

/** Every threshold with its outcome, in k6's order of metrics by name. */
/** @param stopped the run ended before its time, so that a population without samples is none that the system lost */
export function thresholdRows(data: SummaryData, stopped = false): ThresholdRow[] {
  const idle = nothingSent(data);
  const guards: readonly string[] = Object.values(GUARD);
  return Object.keys(data.metrics)
    .sort()
    .flatMap((metric) => {
      const { type, thresholds = {}, values = {} } = data.metrics[metric] ?? {};
      const { count = 1, passes = 0, fails = 0 } = values;
      const seen = !idle && (type === 'rate' ? passes + fails > 0 : type !== 'trend' || count > 0);
      return Object.entries(thresholds).map(([expression, { ok: kept }]) => {
        const early = stopped && !kept && guards.includes(expression);
        const ok = kept || early;
        const parsed = thresholdOf(expression);
        const aggregate = parsed === undefined ? '' : aggregateName(parsed);
        const needed = aggregate.startsWith('p(') ? neededFor(aggregate) : 0;
        const few = seen && values['count'] !== undefined && count < needed && { few: { n: count, needed } };
        return { metric, expression, ok, actual: seen ? values[aggregate] : undefined, seen: seen && !early, ...few };
      });
    });
}
