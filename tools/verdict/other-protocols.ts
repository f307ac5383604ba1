/** What was timed beside HTTP requests: sessions of WebSockets, gRPC calls, a browser's loads, or iterations where nothing else is. */
import type { Database } from './database.ts';
import { QUANTILES, type Quantile } from './populations.ts';
import { groupQuantiles } from './ranks.ts';
import { LOAD_SQL } from './samples/tag-columns.ts';

export interface OtherPopulation {
  readonly metric: string;
  /** What k6 names it by (gRPC method, address); for iterations the scenario. */
  readonly name: string;
  readonly n: number;
  /** Calls that gRPC ended with another status than OK, or loads of a browser with 4xx, 5xx or no answer; absent where no status is told. */
  readonly failed?: number;
  /** In the metric's own unit: ms, except of `browser_web_vital_cls`. */
  readonly mean: number;
  readonly max: number;
  readonly quantiles: readonly Quantile[];
}

/** Times of other protocols; their parts (connecting, pings) are no populations of their own. */
const OTHER_SQL = `(metric IN ('grpc_req_duration', 'ws_session_duration', 'browser_http_req_duration') OR starts_with(metric, 'browser_web_vital_'))`;

/** @param http whether requests were timed: then they say more than iterations do */
export async function otherPopulations(database: Database, http: boolean): Promise<OtherPopulation[]> {
  const timed = http ? OTHER_SQL : `(${OTHER_SQL} OR metric = 'iteration_duration')`;
  await database.run(`CREATE OR REPLACE TEMP TABLE other AS
    SELECT h, metric, status, CASE WHEN metric = 'iteration_duration' THEN scenario ELSE name END AS label,
      dense_rank() OVER (ORDER BY metric, label)::INTEGER AS g FROM series WHERE ${timed} AND ${LOAD_SQL}`);
  const rows = await database.query<{
    g: number;
    metric: string;
    label: string;
    n: number;
    failed: number | null;
    mean: number;
    max: number;
  }>(`
    SELECT g, metric, label, sum(n)::BIGINT AS n, sum(total) / sum(n) AS mean, max(high) AS max,
      CAST(sum(n) FILTER (CASE WHEN metric = 'grpc_req_duration' THEN status <> 0 ELSE status = 0 OR status >= 400 END) AS BIGINT) AS failed
    FROM totals JOIN other USING (h) GROUP BY g, metric, label ORDER BY metric = 'iteration_duration', metric, n DESC, label LIMIT 1000`);
  if (rows.length === 0) return [];
  const told = new Set(
    (await database.query<{ g: number }>(`SELECT DISTINCT g FROM other WHERE status IS NOT NULL`)).map(({ g }) => g),
  );
  const quantiles = await groupQuantiles(database, 'SELECT g, v FROM samples JOIN other USING (h)', QUANTILES);
  return rows.map(({ g, metric, label, n, failed, mean, max }) => ({
    metric,
    name: label,
    n,
    ...(told.has(g) ? { failed: failed ?? 0 } : {}),
    mean,
    max,
    quantiles: quantiles.get(g)?.estimates ?? [],
  }));
}
