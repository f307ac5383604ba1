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
    const points = quantiles.map((p) => {
      const { index, weight } = quantileRank(n, p);
      const { low, high } = intervalBounds(n, p, confidence);
      // 1-based, as the bounds are.
      const [below, above] = [index + 1, Math.min(index + 2, n)];
      for (const rank of [below, above, low?.rank, low?.inner, high?.rank, high?.inner]) {
        if (rank !== undefined) wanted.add(start + rank - 1);
      }
      return { p, weight, below, above, low, high };
    });
    return { g, n, start, points };
  });
  const values = await valuesAt(database, [...wanted]);
  await database.run('DROP TABLE ranked');
  return new Map(
    plans.map(({ g, n, start, points }) => {
      const at = (rank: number) => values.get(start + rank - 1) ?? Number.NaN;
      const estimates = points.map(({ p, weight, below, above, low, high }) =>
        withBounds(
          p,
          at(below) + (at(above) - at(below)) * weight,
          carries(n, p),
          boundValue(low, at),
          boundValue(high, at),
        ),
      );
      return [g, { n, estimates }];
    }),
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
