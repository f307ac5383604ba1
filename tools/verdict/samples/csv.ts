/**
 * k6's CSV output by header name: any set of columns in any order, any of the six time formats. The column list is
 * written out as text columns, because DuckDB's detection refuses rows with `+Inf` or a quoted newline.
 */
import Papa from 'papaparse';
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';
import { identifier, pathText, text } from '../database.ts';
import type { ResultFile } from '../files.ts';
import type { RowFilter, SampleSource } from './source.ts';
import { COMMON_TAGS } from './tag-columns.ts';
import { microsecondsSql, mostCommon, resolutionMs, type TimeFormat, timeFormatOf } from './time-format.ts';

/** k6 writes 19 columns; a header with more than this many is no header. */
const MOST_COLUMNS = 500;

export interface CsvLayout {
  readonly columns: readonly string[];
  /** The same, each spelt so that no two are equal without regard to case (as SQL wants it). */
  readonly sqlNames: readonly string[];
  readonly time: TimeFormat;
  /** Whether any data row stands below the header. */
  readonly hasRows: boolean;
}

/** Header and time format from the head of a file. Throws `UserError` (exit 3) when a needed column is missing. */
export function csvLayout(path: string, head: string): CsvLayout {
  refuseOddHeader(path, head);
  const rows = Papa.parse<string[]>(head, { preview: 200, delimiter: ',', newline: '\n' }).data;
  const columns = (rows[0] ?? []).map((name) => name.replace(/\r$/, '').trim());
  for (const needed of ['metric_name', 'timestamp', 'metric_value']) {
    if (!columns.includes(needed)) {
      throw new UserError(
        `${path}:1: the header has no column ${needed}; give the file as k6 wrote it (k6 run --out csv=…)`,
        EXIT.noVerdict,
      );
    }
  }
  const at = columns.indexOf('timestamp');
  const stamps = rows
    .slice(1)
    .map((row) => row[at] ?? '')
    .filter((stamp) => stamp !== '' && stamp !== 'timestamp');
  const time = mostCommon(stamps.map(timeFormatOf).filter((format) => format !== undefined));
  if (time === undefined && stamps.length > 1) {
    throw new UserError(
      `${path}:2: the time "${stamps[0]}" is in none of k6's six formats; set K6_CSV_TIME_FORMAT to unix_milli and run again`,
      EXIT.noVerdict,
    );
  }
  return { columns, sqlNames: unique(columns), time: time ?? 'unix', hasRows: stamps.length > 0 };
}

/** Refuses a first line that cannot be a header before anything is done with its columns. */
function refuseOddHeader(path: string, head: string): void {
  const end = head.indexOf('\n');
  const line = (end === -1 ? head : head.slice(0, end)).replace(/\r$/, '');
  if (line.includes('\r')) {
    throw new UserError(
      `${path}:1: the lines end in a carriage return alone; convert them (tr '\\r' '\\n' < old.csv > new.csv)`,
      EXIT.noVerdict,
    );
  }
  const columns = line.split(',', MOST_COLUMNS + 1).length;
  if (columns > MOST_COLUMNS) {
    throw new UserError(
      `${path}:1: the first line has more than ${MOST_COLUMNS} columns, so it is no header of k6 (were its line ends lost?); give the file as k6 wrote it`,
      EXIT.noVerdict,
    );
  }
}

/** A CSV file as a source; `readFrom` is the plain or gzip file to read (a salvaged copy may stand in). */
export function csvSource(file: ResultFile, readFrom = file.path, gzip = file.gzip): SampleSource {
  const layout = csvLayout(file.path, file.head);
  const has = new Set(layout.columns);
  const read = (options: string) =>
    `read_csv(${pathText(readFrom)}, header=true, auto_detect=false, delim=',', quote='"', escape='"', ` +
    `compression=${gzip ? "'gzip'" : "'none'"}, columns={${layout.sqlNames.map((name) => `${text(name)}:'VARCHAR'`).join(', ')}}` +
    `${options})`;
  const column = (name: string) => {
    const at = layout.columns.indexOf(name);
    return at === -1 ? 'NULL::VARCHAR' : identifier(layout.sqlNames[at] ?? name);
  };
  const metric = column('metric_name');
  const value = column('metric_value');
  const select = (filter: RowFilter, options: string, time: string) => `
    SELECT ${metric} AS metric, ${time} AS t,
      try_cast(${value} AS DOUBLE) AS v, ${column(has.has('name') ? 'name' : 'url')} AS name,
      ${filter.rare ? column('method') : 'NULL::VARCHAR'} AS method, try_cast(${column('status')} AS SMALLINT) AS status,
      try_cast(${column('error_code')} AS INTEGER) AS error_code,
      CASE ${column('expected_response')} WHEN 'true' THEN true WHEN 'false' THEN false END AS expected,
      ${column('scenario')} AS scenario, ${column('group')} AS grp, ${filter.rare ? column('check') : 'NULL::VARCHAR'} AS check_name,
      ${extraSql(has, column)} AS extra${filter.wanted.map((tag, index) => `, ${column(tag)} AS w${index}`).join('')}
    FROM ${read(options)}
    WHERE ${csvFilter(filter, metric, value)}`;
  const time = microsecondsSql(column('timestamp'), layout.time);
  return {
    path: file.path,
    format: 'csv',
    dialect: 'pairs',
    columns: has,
    resolutionMs: resolutionMs(layout.time),
    select: (filter) => select(filter, '', time),
    tolerant: (filter, rejects) =>
      select(
        filter,
        `, ignore_errors=true, store_rejects=true, rejects_table=${text(rejects)}, rejects_scan=${text(`${rejects}_scan`)}`,
        `TRY(${time})`,
      ),
  };
}

/** Works on the text of the value, so that nothing is cast in rows that are left out. */
function csvFilter(filter: RowFilter, metric: string, value: string): string {
  const parts = [`${metric} IS DISTINCT FROM 'metric_name'`];
  if (filter.without.length > 0) {
    parts.push(`coalesce(${metric} NOT IN (${filter.without.map(text).join(', ')}), true)`);
  }
  if (filter.floored.length > 0) {
    parts.push(`NOT (${metric} IN (${filter.floored.map(text).join(', ')}) AND starts_with(${value}, '0.0'))`);
  }
  return parts.join(' AND ');
}

/** SQL for the extra tags; a tag of the suite that a foreign table has made a column stands among them. */
export function extraSql(has: { has(name: string): boolean }, column: (name: string) => string): string {
  const own = COMMON_TAGS.filter((tag) => has.has(tag));
  if (own.length === 0) return column('extra_tags');
  const pairs = own.map((tag) => `${text(`${tag}=`)} || nullif(${column(tag)}, '')`);
  return `concat_ws('&', nullif(${column('extra_tags')}, ''), ${pairs.join(', ')})`;
}

function unique(columns: readonly string[]): string[] {
  const seen = new Set<string>();
  return columns.map((name, index) => {
    const candidate = name === '' || seen.has(name.toLowerCase()) ? `${name}$${index}` : name;
    seen.add(candidate.toLowerCase());
    return candidate;
  });
}
