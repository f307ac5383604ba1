/**
 * Loads sample files into three tables: `series` (a row per distinct set of tags), `samples` (series, time in microseconds,
 * value), and `totals` (a row a series: number, sum, extremes and times of its samples, so that most questions need not look
 * at the samples again). Everything after this reads only these.
 */
import { join } from 'node:path';
import { STATUS_CLASSES } from '../../../lib/names.ts';
import { EXIT } from '../../exit-codes.ts';
import { UserError } from '../../user-error.ts';
import { type Database, identifier } from '../database.ts';
import type { ResultFile } from '../files.ts';
import { csvLayout, csvSource } from './csv.ts';
import { salvageGzip } from './gunzip.ts';
import { ndjsonKinds, ndjsonMetricTypes, ndjsonSource } from './ndjson.ts';
import { parquetSource } from './parquet.ts';
import { type RowFilter, type SampleSource, STAGED_COLUMNS } from './source.ts';
import { ambiguousSql, parseExtraTags, tagSql } from './tags.ts';

/** Tags that are looked for in every file; others on request. */
export const COMMON_TAGS = ['phase', 'flow', 'worker'] as const;

/** Parts of a request's time; only objectives ask for the middle ones, the set-up parts are shown beside the duration. */
const PARTS = ['http_req_sending', 'http_req_waiting', 'http_req_receiving', 'data_sent', 'data_received'];
const SETUP_PARTS = ['http_req_blocked', 'http_req_connecting', 'http_req_tls_handshaking'];

export interface LoadOptions {
  /** Tag keys beside `COMMON_TAGS`, each a column `tag_<key>` of `series`. */
  readonly tags?: readonly string[];
  /** Read the columns method and check too. Default: only when an objective names them. */
  readonly rare?: boolean;
  /** Metrics that must be read in full (named by objectives). */
  readonly metrics?: readonly string[];
}

export interface LoadedFile {
  readonly path: string;
  readonly format: SampleSource['format'];
  readonly columns?: ReadonlySet<string>;
  readonly resolutionMs: number;
  /** What could not be read, in sentences; empty for a sound file. */
  readonly lost: readonly string[];
  /** Rows that could not be read; at least this many when a stream was cut. */
  readonly lostRows: number;
  readonly rows: number;
}

export interface Loaded {
  readonly files: readonly LoadedFile[];
  /** Tag keys that occur in `extra_tags`, with a few values each. */
  readonly tagKeys: readonly string[];
  /** Tag keys that are columns of `series`. */
  readonly tagColumns: readonly string[];
  /** Rows whose extra tags can be read in more than one way. */
  readonly ambiguousRows: number;
  /** Samples that are infinite or no number. */
  readonly notFinite: number;
  /** k6 type by metric, where the files say it (NDJSON only). */
  readonly metricTypes: Readonly<Record<string, string>>;
}

/** Loads the files in the order given; `file` in `series` is the index. Throws `UserError` when none holds samples. */
export async function loadSamples(
  database: Database,
  files: readonly ResultFile[],
  options: LoadOptions = {},
): Promise<Loaded> {
  await database.run(`CREATE OR REPLACE TABLE staged (h UBIGINT, file SMALLINT, metric VARCHAR, t BIGINT, v DOUBLE, name VARCHAR,
    method VARCHAR, status SMALLINT, error_code INTEGER, expected BOOLEAN, scenario VARCHAR, grp VARCHAR,
    check_name VARCHAR, extra VARCHAR)`);
  const loaded: LoadedFile[] = [];
  const dialects: SampleSource['dialect'][] = [];
  const metricTypes: Record<string, string> = {};
  for (const [index, file] of files.entries()) {
    const { source, ...rest } = await stage(database, file, index, options, metricTypes);
    loaded.push(rest);
    dialects.push(source);
  }
  const tagColumns = [...new Set([...COMMON_TAGS, ...(options.tags ?? [])])];
  const tags = await buildSeries(database, tagColumns, dialects);
  return { files: loaded, tagColumns, metricTypes, ...tags };
}

type Staged = LoadedFile & { readonly source: SampleSource['dialect'] };

