/** Rows whose time lies hours or years off all others: a damaged digit, not a moment of the test. */
import { largest, smallest } from '../../../lib/model/extremes.ts';
import type { Database } from '../database.ts';

/** A pause this long, in microseconds, parts a file into runs; k6 writes its gauges every second. */
const PAUSE_US = 3_600_000_000;

/** At most this share of a file is outlying; more is another run in the same file. */
const OUTLYING_SHARE = 0.01;

export interface OutlyingTimes {
  readonly rows: number;
  /** One of the times, microseconds since 1970. */
  readonly example: number;
  /** The time that nearly all rows have, microseconds since 1970. */
  readonly from: number;
  readonly to: number;
}

/** Finds outlying rows of a staged file whose times span from `first` to `last`; undefined when there are none. */
export async function outlyingTimes(
  database: Database,
  file: number,
  first: number,
  last: number,
): Promise<OutlyingTimes | undefined> {
  if (last - first <= PAUSE_US) return undefined;
  const runs = await database.query<{ from: number; to: number; n: number }>(`
    WITH slots AS (SELECT t // 60000000 AS slot, min(t) AS first, max(t) AS last, count(*) AS n FROM staged
        WHERE file = ${file} AND t IS NOT NULL GROUP BY slot),
      parted AS (SELECT *, coalesce(first::HUGEINT - lag(last) OVER (ORDER BY slot) > ${PAUSE_US}, true) AS begins FROM slots),
      numbered AS (SELECT *, sum(begins::INTEGER) OVER (ORDER BY slot) AS run FROM parted)
    SELECT min(first) AS from, max(last) AS to, sum(n)::BIGINT AS n FROM numbered GROUP BY run ORDER BY n DESC`);
  const [main, ...others] = runs;
  const total = runs.reduce((sum, run) => sum + run.n, 0);
  if (main === undefined || main.n < 0.9 * total) return undefined;
  const stray = others.filter((run) => run.n <= Math.max(1, OUTLYING_SHARE * total));
  const [example] = stray;
  if (example === undefined) return undefined;
  const kept = [main, ...others.filter((run) => !stray.includes(run))];
  return {
    rows: stray.reduce((sum, run) => sum + run.n, 0),
    example: example.from,
    from: smallest(kept.map((run) => run.from)),
    to: largest(kept.map((run) => run.to)),
  };
}
