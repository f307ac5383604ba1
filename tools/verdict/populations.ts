/**
 * Populations: the sets of samples that a percentile speaks of. Endpoint x status class x phase, each with its exact
 * statuses and error codes. Requests without an answer are counted and never timed.
 */

import type { StatusClass } from '../../lib/model/names.ts';
import { samplesNeeded } from '../../lib/model/samples-needed.ts';
import { type Database, text } from './database.ts';
import { groupQuantiles } from './ranks.ts';
import { PHASE_SQL, tagValueSql } from './samples/tag-columns.ts';
import type { Estimate } from './statistics/quantile.ts';

export { PHASE_SQL };

/** Quantiles of every population: enough to draw its spectrum. */
export const QUANTILES = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.9995, 0.9999] as const;

/** One quantile of a population; undefined when nothing was timed. */
export function quantileOf(population: Population | undefined, p: number): Quantile | undefined {
  return population?.latency?.quantiles.find((one) => one.p === p);
}

export interface StatusCount {
  readonly status: number | null;
  /** k6's error code; 0 when there was none. */
  readonly errorCode: number;
  readonly n: number;
}

export interface Population {
  readonly endpoint: string;
  /** `2xx` ... `5xx`, `none` (no answer), `all` (the blend), or a single status such as `429`. */
  readonly statusClass: string;
  /** `warmup`, `measure`, `setup`, `teardown`, or '' when the run has no phases. */
  readonly phase: string;
  /** Values of the tags asked for with `by`, in that order. */
  readonly by: readonly string[];
  readonly n: number;
  readonly statuses: readonly StatusCount[];
  /** Absent when nothing was timed (no answer). */
  readonly latency?: Latency;
  /** Mean set-up times before the request, ms, over all requests; k6 leaves them out of `http_req_duration`. */
  readonly setup: SetupTimes;
}

export interface Latency {
  readonly minMs: number;
  readonly meanMs: number;
  readonly maxMs: number;
  /** When the slowest answer came, ms since 1970. */
  readonly maxAtMs: number;
  readonly quantiles: readonly Quantile[];
}

export interface Quantile extends Estimate {
  /** For a quantile that the sample does not carry: seconds of test, at this run's pace, that would earn it. */
  readonly needSeconds?: number;
}

export interface SetupTimes {
  readonly blockedMs: number;
  readonly connectingMs: number;
  readonly tlsMs: number;
  /** Requests that waited at least 0.1 ms for a connection. */
  readonly waited: number;
}

export interface PopulationOptions {
  /** Extra tags to split by. */
  readonly by?: readonly string[];
  /** Seconds of load of each phase that has any; for `needSeconds`. Setup and teardown have none: a longer test sends no more. */
  readonly seconds: ReadonlyMap<string, number>;
}

/** Phases that are not measured. */
const UNMEASURED: readonly string[] = ['setup', 'teardown', 'warmup'];

/** SQL condition: part of what is measured (no setup, teardown or warm-up). */
export const MEASURED_SQL = `coalesce(${PHASE_SQL}, '') NOT IN (${UNMEASURED.map(text).join(', ')})`;

/** Whether a population is part of what is measured. */
export function isMeasured({ phase }: Population): boolean {
  return !UNMEASURED.includes(phase);
}

/** Endpoint x status class x phase (x tags), ordered by endpoint. */
export function populations(database: Database, options: PopulationOptions): Promise<Population[]> {
  return split(database, { endpoint: 'name', statusClass: 'class' }, options);
}

/** All endpoints of the measured phase together, by exact status, whatever tags the populations are split by. */
export function byStatus(database: Database, { seconds }: PopulationOptions): Promise<Population[]> {
  const keys = { endpoint: "'*'", statusClass: 'CAST(status AS VARCHAR)', phase: "''", only: MEASURED_SQL };
  return split(database, keys, { seconds: new Map([['', measuredSeconds(seconds)]]) });
}

/** Seconds of load of the measured phase, which runs without phase tags have as their only one. */
export function measuredSeconds(seconds: ReadonlyMap<string, number>): number {
  return seconds.get('measure') ?? seconds.get('') ?? 0;
}

/** The blend of all answers over all statuses, no-answer durations of 0 ms included: what a plain summary prints. */
export function blends(database: Database, options: PopulationOptions): Promise<Population[]> {
  const seconds = new Map([['', measuredSeconds(options.seconds)]]);
  return split(database, { endpoint: "'*'", statusClass: "'all'", phase: "''" }, { seconds });
}

interface Keys {
  readonly endpoint: string;
  readonly statusClass: string;
  readonly phase?: string;
  /** SQL condition on the samples that count. */
  readonly only?: string;
}