async function stage(
  database: Database,
  file: ResultFile,
  index: number,
  options: LoadOptions,
  metricTypes: Record<string, string>,
): Promise<Staged> {
  const lost: string[] = [];
  let lostRows = 0;
  let readFrom = file.path;
  let gzip = file.gzip;
  let source = await sourceOf(database, file, readFrom, gzip);
  const filter = rowFilter(source, options);
  let outcome = await attempt(database, source.select(filter), index);
  if (outcome !== undefined && gzip) {
    const salvage = await salvageGzip(file.path, join(database.scratch, `salvaged-${index}`));
    lost.push(
      salvage.complete
        ? 'the gzip stream has no proper end; everything up to its cut was read'
        : `the gzip stream is damaged; only its first ${salvage.bytes} bytes (decompressed) were read`,
    );
    lostRows += 1;
    readFrom = salvage.path;
    gzip = false;
    source = await sourceOf(database, file, readFrom, gzip);
    outcome = await attempt(database, source.select(filter), index);
  }
  if (outcome !== undefined && source.tolerant !== undefined) {
    const rejects = `rejects_${index}`;
    outcome = await attempt(database, source.tolerant(filter, rejects), index);
    if (outcome === undefined) {
      const [count] = await database.query<{ n: number }>(
        `SELECT count(DISTINCT coalesce(line_byte_position, line)) AS n FROM ${rejects}`,
      );
      lostRows += count?.n ?? 0;
      lost.push(`${count?.n ?? 0} broken lines (cut, or written by two processes at once) were left out`);
    }
  }
  if (outcome !== undefined) {
    throw new UserError(`${file.path}: cannot be read as k6 ${source.format}: ${firstLine(outcome)}`, EXIT.noVerdict);
  }
  if (source.format === 'ndjson') {
    const kinds = await database.query<{ kind: string; n: number }>(ndjsonKinds(readFrom, gzip));
    for (const { kind, n } of kinds) {
      if (kind === 'broken') lostRows += n;
      if (kind === 'broken') lost.push(`${n} lines are no JSON (cut or overwritten) and were left out`);
      else if (kind !== 'Point' && kind !== 'Metric')
        lost.push(`${n} lines of the unknown type "${kind}" were ignored`);
    }
    for (const row of await database.query<{ metric: string; type: string }>(ndjsonMetricTypes(readFrom, gzip))) {
      metricTypes[row.metric] = row.type;
    }
  }
  const [counts] = await database.query<{ rows: number; bad: number }>(
    `SELECT count(*) AS rows, count(*) FILTER (v IS NULL OR t IS NULL OR metric IS NULL) AS bad FROM staged WHERE file = ${index}`,
  );
  const bad = counts?.bad ?? 0;
  if (bad > 0) {
    lost.push(`${bad} rows have no readable metric, time or value and were left out`);
    await database.run('DELETE FROM staged WHERE v IS NULL OR t IS NULL OR metric IS NULL');
  }
  return {
    path: file.path,
    format: source.format,
    ...(source.columns === undefined ? {} : { columns: source.columns }),
    resolutionMs: source.resolutionMs,
    lost,
    lostRows: lostRows + bad,
    rows: (counts?.rows ?? 0) - bad,
    source: source.dialect,
  };
}

async function sourceOf(database: Database, file: ResultFile, readFrom: string, gzip: boolean): Promise<SampleSource> {
  if (file.kind === 'ndjson') return ndjsonSource(file, readFrom, gzip);
  if (file.kind === 'parquet') return parquetSource(database, file);
  csvLayout(file.path, file.head);
  return csvSource(file, readFrom, gzip);
}

/** Which rows are left out: what no rule, table or asked-for objective reads. */
function rowFilter(source: SampleSource, options: LoadOptions): RowFilter {
  const asked = new Set(options.metrics ?? []);
  const without = PARTS.filter((metric) => !asked.has(metric));
  // The suite's latency Trends repeat the durations of their class; only objectives and cache tags need them.
  without.push(...STATUS_CLASSES.map((one) => `duration_${one}`).filter((metric) => !asked.has(metric)));
  // Durations and `expected_response` say the same in a third of the rows.
  if (!asked.has('http_reqs')) without.push('http_reqs');
  if (source.columns?.has('expected_response') === true && !asked.has('http_req_failed'))
    without.push('http_req_failed');
  return { without, rare: options.rare === true, floored: SETUP_PARTS.filter((metric) => !asked.has(metric)) };
}

