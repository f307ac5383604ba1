/**
 * The run over time, in equal bins: what the rules on drift, cold start and stalls look at, and what the charts show.
 * Latency is taken relative to the endpoint's own median, so that a drifting mix is no drifting latency.
 */
import { type Database, text } from './database.ts';
import { EXPECTED_SQL, MEASURED_SQL } from './populations.ts';

export interface Bin {
  /** Start of the bin, seconds after the first sample. */
  readonly second: number;
  /** Timed answers of the expected classes. */
  readonly n: number;
  /** Median of duration / median of its endpoint. */
  readonly relative: number | null;
}

export interface SecondCounts {
  readonly second: number;
  readonly requests: number;
  readonly failed: number;
  readonly iterations: number;
  readonly dropped: number;
}

export interface Window {
  /** Microseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** Relative latency in `count` equal bins of the window; expected answers of the measured phase only. */
export async function relativeLatency(database: Database, window: Window, count: number): Promise<Bin[]> {
  const width = Math.max(1, (window.to - window.from) / count);
  const rows = await database.query<{ bin: number; n: number; relative: number | null }>(`
    WITH expected AS (
      SELECT h, name FROM series WHERE ${EXPECTED_SQL} AND ${MEASURED_SQL}
    ), typical AS (SELECT name, median(v) AS m FROM samples JOIN expected USING (h) GROUP BY name),
    scale AS (SELECT h, m FROM expected JOIN typical USING (name) WHERE m > 0)
    SELECT CAST(least(${count - 1}, floor((t - ${window.from}) / ${width})) AS INTEGER) AS bin, count(*) AS n,
      median(v / m) AS relative
    FROM samples JOIN scale USING (h) WHERE t BETWEEN ${window.from} AND ${window.to} GROUP BY bin`);
  const found = new Map(rows.map((row) => [row.bin, row]));
  return Array.from({ length: count }, (_, bin) => ({
    second: (bin * width) / 1e6,
    n: found.get(bin)?.n ?? 0,
    relative: found.get(bin)?.relative ?? null,
  }));
}

/** Requests, failures, finished and dropped iterations in each second of the whole run; seconds without any are left out. */
export async function perSecond(database: Database, from: number): Promise<SecondCounts[]> {
  return database.query<SecondCounts>(`
    SELECT CAST(floor((t - ${from}) / 1e6) AS BIGINT) AS second,
      count(*) FILTER (metric = 'http_req_duration') AS requests,
      count(*) FILTER (metric = 'http_req_duration' AND (status = 0 OR status >= 400)) AS failed,
      coalesce(sum(v) FILTER (metric = 'iterations'), 0) AS iterations,
      coalesce(sum(v) FILTER (metric = 'dropped_iterations'), 0) AS dropped
    FROM samples JOIN series USING (h)
    WHERE metric IN ('http_req_duration', 'iterations', 'dropped_iterations') GROUP BY second ORDER BY second`);
}

export interface GaugePoint {
  readonly second: number;
  readonly value: number;
}

/** A gauge over time, workers added up: k6 writes `vus` and `vus_max` once a second and worker. */
export async function gauge(database: Database, metric: string, from: number): Promise<GaugePoint[]> {
  return database.query<GaugePoint>(`
    SELECT second, sum(value) AS value FROM (
      SELECT CAST(floor((t - ${from}) / 1e6) AS BIGINT) AS second, file, tag_worker, max(v) AS value
      FROM samples JOIN series USING (h) WHERE metric = ${text(metric)} GROUP BY second, file, tag_worker
    ) GROUP BY second ORDER BY second`);
}

export interface Gap {
  /** Seconds after the first sample: the last second with a row before it, and the first after it. */
  readonly fromSecond: number;
  readonly toSecond: number;
}

/** Times of at least `seconds` without a row of any metric, longest first, at most five. */
export async function gaps(database: Database, from: number, seconds: number): Promise<Gap[]> {
  return database.query<Gap>(`
    WITH present AS (SELECT DISTINCT CAST(floor((t - ${from}) / 1e6) AS BIGINT) AS second FROM samples),
      steps AS (SELECT lag(second) OVER (ORDER BY second) AS fromSecond, second AS toSecond FROM present)
    SELECT fromSecond, toSecond FROM steps WHERE toSecond - fromSecond > ${seconds} ORDER BY toSecond - fromSecond DESC, fromSecond LIMIT 5`);
}
