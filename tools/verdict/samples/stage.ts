/** Reads one file into the table `staged`, damaged or not, and says what could not be read. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DURATION_METRICS } from '../../../lib/model/names.ts';
import { EXIT } from '../../base/exit-codes.ts';
import type { GzipFault } from '../../base/gunzip.ts';
import { UserError } from '../../base/user-error.ts';
import type { Database } from '../database.ts';
import type { ResultFile } from '../files.ts';
import { blankLines } from './blank-lines.ts';
import { csvLayout, csvSource } from './csv.ts';
import { unpack } from './gunzip.ts';
import { ndjsonKinds, ndjsonMetricTypes, ndjsonSource } from './ndjson.ts';
import { parquetSource } from './parquet.ts';
import { repairCsv } from './repair.ts';
import { sieveCsv } from './sieve/sieve.ts';
import { type RowFilter, type SampleSource, stagedColumns } from './source.ts';
import { outlyingTimes } from './times.ts';

/** Parts of a request's time; only objectives ask for the middle ones, the set-up parts are shown beside the duration. */
const PARTS = ['http_req_sending', 'http_req_waiting', 'http_req_receiving', 'data_sent', 'data_received'];
const SETUP_PARTS = ['http_req_blocked', 'http_req_connecting', 'http_req_tls_handshaking'];

/** Up to this size files are looked through for blank lines, and the rows of `http_reqs` are counted against those of durations. */
const COUNTED_TWICE_BYTES = 32 << 20;

/** From this size on, taking lines out before the database reads them is worth a copy. */
const WORTH_A_SIEVE_BYTES = 8 << 20;

export interface LoadOptions {
  /** Tags that are asked for: those that are no column anyway become columns of `series`. */
  readonly tags?: readonly string[];
  /** Values of tags that objectives name and that hold `&`, which k6's CSV does not part from other tags. */
  readonly values?: readonly (readonly [tag: string, value: string])[];
  /** Read the columns method and check too. Default: only when an objective names them. */
  readonly rare?: boolean;
  /** Metrics that must be read in full (named by objectives). */
  readonly metrics?: readonly string[];
}

