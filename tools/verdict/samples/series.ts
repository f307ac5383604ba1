/** Makes `series`, `samples` and `totals` of what was staged, and tells rows that cannot be what k6 wrote. */
import { type Database, identifier, text } from '../database.ts';
import { type SampleSource, STAGED_COLUMNS } from './source.ts';
import { COMMON_TAGS, tagColumn } from './tag-columns.ts';
import { ambiguousSql, holdsSql, parseExtraTags, tagSql } from './tags.ts';

export interface SeriesOptions {
  /** Dialect of the extra tags of each file. */
  readonly dialects: readonly SampleSource['dialect'][];
  /** Tags asked for; the columns `w0`, `w1`, ... of `staged` are theirs. */
  readonly wanted: readonly string[];
  /** Values of tags that objectives name and that cannot be read without knowing them: they hold `&`. */
  readonly values: readonly (readonly [tag: string, value: string])[];
}

export interface SeriesFacts {
  readonly tagKeys: readonly string[];
  readonly ambiguousRows: number;
  readonly notFinite: number;
  /** By file: rows whose metric can be no name. */
  readonly nameless: ReadonlyMap<number, number>;
}

export async function buildSeries(database: Database, options: SeriesOptions): Promise<SeriesFacts> {
  const { dialects, wanted, values } = options;
  const plainColumns = ['file', ...STAGED_COLUMNS.filter((name) => name !== 't' && name !== 'v')].concat(
    wanted.map((_, index) => `w${index}`),
  );
  await database.run(`CREATE OR REPLACE TABLE raw_series AS
    SELECT h, row_number() OVER ()::INTEGER AS k, count(*) AS n, ${plainColumns.map((name) => `any_value(${name}) AS ${name}`).join(', ')} FROM staged GROUP BY h`);
  const nameless = await database.query<{ file: number; n: number }>(
    `SELECT file, sum(n)::BIGINT AS n FROM raw_series WHERE ${NAMELESS_SQL} GROUP BY file`,
  );
  if (nameless.length > 0) await database.run(`DELETE FROM raw_series WHERE ${NAMELESS_SQL}`);
  const json = dialects.flatMap((dialect, index) => (dialect === 'json' ? [index] : []));
  const isJson = json.length === 0 ? 'false' : `file IN (${json.join(', ')})`;
  const pairs = (key: string) => {
    const known = values.filter(([tag]) => tag === key);
    const read = tagSql('extra', key, 'pairs');
    if (known.length === 0) return read;
    const cases = known.map(([tag, value]) => `WHEN ${holdsSql('extra', tag, value)} THEN ${text(value)}`);
    return `CASE ${cases.join(' ')} ELSE ${read} END`;
  };
  const tag = (key: string) => {
    const read =
      json.length === 0
        ? pairs(key)
        : `CASE WHEN ${isJson} THEN ${tagSql('extra', key, 'json')} ELSE ${pairs(key)} END`;
    const at = wanted.indexOf(key);
    return `coalesce(${at === -1 ? '' : `nullif(w${at}, ''), `}${read}, '') AS ${identifier(tagColumn(key))}`;
  };
  await database.run(`CREATE OR REPLACE TABLE series AS SELECT k AS h, file, metric, coalesce(name, '') AS name,
      coalesce(method, '') AS method, status, coalesce(error_code, 0) AS error_code, expected,
      coalesce(scenario, '') AS scenario, coalesce(grp, '') AS grp, coalesce(check_name, '') AS check_name, ${CLASS_SQL} AS class,
      ${[...COMMON_TAGS, ...wanted].map(tag).join(', ')} FROM raw_series`);
  // Small whole numbers are joined several times as fast as hashes.
  await database.run(
    'CREATE OR REPLACE TABLE samples AS SELECT k AS h, t, v FROM staged JOIN (SELECT h, k FROM raw_series) USING (h) WHERE isfinite(v)',
  );
  await database.run(`CREATE OR REPLACE TABLE totals AS SELECT h, count(*) AS n, sum(v) AS total, count(*) FILTER (v <> 0) AS hits,
    min(v) AS low, max(v) AS high, arg_max(t, (v, -t)) AS high_at, min(t) AS first, max(t) AS last, min(t - v * 1000) AS begin FROM samples GROUP BY h`);
  const [odd] = await database.query<{ n: number }>('SELECT count(*) AS n FROM staged WHERE NOT isfinite(v)');
  const guessed = [ambiguousSql('extra', 'pairs'), ...values.map(([key, value]) => holdsSql('extra', key, value))];
  const [ambiguous] = await database.query<{ n: number }>(
    `SELECT coalesce(sum(n), 0)::BIGINT AS n FROM raw_series WHERE NOT (${isJson}) AND (${guessed.map((sql) => `(${sql})`).join(' OR ')})`,
  );
  const tagKeys = await keysOfTags(database, isJson);
  await database.run('DROP TABLE staged; DROP TABLE raw_series');
  return {
    tagKeys,
    ambiguousRows: ambiguous?.n ?? 0,
    notFinite: odd?.n ?? 0,
    nameless: new Map(nameless.map((row) => [row.file, row.n])),
  };
}

/** Control characters and undecodable bytes: left behind by a crash, in no metric's name. */
const NAMELESS_SQL = `(metric = '' OR regexp_matches(metric, '[\\x00-\\x1f\\x7f\\x{FFFD}]'))`;

/** Status class: `none` when there was no answer (k6 writes status 0). */
const CLASS_SQL = `CASE WHEN status IS NULL THEN NULL WHEN status = 0 THEN 'none'
  WHEN status BETWEEN 100 AND 599 THEN (status // 100) || 'xx' ELSE 'other' END`;

async function keysOfTags(database: Database, isJson: string): Promise<string[]> {
  const distinct = (where: string) =>
    `SELECT DISTINCT extra FROM raw_series WHERE extra IS NOT NULL AND extra <> '' AND ${where} LIMIT 5000`;
  const pairs = await database.query<{ extra: string }>(distinct(`NOT (${isJson})`));
  // DuckDB reads what it has written: it takes NaN for a number, which is no JSON elsewhere.
  const objects = await database.query<{ key: string }>(
    `SELECT DISTINCT unnest(json_keys(extra)) AS key FROM (${distinct(`(${isJson}) AND json_valid(extra)`)})`,
  );
  const keys = new Set(objects.map(({ key }) => key));
  for (const { extra } of pairs) for (const key of Object.keys(parseExtraTags(extra).tags)) keys.add(key);
  return [...keys].filter((key) => !SYSTEM_TAGS.has(key)).sort();
}

/** k6's own tags: in NDJSON they stand among the script's. */
const SYSTEM_TAGS = new Set(
  'proto subproto status method url name group check error error_code tls_version scenario service expected_response ip'.split(
    ' ',
  ),
);
