/** Objectives measured on raw samples: exact values, intervals, and whether the sample carries the quantile at all. */
import { type Database, identifier, text } from '../database.ts';
import { PHASE_SQL } from '../populations.ts';
import { groupQuantiles } from '../ranks.ts';
import { proportionInterval } from '../statistics/beta.ts';
import { samplesBeyond, samplesNeeded } from '../statistics/quantile.ts';
import { decide, type Measured, type ObjectiveResult } from './decide.ts';
import type { Objective } from './parse.ts';

export interface SampleContext {
  /** k6 type by metric, where known. */
  readonly types: Readonly<Record<string, string>>;
  /** Tag columns that `series` has. */
  readonly tagColumns: readonly string[];
  /** Length of the run, seconds: for the rate of a counter. */
  readonly seconds: number;
  /** Whether requests without an own row of `http_req_failed` can be told by `expected_response`. */
  readonly failedByTag: boolean;
}

/** Tags that are columns of their own in `series`. */
const COLUMNS: Readonly<Record<string, string>> = {
  name: 'name',
  url: 'name',
  method: 'method',
  status: 'CAST(status AS VARCHAR)',
  error_code: 'CAST(error_code AS VARCHAR)',
  scenario: 'scenario',
  group: 'grp',
  check: 'check_name',
  expected_response: 'CAST(expected AS VARCHAR)',
  phase: PHASE_SQL,
};

const COUNTERS = new Set([
  'http_reqs',
  'iterations',
  'dropped_iterations',
  'data_sent',
  'data_received',
  'ws_sessions',
  'ws_msgs_sent',
  'ws_msgs_received',
]);
const RATES = new Set(['http_req_failed', 'checks']);

/** Tag keys that objectives name and that `series` must therefore hold. */
export function tagsOfObjectives(objectives: readonly Objective[]): string[] {
  return [...new Set(objectives.flatMap((one) => Object.keys(one.tags)))].filter((tag) => !(tag in COLUMNS));
}

/** Judges objectives on the loaded samples. */
export async function judgeBySamples(
  database: Database,
  objectives: readonly Objective[],
  context: SampleContext,
): Promise<ObjectiveResult[]> {
  const results: ObjectiveResult[] = [];
  for (const objective of objectives) results.push(decide(objective, await measure(database, objective, context)));
  return results;
}

async function measure(database: Database, objective: Objective, context: SampleContext): Promise<Measured> {
  const where = conditions(objective, context);
  if (where === undefined) return { n: 0, value: undefined, exact: false };
  const { metric } = objective;
  // Durations stand for requests: the same number of rows, read already.
  if (metric === 'http_reqs')
    return counter(database, objective, `metric = 'http_req_duration' AND ${where}`, 'count(*)', context);
  if (metric === 'http_req_failed' && context.failedByTag) {
    return share(database, `metric = 'http_req_duration' AND expected IS NOT NULL AND ${where}`, 'NOT expected');
  }
  const rows = `metric = ${text(metric)} AND ${where}`;
  const type = context.types[metric] ?? (await guessType(database, objective, rows));
  if (type === 'counter') return counter(database, objective, rows, 'sum(v)', context);
  if (type === 'rate') return share(database, rows, 'v <> 0');
  if (type === 'gauge') {
    const [row] = await database.query<{ n: number; value: number | null }>(
      `SELECT count(*) AS n, arg_max(v, t) AS value FROM samples JOIN series USING (h) WHERE ${rows}`,
    );
    return { n: row?.n ?? 0, value: row?.value ?? undefined, exact: (row?.n ?? 0) > 0 };
  }
  return trend(database, objective, rows);
}

