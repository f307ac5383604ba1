/** Finds requests that a file holds twice: a run appended to itself, or written by two outputs into one file. */
import type { Database } from '../database.ts';

/** Of a large file one request in so many is looked at; enough to see what share is repeated. */
const LOOKED_AT = 20_000;

export interface Repeated {
  readonly requests: number;
  readonly repeated: number;
}

/**
 * By file, how many requests repeat another one to the last digit: same tags, same time, same duration. Durations that
 * nearly all differ tell that no two requests are alike by chance; where they do not (a coarse clock), nothing is said.
 */
export async function repeatedRequests(database: Database): Promise<ReadonlyMap<number, Repeated>> {
  const [all] = await database.query<{ n: number | null }>(
    `SELECT sum(n)::BIGINT AS n FROM totals JOIN series USING (h) WHERE metric = 'http_req_duration'`,
  );
  const step = Math.max(1, Math.floor((all?.n ?? 0) / LOOKED_AT));
  const rows = await database.query<{ file: number; n: number; distinctRows: number; durations: number }>(`
    SELECT file, count(*) AS n, count(DISTINCT hash(h, t, v)) AS distinctRows, count(DISTINCT v) AS durations
    FROM samples JOIN series USING (h) WHERE metric = 'http_req_duration' AND v > 0 AND hash(v) % ${step} = 0 GROUP BY file`);
  return new Map(
    rows.map((row) => {
      const told = row.durations >= Math.max(10, 0.5 * row.distinctRows, 0.05 * row.n);
      return [row.file, { requests: row.n * step, repeated: told ? (row.n - row.distinctRows) * step : 0 }];
    }),
  );
}
