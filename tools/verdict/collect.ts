/** Gathers the facts that need raw samples: one query for each question, all on the loaded tables. */
import { optional } from '../base/optional.ts';
import { dispersions, withheldLoads } from './closed-loops.ts';
import type { Database } from './database.ts';
import type { EndpointFacts, Facts, NoAnswerCluster, Omission, ScenarioFacts, WorkerFacts } from './facts.ts';
import { loadWindow } from './load-window.ts';
import { distinct, MOST_NAMES, refuseEndless } from './name-limits.ts';
import { builtInType, suiteType } from './objectives/types.ts';
import { otherPopulations } from './other-protocols.ts';
import {
  blends,
  byStatus,
  EXPECTED_SQL,
  MEASURED_SQL,
  measuredSeconds,
  populations,
  type StatusCount,
} from './populations.ts';
import type { Loaded } from './samples/load.ts';
import { LOAD_SQL } from './samples/tag-columns.ts';
import { gaps, gauge, perSecond, relativeLatency } from './timeline.ts';
import { overlaps } from './workers/overlap.ts';

/** What samples alone can say. */
export type SampleFacts = Pick<
  Facts,
  | 'files'
  | 'window'
  | 'requests'
  | 'endpoints'
  | 'endpointCount'
  | 'populations'
  | 'others'
  | 'byStatus'
  | 'by'
  | 'blends'
  | 'failures'
  | 'scenarios'
  | 'omission'
  | 'withheld'
  | 'dispersion'
  | 'iterations'
  | 'vus'
  | 'vusMax'
  | 'seconds'
  | 'gaps'
  | 'pairs'
  | 'bins'
  | 'checks'
  | 'counters'
  | 'untyped'
  | 'tagKeys'
  | 'ambiguousRows'
  | 'notFinite'
>;

export interface CollectOptions {
  /** k6 type by metric, where the results tell it. */
  readonly types: Readonly<Record<string, string>>;
  readonly by: readonly string[];
  /** Times without a row that are worth a look, s. */
  readonly gapSeconds: number;
  /** Bins of the drift and cold-start rules. */
  readonly bins: number;
  /** Whether users of a scenario wait for answers: what that hides is worth working out. */
  readonly isClosed: (scenario: string) => boolean;
  /** From which duration on, relative to the usual and in ms more than it, answers hold such users back. */
  readonly slow: { readonly ratio: number; readonly ms: number };
}