export interface StagedFile {
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

type Staged = StagedFile & {
  readonly dialect: SampleSource['dialect'];
  /** k6 type by metric, where the file says it. */
  readonly types: Readonly<Record<string, string>>;
};

/** What was lost, gathered while a file is read. */
interface Losses {
  rows: number;
  readonly sentences: string[];
}

/** Stages a file; `index` is its number in the column `file`. Throws `UserError` (exit 3) when nothing can be read. */
export async function stageFile(
  database: Database,
  file: ResultFile,
  index: number,
  options: LoadOptions,
): Promise<Staged> {
  const losses: Losses = { rows: 0, sentences: [] };
  const { source, readFrom, gzip } = await readRows(database, file, index, options, losses);
  const blank =
    source.format === 'csv' && !file.gzip && file.bytes <= COUNTED_TWICE_BYTES ? await blankLines(file.path) : 0;
  if (blank > 0) {
    losses.rows += blank;
    losses.sentences.push(
      `${blank} blank line${blank === 1 ? '' : 's'}, which k6 never writes, where rows may have been`,
    );
  }
  const types = source.format === 'ndjson' ? await linesOf(database, readFrom, gzip, index, losses) : {};
  const rows = await withoutBadRows(database, index, losses);
  return {
    path: file.path,
    format: source.format,
    ...(source.columns === undefined ? {} : { columns: source.columns }),
    resolutionMs: source.resolutionMs,
    lost: losses.sentences,
    lostRows: losses.rows,
    rows,
    dialect: source.dialect,
    types,
  };
}

async function readRows(
  database: Database,
  file: ResultFile,
  index: number,
  options: LoadOptions,
  losses: Losses,
): Promise<{ source: SampleSource; readFrom: string; gzip: boolean }> {
  let readFrom = file.path;
  let gzip = file.gzip;
  let source = await sourceOf(database, file, readFrom, gzip);
  const filter = rowFilter(source, options, file.bytes);
  // DuckDB looks at no checksum and takes the end of what it understands for the end of the file.
  const checked = gzip ? unpack(file.path) : undefined;
  const copy = join(database.scratch, `sieved-${index}`);
  const sieved = await sievedSource(file, copy, filter);
  let outcome = await attempt(database, (sieved ?? source).select(filter), filter, index);
  await rm(copy, { force: true });
  const fault = (await checked)?.fault;
  if (fault?.kind === 'checksum' && outcome === undefined) {
    losses.rows += 1;
    losses.sentences.push('the checksum of the gzip stream is wrong: some of its content is not what was written');
  } else if (fault !== undefined) {
    readFrom = join(database.scratch, `salvaged-${index}`);
    const { bytes } = await unpack(file.path, readFrom);
    losses.rows += 1;
    losses.sentences.push(gzipSentence(fault, bytes));
    gzip = false;
    source = await sourceOf(database, file, readFrom, gzip);
    if (outcome === undefined) await database.run(`DELETE FROM staged WHERE file = ${index}`);
    outcome = await attempt(database, source.select(filter), filter, index);
  }
  if (outcome !== undefined && source.format === 'csv') {
    const { columns } = csvLayout(file.path, file.head);
    const to = join(database.scratch, `repaired-${index}`);
    const repaired = await repairCsv(readFrom, gzip, to, columns.length);
    readFrom = to;
    gzip = false;
    source = await sourceOf(database, file, readFrom, gzip);
    const rejects = `rejects_${index}`;
    outcome = await attempt(database, source.tolerant?.(filter, rejects) ?? '', filter, index);
    const [rejected] =
      outcome === undefined
        ? await database.query<{ n: number }>(
            `SELECT count(DISTINCT coalesce(line_byte_position, line)) AS n FROM ${rejects}`,
          )
        : [];
    const lines = repaired.lostLines + (rejected?.n ?? 0);
    losses.rows += lines;
    if (lines > 0) {
      losses.sentences.push(
        `${lines} broken line${lines === 1 ? '' : 's'} (cut, with a stray quote, or written by two processes at once; ${repaired.lostBytes} bytes) were left out`,
      );
    }
    if (repaired.undecodable > 0) {
      losses.sentences.push(`${repaired.undecodable} rows hold bytes that are no UTF-8, shown as \uFFFD`);
    }
  }
  if (outcome !== undefined) {
    throw new UserError(`${file.path}: cannot be read as k6 ${source.format}: ${firstLine(outcome)}`, EXIT.noVerdict);
  }
  return { source, readFrom, gzip };
}

function gzipSentence({ kind }: GzipFault, bytes: number): string {
  if (kind === 'cut') return 'the gzip stream has no proper end; everything up to its cut was read';
  if (kind === 'trailing') return 'bytes that are no gzip follow the end of the gzip stream; what they held is lost';
  return `the gzip stream is damaged; only its first ${bytes} bytes (decompressed) were read`;
}

/** Counts the lines of an NDJSON file that are no sample; gives the types that its `Metric` lines tell. */
async function linesOf(
  database: Database,
  readFrom: string,
  gzip: boolean,
  index: number,
  losses: Losses,
): Promise<Record<string, string>> {
  const rejects = `rejects_${index}`;
  const kinds = await database.query<{ kind: string; n: number }>(ndjsonKinds(readFrom, gzip, rejects));
  const [refused] = await database.query<{ n: number }>(`SELECT count(DISTINCT line) AS n FROM ${rejects}`);
  const broken = kinds.filter(({ kind }) => kind === 'broken').reduce((sum, { n }) => sum + n, 0) + (refused?.n ?? 0);
  losses.rows += broken;
  if (broken > 0) losses.sentences.push(`${broken} lines are no JSON (cut or overwritten) and were left out`);
  for (const { kind, n } of kinds) {
    if (!['broken', 'Point', 'Metric'].includes(kind))
      losses.sentences.push(`${n} lines of the unknown type "${kind}" were ignored`);
  }
  const rows = await database.query<{ metric: string; type: string }>(ndjsonMetricTypes(readFrom, gzip));
  return Object.fromEntries(rows.map(({ metric, type }) => [metric, type]));
}

/** Takes out rows without metric, time or value and rows whose time is not of this run; gives how many are left. */
async function withoutBadRows(database: Database, index: number, losses: Losses): Promise<number> {
  const [counts] = await database.query<{ rows: number; bad: number; first: number | null; last: number | null }>(
    `SELECT count(*) AS rows, count(*) FILTER (v IS NULL OR t IS NULL OR metric IS NULL) AS bad, min(t) AS first, max(t) AS last
     FROM staged WHERE file = ${index}`,
  );
  const bad = counts?.bad ?? 0;
  if (bad > 0) {
    losses.sentences.push(`${bad} rows have no readable metric, time or value and were left out`);
    await database.run('DELETE FROM staged WHERE v IS NULL OR t IS NULL OR metric IS NULL');
  }
  const outlying = await outlyingTimes(database, index, counts?.first ?? 0, counts?.last ?? 0);
  if (outlying !== undefined) {
    losses.sentences.push(
      `${outlying.rows} rows have a time far off all others (such as ${dateOf(outlying.example)}) and were left out`,
    );
    await database.run(
      `DELETE FROM staged WHERE file = ${index} AND t NOT BETWEEN ${outlying.from} AND ${outlying.to}`,
    );
  }
  losses.rows += bad + (outlying?.rows ?? 0);
  return (counts?.rows ?? 0) - bad - (outlying?.rows ?? 0);
}

function dateOf(microseconds: number): string {
  const date = new Date(microseconds / 1000);
  return Number.isNaN(date.getTime()) ? `${microseconds / 1e6} s since 1970` : date.toISOString();
}

async function sourceOf(database: Database, file: ResultFile, readFrom: string, gzip: boolean): Promise<SampleSource> {
  if (file.kind === 'ndjson') return ndjsonSource(file, readFrom, gzip);
  if (file.kind === 'parquet') return parquetSource(database, file);
  return csvSource(file, readFrom, gzip);
}

/** A copy of a large plain CSV with the rows that are read; undefined where there is none. */
async function sievedSource(file: ResultFile, copy: string, filter: RowFilter): Promise<SampleSource | undefined> {
  if (file.kind !== 'csv' || file.gzip || file.bytes < WORTH_A_SIEVE_BYTES) return undefined;
  const { columns } = csvLayout(file.path, file.head);
  return (await sieveCsv(file.path, copy, columns, filter)) ? csvSource(file, copy, false) : undefined;
}

/** Which rows are left out: what no rule, table or asked-for objective reads. */
function rowFilter(source: SampleSource, options: LoadOptions, bytes: number): RowFilter {
  const asked = new Set(options.metrics ?? []);
  const without = PARTS.filter((metric) => !asked.has(metric));
  // The suite's latency Trends repeat the durations of their class; only objectives and cache tags need them.
  without.push(...Object.values(DURATION_METRICS).filter((metric) => !asked.has(metric)));
  // Durations and `expected_response` say the same in a third of the rows; where that costs little, both are counted.
  if (!asked.has('http_reqs') && bytes > COUNTED_TWICE_BYTES) without.push('http_reqs');
  if (source.columns?.has('expected_response') === true && !asked.has('http_req_failed'))
    without.push('http_req_failed');
  return {
    without,
    rare: options.rare === true,
    floored: SETUP_PARTS.filter((metric) => !asked.has(metric)),
    wanted: options.tags ?? [],
  };
}

/** Runs the insert; gives DuckDB's message when it fails. */
async function attempt(
  database: Database,
  select: string,
  filter: RowFilter,
  index: number,
): Promise<string | undefined> {
  const columns = stagedColumns(filter);
  const ofSeries = columns.filter((name) => name !== 't' && name !== 'v');
  try {
    await database.run(
      `INSERT INTO staged SELECT hash(${index}, ${ofSeries.join(', ')}), ${index}, ${columns.join(', ')} FROM (${select})`,
    );
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/^\w[\w ]*Error: /, '');
}
