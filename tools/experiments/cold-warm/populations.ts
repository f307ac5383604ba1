/** What one run says of its cache: requests by first touch or repeat and by popularity band, and the run over time. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';
import { CACHE_METRICS, CACHE_TAGS, TOUCHED_SQL } from '../../verdict/cache-touches.ts';
import { type Database, openDatabase, text } from '../../verdict/database.ts';
import { gather } from '../../verdict/files.ts';
import { loadSamples } from '../../verdict/samples/load.ts';
import type { BinnedSamples } from '../../verdict/statistics/blocks.ts';
import { carries } from '../../verdict/statistics/quantile.ts';

/** Ranks of a band, from its first book to its last; books are counted from 1 in popularity order. */
export const BANDS = [
  { name: 'top 10', last: 10 },
  { name: '11-100', last: 100 },
  { name: '101-1000', last: 1000 },
  { name: 'rest', last: Number.MAX_SAFE_INTEGER },
] as const;

/** `first`: the first request of the measured window for its book; `repeat`: any later one. */
export type Touch = 'all' | 'first' | 'repeat';

export interface CachePopulation {
  readonly touch: Touch;
  /** Name of a band, or `all`. */
  readonly band: string;
  readonly n: number;
  /** Share of answers with `X-Cache: HIT`. */
  readonly hitRatio: number;
  /** ms; undefined where fewer than ten samples lie beyond the quantile. */
  readonly p50?: number;
  readonly p95?: number;
  readonly maxMs: number;
}

/** A stretch of the run. */
export interface CurvePoint {
  /** Its begin, seconds after the measured window's. */
  readonly second: number;
  readonly n: number;
  readonly hits: number;
  /** Median, ms; null when no answer came. */
  readonly p50: number | null;
}

export interface CacheFacts {
  readonly populations: readonly CachePopulation[];
  readonly curve: readonly CurvePoint[];
  readonly seconds: number;
  /** Durations (ms) of each population in equal bins of time, by `populationKey`: what a resampling needs. */
  readonly samples: ReadonlyMap<string, BinnedSamples>;
}

/** Names a population among those of its run. */
export function populationKey({ touch, band }: Pick<CachePopulation, 'touch' | 'band'>): string {
  return `${touch}/${band}`;
}

/** Bins of the resampling: as many as `compare` takes of a run of minutes. */
const RESAMPLED_BINS = 60;

/**
 * @param folder results of a run with CACHE_TAG=item
 * @param books ids in popularity order
 * @param bins stretches of the curve
 * @throws UserError when the samples carry no cache tags
 */
export async function cacheFacts(folder: string, books: readonly string[], bins: number): Promise<CacheFacts> {
  const inputs = await gather([folder]);
  const database = await openDatabase();
  try {
    await loadSamples(database, inputs.samples, { tags: [...CACHE_TAGS], metrics: [...CACHE_METRICS] });
    await database.run(`CREATE TABLE touched AS ${TOUCHED_SQL}`);
    const [span] = await database.query<{ n: number; from: number | null; to: number | null }>(
      'SELECT count(*) AS n, min(t - v * 1000) AS from, max(t) AS to FROM touched',
    );
    if (span === undefined || span.from === null || span.to === null) {
      throw new UserError(
        `${folder}: no answer of the run carried X-Cache HIT or MISS; the experiment needs a system that sends it`,
        EXIT.noVerdict,
      );
    }
    await rank(database, books);
    return {
      populations: await populations(database),
      curve: await curve(database, span.from, span.to, bins),
      seconds: (span.to - span.from) / 1e6,
      samples: await binned(database, span.from, span.to),
    };
  } finally {
    database.close();
  }
}

/** Gives each request its band. A file is read faster than 40,000 values in a statement. */
async function rank(database: Database, books: readonly string[]): Promise<void> {
  const file = join(database.scratch, 'ranks.csv');
  writeFileSync(file, books.map((book, index) => `${book},${index + 1}\n`).join(''));
  const band = BANDS.map(({ last }, index) => `WHEN rank <= ${last} THEN ${index}`).join(' ');
  await database.run(`CREATE TABLE banded AS
    SELECT touched.*, CASE ${band} ELSE ${BANDS.length - 1} END AS band FROM touched
    LEFT JOIN read_csv(${text(file)}, header=false, auto_detect=false, columns={'item': 'VARCHAR', 'rank': 'BIGINT'}) USING (item)`);
}

async function populations(database: Database): Promise<CachePopulation[]> {
  const rows = await database.query<{
    first: boolean | null;
    band: number | null;
    n: number;
    hits: number;
    q: number[];
    high: number;
  }>(`SELECT first, band, count(*) AS n, count(*) FILTER (hit) AS hits, quantile_cont(v, [0.5, 0.95]) AS q, max(v) AS high
    FROM banded GROUP BY GROUPING SETS ((), (first), (first, band)) ORDER BY first DESC NULLS FIRST, band NULLS FIRST`);
  return rows.map(({ first, band, n, hits, q, high }) => ({
    touch: first === null ? 'all' : first ? 'first' : 'repeat',
    band: band === null ? 'all' : (BANDS[band]?.name ?? 'rest'),
    n,
    hitRatio: hits / n,
    ...(carries(n, 0.5) ? { p50: q[0] ?? 0 } : {}),
    ...(carries(n, 0.95) ? { p95: q[1] ?? 0 } : {}),
    maxMs: high,
  }));
}

async function binned(database: Database, from: number, to: number): Promise<ReadonlyMap<string, BinnedSamples>> {
  const width = Math.max(1, (to - from) / RESAMPLED_BINS);
  const rows = await database.connection.runAndReadAll(
    `SELECT first, band, least(${RESAMPLED_BINS - 1}, CAST(floor((t - ${from}) / ${width}) AS INTEGER)) AS bin, v FROM banded`,
  );
  const [firsts = [], bands = [], bins = [], values = []] = rows.getColumnsJS();
  const found = new Map<string, number[][]>();
  for (let i = 0; i < values.length; i++) {
    const touch = firsts[i] === true ? 'first' : 'repeat';
    const name = BANDS[Number(bands[i])]?.name ?? 'rest';
    for (const key of ['all/all', `${touch}/all`, `${touch}/${name}`]) {
      let own = found.get(key);
      if (own === undefined) {
        own = Array.from({ length: RESAMPLED_BINS }, () => []);
        found.set(key, own);
      }
      own[Math.max(0, Number(bins[i]))]?.push(Number(values[i]));
    }
  }
  return new Map([...found].map(([key, own]) => [key, { bins: own.map((bin) => Float64Array.from(bin)) }]));
}

async function curve(database: Database, from: number, to: number, bins: number): Promise<CurvePoint[]> {
  const width = Math.max(1, (to - from) / bins);
  const rows = await database.query<{ bin: number; n: number; hits: number; p50: number }>(
    `SELECT least(${bins - 1}, CAST(floor((t - ${from}) / ${width}) AS INTEGER)) AS bin, count(*) AS n,
       count(*) FILTER (hit) AS hits, median(v) AS p50 FROM touched GROUP BY bin`,
  );
  const found = new Map(rows.map((row) => [row.bin, row]));
  return Array.from({ length: bins }, (_, bin) => ({
    second: (bin * width) / 1e6,
    n: found.get(bin)?.n ?? 0,
    hits: found.get(bin)?.hits ?? 0,
    p50: found.get(bin)?.p50 ?? null,
  }));
}