export async function collect(database: Database, loaded: Loaded, options: CollectOptions): Promise<SampleFacts> {
  await refuseEndless(database, options.by);
  const [span] = await database.query<{
    from: number | null;
    to: number | null;
    measuredFrom: number | null;
    measuredTo: number | null;
  }>(
    `SELECT min(first) AS from, max(last) AS to, min(first) FILTER (${MEASURED_SQL} AND metric = 'http_req_duration') AS measuredFrom,
       max(last) FILTER (${MEASURED_SQL} AND metric = 'http_req_duration') AS measuredTo FROM totals JOIN series USING (h)`,
  );
  const from = span?.from ?? 0;
  const to = span?.to ?? 0;
  const measured = { from: span?.measuredFrom ?? from, to: span?.measuredTo ?? to };
  const load = await loadWindow(database);
  const population = { seconds: load.seconds, by: options.by };
  const names = await database.query<{ name: string; n: number }>(
    `SELECT name, sum(n)::BIGINT AS n FROM totals JOIN series USING (h) WHERE metric = 'http_req_duration'
     GROUP BY name ORDER BY n DESC, name LIMIT ${MOST_NAMES}`,
  );
  const endpointCount = await distinct(database, 'name', "metric = 'http_req_duration'");
  const [checks] = await database.query<{ passed: number; failed: number }>(
    `SELECT coalesce(sum(hits), 0)::BIGINT AS passed, coalesce(sum(n - hits), 0)::BIGINT AS failed FROM totals JOIN series USING (h) WHERE metric = 'checks'`,
  );
  const sums = await database.query<{ metric: string; n: number; total: number }>(
    'SELECT metric, sum(n)::BIGINT AS n, sum(total) AS total FROM totals JOIN series USING (h) GROUP BY metric ORDER BY metric',
  );
  const own = sums.filter(({ metric }) => builtInType(metric) === undefined);
  const typeOf = (metric: string) => options.types[metric] ?? suiteType(metric);
  const scenarios = await scenarioFacts(database, from);
  const closed = scenarios.filter(({ name }) => options.isClosed(name));
  const grouped = endpointCount <= MOST_NAMES;
  return {
    files: loaded.files.map(({ path, format, rows, lostRows, lost, resolutionMs, repeated, requests }) => ({
      path,
      format,
      rows,
      lostRows,
      lost,
      resolutionMs,
      repeated,
      requests,
    })),
    window: {
      startMs: from / 1000,
      endMs: to / 1000,
      seconds: (to - from) / 1e6,
      loadSeconds: measuredSeconds(load.seconds),
      ...optional('loadFromMs', load.fromMs),
      ...optional('loadToMs', load.toMs),
    },
    requests: await requestFacts(database),
    endpoints: names.map(({ name, n }): EndpointFacts => ({ name, n })),
    endpointCount,
    // One population a URL is no population: the table would be as long as the file.
    populations: grouped ? await populations(database, population) : [],
    others: await otherPopulations(database, names.length > 0),
    by: options.by,
    byStatus: await byStatus(database, population),
    blends: grouped ? await blends(database, population) : [],
    failures: await failureClusters(database),
    scenarios,
    ...optional('omission', closed.length > 0 ? await omission(database) : undefined),
    ...optional('withheld', closed.length > 0 ? await withheldLoads(database, closed, options.slow) : undefined),
    ...optional('dispersion', closed.length > 0 ? await dispersions(database, closed) : undefined),
    iterations: {
      finished: scenarios.reduce((sum, scenario) => sum + scenario.finished, 0),
      dropped: scenarios.reduce((sum, scenario) => sum + scenario.dropped, 0),
    },
    vus: await gauge(database, 'vus', from),
    vusMax: await gauge(database, 'vus_max', from),
    seconds: await perSecond(database, from),
    gaps: await gaps(database, from, options.gapSeconds),
    pairs: PAIRS.flatMap((metrics) => {
      const [one, other] = metrics.map((metric) => sums.find((row) => row.metric === metric)?.n ?? 0);
      return one && other ? [{ metrics, n: [one, other] as const }] : [];
    }),
    bins: await relativeLatency(database, measured, options.bins),
    checks: checks ?? { passed: 0, failed: 0 },
    counters: Object.fromEntries(
      own.flatMap(({ metric, total }) => (['counter', 'rate'].includes(typeOf(metric) ?? '') ? [[metric, total]] : [])),
    ),
    untyped: Object.fromEntries(
      own.flatMap(({ metric, n, total }) => (typeOf(metric) === undefined ? [[metric, { n, sum: total }]] : [])),
    ),
    tagKeys: loaded.tagKeys,
    ambiguousRows: loaded.ambiguousRows,
    notFinite: loaded.notFinite,
  };
}

/** Metrics of which k6 writes a row each for the same request or iteration; not all are read of every file. */
const PAIRS = [
  ['http_reqs', 'http_req_duration'],
  ['iterations', 'iteration_duration'],
] as const;

