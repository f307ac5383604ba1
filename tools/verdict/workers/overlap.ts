/** Finds workers that hold the same requests, although their files are not the same: cut, prolonged, or moved in time. */
import type { Database } from '../database.ts';

/** Of large files so many keys each are compared; enough to see what share is common. */
const COMPARED = 50_000;

/** Of keys that hardly repeat within a file, hardly any are found in another by chance. */
const TELLING = 0.9;

export interface Overlap {
  /** Numbers of the two files. */
  readonly files: readonly [number, number];
  /** Share of the smaller file's requests that the other holds too, 0 to 1. */
  readonly share: number;
}

/**
 * The requests that two files have in common, by two keys: endpoint and duration (k6 writes nanoseconds), and, for clocks
 * too coarse for that, two durations that follow each other. Times play no part, so a copy with other times is found too.
 */
export async function overlaps(database: Database): Promise<Overlap[]> {
  const found = await database.query<{ a: number; b: number; share: number }>(`
    WITH requests AS (SELECT file, name, v, lag(v) OVER (PARTITION BY file ORDER BY t, v) AS before
        FROM samples JOIN series USING (h) WHERE metric = 'http_req_duration' AND v > 0),
      step AS (SELECT greatest(1, count(*) // (${COMPARED} * greatest(1, count(DISTINCT file))))::UBIGINT AS step FROM requests),
      hashed AS (SELECT file, 'one' AS kind, hash(name, v) AS k FROM requests UNION ALL
        SELECT file, 'two', hash(name, before, v) FROM requests WHERE before IS NOT NULL),
      counted AS (SELECT file, kind, k, count(*) AS n FROM hashed, step WHERE k % step = 0 GROUP BY file, kind, k),
      sizes AS (SELECT file, kind, count(*) AS keys FROM counted GROUP BY file, kind HAVING count(*) >= ${TELLING} * sum(n) AND count(*) >= 10)
    SELECT fa AS a, fb AS b, max(common / least(sa.keys, sb.keys)) AS share FROM (
        SELECT kind, x.file AS fa, y.file AS fb, count(*) AS common FROM counted x JOIN counted y USING (kind, k)
        WHERE x.file < y.file GROUP BY kind, x.file, y.file) AS pairs
      JOIN sizes sa ON sa.file = fa AND sa.kind = pairs.kind JOIN sizes sb ON sb.file = fb AND sb.kind = pairs.kind
    GROUP BY fa, fb ORDER BY fa, fb`);
  return found.map(({ a, b, share }) => ({ files: [a, b], share }));
}
