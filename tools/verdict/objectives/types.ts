/** k6's four metric types: which metric has which, and which aggregates each offers to a threshold. */

import { AGGREGATES, type Aggregate, type MetricType } from '../../../lib/k6/threshold.ts';
import { DURATION_METRICS, METRICS } from '../../../lib/model/names.ts';
import { UserError } from '../../base/user-error.ts';
import type { ParsedObjective } from './parse.ts';

const K6_TYPES: Readonly<Record<MetricType, string>> = {
  counter:
    'http_reqs iterations dropped_iterations data_sent data_received ws_sessions ws_msgs_sent ws_msgs_received browser_http_reqs browser_data_sent browser_data_received',
  gauge: 'vus vus_max',
  rate: 'http_req_failed checks browser_http_req_failed',
  trend:
    'http_req_duration http_req_blocked http_req_connecting http_req_tls_handshaking http_req_sending http_req_waiting http_req_receiving iteration_duration group_duration ws_connecting ws_ping ws_session_duration grpc_req_duration',
};

const BUILT_IN: ReadonlyMap<string, MetricType> = new Map(
  (Object.keys(K6_TYPES) as MetricType[]).flatMap((type) =>
    (K6_TYPES[type] ?? '').split(' ').map((metric): [string, MetricType] => [metric, type]),
  ),
);

/** Counters of recordings that do not say what their suite counts. */
const COUNTERS_BEFORE = ['out_of_stock', 'payment_pending'];

const SUITE: ReadonlyMap<string, MetricType> = new Map<string, MetricType>([
  ...Object.values(DURATION_METRICS).map((metric): [string, MetricType] => [metric, 'trend']),
  [METRICS.sessionDuration, 'trend'],
  [METRICS.flowErrors, 'rate'],
  [METRICS.noResponse, 'counter'],
  [METRICS.rateLimited, 'counter'],
  [METRICS.loginsRenewed, 'counter'],
  [METRICS.steps, 'counter'],
  [METRICS.dataExhausted, 'counter'],
  ...COUNTERS_BEFORE.map((metric): [string, MetricType] => [metric, 'counter']),
]);

/** Type of a metric that k6 defines itself; undefined for a script's own. */
export function builtInType(metric: string): MetricType | undefined {
  return BUILT_IN.get(metric);
}

/** Type of a metric of this suite's scenarios. */
export function suiteType(metric: string): MetricType | undefined {
  return SUITE.get(metric);
}

/** Type that the aggregate alone gives away; undefined for `rate`, which a Rate and a Counter have. */
export function typeOfAggregate(aggregate: Aggregate): MetricType | undefined {
  const types = (Object.keys(AGGREGATES) as MetricType[]).filter((type) => AGGREGATES[type].includes(aggregate));
  return types.length === 1 ? types[0] : undefined;
}

/** Refuses, as k6 does, an aggregate that the metric's type has not. `known` are types that the results tell. */
export function refuseForeignAggregates(
  objectives: readonly ParsedObjective[],
  known: Readonly<Record<string, string>> = {},
): void {
  for (const { key, metric, aggregate, expression } of objectives) {
    const type = builtInType(metric) ?? known[metric];
    const offered = AGGREGATES[type as MetricType] as readonly Aggregate[] | undefined;
    if (type === undefined || offered === undefined || offered.includes(aggregate)) continue;
    const names = offered.map((name) => (name === 'p' ? 'p(95)' : name)).join(', ');
    throw new UserError(
      `the objective "${expression}" of ${key} asks a ${type} for ${aggregate === 'p' ? 'a percentile' : aggregate}, which k6 refuses too; a ${type} offers ${names}`,
    );
  }
}