async function requestFacts(database: Database): Promise<Facts['requests']> {
  const statuses = await database.query<{ status: number | null; errorCode: number; n: number }>(
    `SELECT status, error_code AS errorCode, sum(n)::BIGINT AS n FROM totals JOIN series USING (h)
     WHERE metric = 'http_req_duration' GROUP BY status, error_code ORDER BY n DESC, status`,
  );
  const [told] = await database.query<Record<'known' | 'failed' | 'rows' | 'rowsFailed', number | null>>(
    `SELECT sum(n) FILTER (metric = 'http_req_duration' AND expected IS NOT NULL)::BIGINT AS known,
       sum(n) FILTER (metric = 'http_req_duration' AND NOT expected)::BIGINT AS failed,
       sum(n) FILTER (metric = 'http_req_failed')::BIGINT AS rows, sum(hits) FILTER (metric = 'http_req_failed')::BIGINT AS rowsFailed
     FROM totals JOIN series USING (h)`,
  );
  const n = statuses.reduce((sum, row) => sum + row.n, 0);
  const bad = (row: StatusCount) => row.status !== null && (row.status === 0 || row.status >= 400);
  const byStatusCode = statuses.filter(bad).reduce((sum, row) => sum + row.n, 0);
  const failedByScript = (told?.known ?? 0) > 0 || (told?.rows ?? 0) > 0;
  return {
    n,
    statuses,
    failedByScript,
    failed:
      (told?.known ?? 0) > 0 ? (told?.failed ?? 0) : (told?.rows ?? 0) > 0 ? (told?.rowsFailed ?? 0) : byStatusCode,
    noAnswer: statuses.filter((row) => row.status === 0).reduce((sum, row) => sum + row.n, 0),
  };
}

async function failureClusters(database: Database): Promise<NoAnswerCluster[]> {
  return database.query<NoAnswerCluster>(`
    SELECT name AS endpoint, status, error_code AS errorCode, count(*) AS n,
      quantile_cont(v, 0.1) AS p10Ms, quantile_cont(v, 0.5) AS p50Ms, quantile_cont(v, 0.9) AS p90Ms
    FROM samples JOIN series USING (h)
    WHERE metric = 'http_req_duration' AND (status = 0 OR status >= 400) GROUP BY name, status, error_code
    ORDER BY n DESC, name LIMIT 500`);
}

/**
 * Coordinated omission, corrected as HdrHistogram does: a user who waited d at a pace of T would have sent requests T, 2T,
 * ... later, which would have waited d - T, d - 2T, ... The pace is the median iteration.
 */
async function omission(database: Database): Promise<Omission | undefined> {
  const [found] = await database.query<{
    observed: number | null;
    corrected: number | null;
    longest: number;
    pace: number;
  }>(`
    WITH pace AS (SELECT greatest(median(v), 1) AS p FROM samples JOIN series USING (h) WHERE metric = 'iteration_duration' AND ${MEASURED_SQL}),
      d AS (SELECT v FROM samples JOIN series USING (h) WHERE ${EXPECTED_SQL} AND ${MEASURED_SQL}),
      missed AS (SELECT v - k * p AS v FROM (SELECT v, p, unnest(range(1, CAST(least(100000, floor(v / p)) AS BIGINT))) AS k FROM d, pace WHERE v > 2 * p))
    SELECT (SELECT quantile_cont(v, 0.99) FROM d) AS observed, (SELECT max(v) FROM d) AS longest, (SELECT p FROM pace) AS pace,
      (SELECT quantile_cont(v, 0.99) FROM (SELECT v FROM d UNION ALL SELECT v FROM missed)) AS corrected`);
  if (found === undefined || found.observed === null || found.corrected === null) return undefined;
  return {
    observedP99Ms: found.observed,
    correctedP99Ms: found.corrected,
    longestMs: found.longest,
    paceMs: found.pace,
  };
}