/** Runs the insert; gives DuckDB's message when it fails. */
async function attempt(database: Database, select: string, index: number): Promise<string | undefined> {
  const tagColumns = STAGED_COLUMNS.filter((name) => name !== 't' && name !== 'v');
  try {
    await database.run(
      `INSERT INTO staged SELECT hash(${index}, ${tagColumns.join(', ')}), ${index}, ${STAGED_COLUMNS.join(', ')} FROM (${select})`,
    );
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function buildSeries(database: Database, tagColumns: readonly string[], dialects: SampleSource['dialect'][]) {
  const plainColumns = ['file', ...STAGED_COLUMNS.filter((name) => name !== 't' && name !== 'v')];
  await database.run(`CREATE OR REPLACE TABLE raw_series AS
    SELECT h, row_number() OVER ()::INTEGER AS k, count(*) AS n, ${plainColumns.map((name) => `any_value(${name}) AS ${name}`).join(', ')} FROM staged GROUP BY h`);
  const json = dialects.flatMap((dialect, index) => (dialect === 'json' ? [index] : []));
  const isJson = json.length === 0 ? 'false' : `file IN (${json.join(', ')})`;
  const tag = (key: string) =>
    json.length === 0
      ? tagSql('extra', key, 'pairs')
      : `CASE WHEN ${isJson} THEN ${tagSql('extra', key, 'json')} ELSE ${tagSql('extra', key, 'pairs')} END`;
  await database.run(`CREATE OR REPLACE TABLE series AS SELECT k AS h, file, metric, coalesce(name, '') AS name,
      coalesce(method, '') AS method, status, coalesce(error_code, 0) AS error_code, expected,
      coalesce(scenario, '') AS scenario, coalesce(grp, '') AS grp, coalesce(check_name, '') AS check_name, ${CLASS_SQL} AS class,
      ${tagColumns.map((key) => `coalesce(${tag(key)}, '') AS ${identifier(`tag_${key}`)}`).join(', ')} FROM raw_series`);
  // Small whole numbers are joined several times as fast as hashes.
  await database.run(
    'CREATE OR REPLACE TABLE samples AS SELECT k AS h, t, v FROM staged JOIN (SELECT h, k FROM raw_series) USING (h) WHERE isfinite(v)',
  );
  await database.run(`CREATE OR REPLACE TABLE totals AS SELECT h, count(*) AS n, sum(v) AS total, count(*) FILTER (v <> 0) AS hits,
    min(v) AS low, max(v) AS high, arg_max(t, v) AS high_at, min(t) AS first, max(t) AS last, min(t - v * 1000) AS begin FROM samples GROUP BY h`);
  const [odd] = await database.query<{ n: number }>('SELECT count(*) AS n FROM staged WHERE NOT isfinite(v)');
  const [ambiguous] = await database.query<{ n: number }>(
    `SELECT coalesce(sum(n), 0)::BIGINT AS n FROM raw_series WHERE NOT (${isJson}) AND ${ambiguousSql('extra', 'pairs')}`,
  );
  const tagKeys = await keysOfTags(database, isJson);
  await database.run('DROP TABLE staged; DROP TABLE raw_series');
  return { tagKeys, ambiguousRows: ambiguous?.n ?? 0, notFinite: odd?.n ?? 0 };
}

/** Status class: `none` when there was no answer (k6 writes status 0). */
const CLASS_SQL = `CASE WHEN status IS NULL THEN NULL WHEN status = 0 THEN 'none'
  WHEN status BETWEEN 100 AND 599 THEN (status // 100) || 'xx' ELSE 'other' END`;

async function keysOfTags(database: Database, isJson: string): Promise<string[]> {
  const rows = await database.query<{ extra: string; json: boolean }>(
    `SELECT DISTINCT extra, ${isJson} AS json FROM raw_series WHERE extra IS NOT NULL AND extra <> '' LIMIT 5000`,
  );
  const keys = new Set<string>();
  for (const row of rows) {
    const tags = row.json ? (JSON.parse(row.extra) as Record<string, string>) : parseExtraTags(row.extra).tags;
    for (const key of Object.keys(tags)) if (!SYSTEM_TAGS.has(key)) keys.add(key);
  }
  return [...keys].sort();
}

/** k6's own tags: in NDJSON they stand among the script's. */
const SYSTEM_TAGS = new Set(
  'proto subproto status method url name group check error error_code tls_version scenario service expected_response ip'.split(
    ' ',
  ),
);

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/^\w[\w ]*Error: /, '');
}