async function guessType(database: Database, objective: Objective, rows: string): Promise<string> {
  const { metric, aggregate } = objective;
  if (COUNTERS.has(metric)) return 'counter';
  if (RATES.has(metric)) return 'rate';
  if (metric === 'vus' || metric === 'vus_max' || aggregate === 'value') return 'gauge';
  if (aggregate === 'count') return 'counter';
  if (aggregate !== 'rate') return 'trend';
  const [row] = await database.query<{ other: number }>(
    `SELECT count(*) AS other FROM samples JOIN series USING (h) WHERE ${rows} AND v NOT IN (0, 1)`,
  );
  return (row?.other ?? 0) > 0 ? 'counter' : 'rate';
}

async function counter(
  database: Database,
  objective: Objective,
  rows: string,
  sum: string,
  context: SampleContext,
): Promise<Measured> {
  const [row] = await database.query<{ n: number; total: number | null }>(
    `SELECT count(*) AS n, CAST(${sum} AS DOUBLE) AS total FROM samples JOIN series USING (h) WHERE ${rows}`,
  );
  const total = row?.total ?? 0;
  return {
    n: row?.n ?? 0,
    value: objective.aggregate === 'rate' ? total / Math.max(context.seconds, 1e-9) : total,
    exact: true,
  };
}

async function share(database: Database, rows: string, hit: string): Promise<Measured> {
  const [row] = await database.query<{ n: number; hits: number }>(
    `SELECT count(*) AS n, count(*) FILTER (${hit}) AS hits FROM samples JOIN series USING (h) WHERE ${rows}`,
  );
  const n = row?.n ?? 0;
  if (n === 0) return { n, value: undefined, exact: false };
  const hits = row?.hits ?? 0;
  const [low, high] = proportionInterval(hits, n);
  return { n, value: hits / n, low, high, exact: false };
}

async function trend(database: Database, objective: Objective, rows: string): Promise<Measured> {
  const timed = `${rows} AND NOT (starts_with(metric, 'http_req_') AND status IS NOT DISTINCT FROM 0)`;
  const [row] = await database.query<{ n: number; low: number; high: number; mean: number; deviation: number | null }>(
    `SELECT count(*) AS n, min(v) AS low, max(v) AS high, avg(v) AS mean, stddev_samp(v) AS deviation
     FROM samples JOIN series USING (h) WHERE ${timed}`,
  );
  const n = row?.n ?? 0;
  if (row === undefined || n === 0) return { n: 0, value: undefined, exact: false };
  switch (objective.aggregate) {
    case 'min':
      return { n, value: row.low, exact: true };
    case 'max':
      return { n, value: row.high, exact: true };
    case 'count':
      return { n, value: n, exact: true };
    case 'avg': {
      const half = (1.96 * (row.deviation ?? 0)) / Math.sqrt(n);
      const weak = n < 30 ? { weak: `an average of ${n} samples; 30 are needed for an interval` } : {};
      return { n, value: row.mean, low: row.mean - half, high: row.mean + half, exact: false, ...weak };
    }
    default: {
      const p = objective.p ?? 0.5;
      const found = await groupQuantiles(
        database,
        `SELECT 1 AS g, v FROM samples JOIN series USING (h) WHERE ${timed}`,
        [p],
      );
      const estimate = found.get(1)?.estimates[0];
      const weak =
        estimate?.carried === false
          ? {
              weak: `only ${samplesBeyond(n, p)} of ${n} samples lie beyond it; it needs ${samplesNeeded(p)} samples (ten beyond)`,
            }
          : {};
      return { n, value: estimate?.value, low: estimate?.low, high: estimate?.high, exact: p <= 0 || p >= 1, ...weak };
    }
  }
}

/** SQL for the objective's tags; undefined when a tag is no column (then no sample can have it). */
function conditions(objective: Objective, context: SampleContext): string | undefined {
  const parts = ['true'];
  for (const [tag, value] of Object.entries(objective.tags)) {
    const column = COLUMNS[tag] ?? (context.tagColumns.includes(tag) ? identifier(`tag_${tag}`) : undefined);
    if (column === undefined) return undefined;
    parts.push(`coalesce(${column}, '') = ${text(value)}`);
  }
  return parts.join(' AND ');
}
