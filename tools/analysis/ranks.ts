/**
 * Quantiles of many groups at once, exact and with intervals: the ranks that are needed follow from each group's size,
 * so a group is sorted once in the database and only those ranks come out.
 */
import type { Database } from './database.ts';
import { boundValue, carries, type Estimate, intervalBounds, quantileRank, withBounds } from './statistics/quantile.ts';

export interface GroupQuantiles {
  readonly n: number;
  readonly estimates: readonly Estimate[];
}

/**
 * @param relation SQL relation with columns `g` (INTEGER group) and `v` (finite DOUBLE)
 * @returns by group; groups without rows are absent
 */
export async function groupQuantiles(
  database: Database,
  relation: string,
  quantiles: readonly number[],
  confidence = 0.95,
): Promise<Map<number, GroupQuantiles>> {
  await database.run(`CREATE OR REPLACE TEMP TABLE ranked AS SELECT g, v FROM (${relation}) ORDER BY g, v`);
  const counts = await database.query<{ g: number; n: number }>(
    'SELECT g, count(*) AS n FROM ranked GROUP BY g ORDER BY g',
  );
  const wanted = new Set<number>();
  let offset = 0;
  const plans = counts.map(({ g, n }) => {
    const start = offset;
    offset += n;
    const at = (rank: number) => {
      wanted.add(start + rank);
      return start + rank;
    };
    const points = quantiles.map((p) => {
      const { index, weight } = quantileRank(n, p);
      const { low, high } = intervalBounds(n, p, confidence);
      for (const bound of [low, high]) if (bound !== undefined) [bound.rank, bound.inner].map((rank) => at(rank - 1));
      return { p, weight, below: at(index), above: at(Math.min(index + 1, n - 1)), low, high };
    });
    return { g, n, start, points };
  });
  const values = await valuesAt(database, [...wanted]);
  await database.run('DROP TABLE ranked');
  const value = (rank: number) => values.get(rank) ?? Number.NaN;
  return new Map(
    plans.map(({ g, n, start, points }) => [
      g,
      {
        n,
        estimates: points.map(({ p, weight, below, above, low, high }) =>
          withBounds(
            p,
            value(below) + (value(above) - value(below)) * weight,
            carries(n, p),
            boundValue(low, (rank) => value(start + rank - 1)),
            boundValue(high, (rank) => value(start + rank - 1)),
          ),
        ),
      },
    ]),
  );
}

async function valuesAt(database: Database, ranks: readonly number[]): Promise<Map<number, number>> {
  const values = new Map<number, number>();
  // In slices, so that many thousand populations do not make one endless statement.
  for (let from = 0; from < ranks.length; from += 20_000) {
    const slice = ranks.slice(from, from + 20_000);
    const rows = await database.query<{ r: number; v: number }>(
      `SELECT rowid AS r, v FROM ranked WHERE rowid IN (${slice.join(', ')})`,
    );
    for (const { r, v } of rows) values.set(r, v);
  }
  return values;
}