async function scenarioFacts(database: Database, from: number): Promise<ScenarioFacts[]> {
  const rows = await database.query<{
    name: string;
    finished: number | null;
    dropped: number | null;
    dropRows: number | null;
    requests: number;
    requestTotal: number | null;
    first: number | null;
    last: number | null;
    durations: number;
    mean: number | null;
    q: number[] | null;
  }>(`
    SELECT scenario AS name, sum(total) FILTER (metric = 'iterations') AS finished,
      sum(total) FILTER (metric = 'dropped_iterations') AS dropped,
      CAST(sum(n) FILTER (metric = 'dropped_iterations') AS BIGINT) AS dropRows,
      coalesce(sum(n) FILTER (metric = 'http_req_duration'), 0)::BIGINT AS requests,
      sum(total) FILTER (metric IN ('http_req_duration', 'http_req_blocked')) AS requestTotal,
      min(begin) FILTER (metric = 'iteration_duration') AS first, max(last) FILTER (metric = 'iteration_duration') AS last,
      coalesce(sum(n) FILTER (metric = 'iteration_duration'), 0)::BIGINT AS durations,
      sum(total) FILTER (metric = 'iteration_duration') / sum(n) FILTER (metric = 'iteration_duration') AS mean,
      any_value(q) AS q
    FROM totals JOIN series USING (h) LEFT JOIN (
      SELECT scenario, quantile_cont(v, [0.1, 0.5, 0.9]) AS q FROM samples JOIN series USING (h)
      WHERE metric = 'iteration_duration' AND ${LOAD_SQL} GROUP BY scenario) USING (scenario)
    WHERE metric IN ('iterations', 'dropped_iterations', 'http_req_duration', 'http_req_blocked', 'iteration_duration')
      AND ${LOAD_SQL}
    GROUP BY scenario ORDER BY scenario`);
  return rows
    .filter((row) => (row.finished ?? 0) > 0 || (row.dropped ?? 0) > 0 || row.durations > 0 || row.requests > 0)
    .map((row) => {
      const [p10 = 0, p50 = 0, p90 = 0] = row.q ?? [];
      return {
        name: row.name === '' ? 'default' : row.name,
        finished: row.finished ?? 0,
        dropped: row.dropped ?? 0,
        ...optional('dropRows', row.dropRows ?? undefined),
        requests: row.requests,
        firstSecond: row.first === null ? 0 : (row.first - from) / 1e6,
        lastSecond: row.last === null ? 0 : (row.last - from) / 1e6,
        ...(row.mean === null ? {} : { iteration: { meanMs: row.mean, p10Ms: p10, p50Ms: p50, p90Ms: p90 } }),
        requestMs: row.durations === 0 ? 0 : (row.requestTotal ?? 0) / row.durations,
      };
    });
}

/** A row per worker: a file is a worker, unless a tag says that several share it. */
export async function workerRows(database: Database, loaded: Loaded): Promise<WorkerFacts[]> {
  const rows = await database.query<{
    file: number;
    tags: number;
    worker: string;
    from: number;
    to: number;
    requests: number;
    failed: number;
    finished: number | null;
    dropped: number | null;
    q: number[] | null;
    fingerprint: string;
  }>(`
    SELECT file, count(DISTINCT tag_worker) AS tags, max(tag_worker) AS worker, min(t) AS from, max(t) AS to,
      count(*) FILTER (metric = 'http_req_duration') AS requests,
      count(*) FILTER (metric = 'http_req_duration' AND (status = 0 OR status >= 400)) AS failed,
      sum(v) FILTER (metric = 'iterations') AS finished, sum(v) FILTER (metric = 'dropped_iterations') AS dropped,
      quantile_cont(v, [0.5, 0.95]) FILTER (${EXPECTED_SQL}) AS q,
      CAST(bit_xor(hash(metric, name, t, v)) AS VARCHAR) AS fingerprint
    FROM samples JOIN series USING (h) GROUP BY file ORDER BY file`);
  const pathOf = (file: number) => loaded.files[file]?.path ?? String(file);
  const common = rows.length < 2 ? [] : await overlaps(database);
  return rows.map((row) => ({
    path: pathOf(row.file),
    worker: row.tags === 1 && row.worker !== '' ? row.worker : pathOf(row.file),
    startMs: row.from / 1000,
    endMs: row.to / 1000,
    requests: row.requests,
    failed: row.failed,
    finished: row.finished ?? 0,
    dropped: row.dropped ?? 0,
    ...(row.q === null ? {} : { p50Ms: row.q[0] ?? 0, p95Ms: row.q[1] ?? 0 }),
    fingerprint: row.fingerprint,
    overlaps: common
      .filter(({ files: [, later] }) => later === row.file)
      .map(({ files: [earlier], share }) => ({ path: pathOf(earlier), share })),
  }));
}