async function split(database: Database, keys: Keys, options: PopulationOptions): Promise<Population[]> {
  const by = options.by ?? [];
  const byColumns = by.map(tagValueSql);
  const list = [keys.endpoint, keys.statusClass, keys.phase ?? PHASE_SQL, ...byColumns];
  const columns = list.map((sql, index) => `coalesce(${sql}, '') AS k${index}`).join(', ');
  const names = list.map((_, index) => `k${index}`);
  await database.run(`CREATE OR REPLACE TEMP TABLE member AS
    SELECT h, metric, status, error_code, dense_rank() OVER (ORDER BY ${names.join(', ')})::INTEGER AS g, ${names.join(', ')}
    FROM (SELECT h, metric, status, error_code, ${columns} FROM series WHERE starts_with(metric, 'http_req_') AND ${keys.only ?? 'true'})`);
  const groups = await database.query<{ g: number } & Record<string, string>>(
    `SELECT DISTINCT g, ${names.join(', ')} FROM member WHERE metric = 'http_req_duration' ORDER BY g`,
  );
  const statuses = await database.query<{ g: number; status: number | null; code: number; n: number }>(
    `SELECT g, status, error_code AS code, sum(n)::BIGINT AS n FROM totals JOIN member USING (h)
     WHERE metric = 'http_req_duration' GROUP BY g, status, error_code ORDER BY n DESC, status, code`,
  );
  const stats = await database.query<{ g: number; low: number; mean: number; high: number; at: number }>(
    `SELECT g, min(low) AS low, sum(total) / sum(n) AS mean, max(high) AS high, arg_max(high_at, (high, -high_at)) AS at FROM totals JOIN member USING (h)
     WHERE metric = 'http_req_duration' GROUP BY g`,
  );
  const setups = await database.query<{ g: number; metric: string; total: number; n: number }>(
    `SELECT g, metric, sum(total) AS total, sum(n)::BIGINT AS n FROM totals JOIN member USING (h)
     WHERE metric IN ('http_req_blocked', 'http_req_connecting', 'http_req_tls_handshaking') GROUP BY g, metric`,
  );
  // A blend counts the 0 ms of refused connections in, since its only use is to show how it misleads.
  const timed = keys.statusClass === "'all'" ? 'true' : 'status IS DISTINCT FROM 0';
  const quantiles = await groupQuantiles(
    database,
    `SELECT g, v FROM samples JOIN member USING (h) WHERE metric = 'http_req_duration' AND ${timed}`,
    QUANTILES,
  );
  const statusesOf = groupBy(statuses, (row) => row.g);
  const statsOf = new Map(stats.map((row) => [row.g, row]));
  const setupOf = groupBy(setups, (row) => row.g);
  return groups.map((group) => {
    const counts = statusesOf.get(group.g) ?? [];
    const n = counts.reduce((sum, row) => sum + row.n, 0);
    const found = quantiles.get(group.g);
    const numbers = statsOf.get(group.g);
    return {
      endpoint: group['k0'] ?? '',
      statusClass: group['k1'] ?? '',
      phase: group['k2'] ?? '',
      by: by.map((_, index) => group[`k${index + 3}`] ?? ''),
      n,
      statuses: counts.map(({ status, code, n: count }) => ({ status, errorCode: code, n: count })),
      ...(found === undefined || numbers === undefined
        ? {}
        : {
            latency: {
              minMs: numbers.low,
              meanMs: numbers.mean,
              maxMs: numbers.high,
              maxAtMs: numbers.at / 1000,
              quantiles: found.estimates.map((one) => earned(one, n, options.seconds.get(group['k2'] ?? ''))),
            },
          }),
      setup: setupTimes(setupOf.get(group.g) ?? [], n),
    };
  });
}

/** A single sample has no pace, and what no load sends does not grow with the test. */
function earned(one: Estimate, n: number, seconds: number | undefined): Quantile {
  if (one.carried || n < 2 || seconds === undefined || seconds <= 0) return one;
  return { ...one, needSeconds: Math.ceil((samplesNeeded(one.p) / n) * seconds) };
}

function setupTimes(rows: readonly { metric: string; total: number; n: number }[], n: number): SetupTimes {
  const mean = (metric: string) => (n === 0 ? 0 : (rows.find((row) => row.metric === metric)?.total ?? 0) / n);
  return {
    blockedMs: mean('http_req_blocked'),
    connectingMs: mean('http_req_connecting'),
    tlsMs: mean('http_req_tls_handshaking'),
    waited: rows.find((row) => row.metric === 'http_req_blocked')?.n ?? 0,
  };
}

/** Groups rows by a key, keeping their order. */
export function groupBy<Item, Key>(items: readonly Item[], key: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const list = groups.get(key(item));
    if (list === undefined) groups.set(key(item), [item]);
    else list.push(item);
  }
  return groups;
}

/** Status classes of the answers that a user came for. */
const EXPECTED: readonly string[] = ['2xx', '3xx'] satisfies readonly StatusClass[];

/** SQL condition: the duration of an expected answer. */
export const EXPECTED_SQL = `metric = 'http_req_duration' AND class IN (${EXPECTED.map(text).join(', ')})`;

/** Whether a population belongs to the expected answers: 2xx and 3xx. */
export function isExpected(population: Population): boolean {
  return EXPECTED.includes(population.statusClass);
}
