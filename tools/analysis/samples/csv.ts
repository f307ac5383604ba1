/**
 * k6's CSV output by header name: any set of columns in any order, any of the six time formats. The column list is
 * written out as text columns, because DuckDB's detection refuses rows with `+Inf` or a quoted newline.
 */
import Papa from 'papaparse';
import { EXIT } from '../../exit-codes.ts';
import { UserError } from '../../user-error.ts';
import { identifier, text } from '../database.ts';
import type { ResultFile } from '../files.ts';
import type { RowFilter, SampleSource } from './source.ts';
import { microsecondsSql, resolutionMs, type TimeFormat, timeFormatOf } from './time-format.ts';

export interface CsvLayout {
  readonly columns: readonly string[];
  readonly time: TimeFormat;
  /** Whether any data row stands below the header. */
  readonly hasRows: boolean;
}

/** Header and time format from the head of a file. Throws `UserError` (exit 3) when a needed column is missing. */
export function csvLayout(path: string, head: string): CsvLayout {
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
  return { columns, time: time ?? 'unix', hasRows: stamps.length > 0 };
}

function mostCommon(formats: readonly TimeFormat[]): TimeFormat | undefined {
  const counts = new Map<TimeFormat, number>();
  for (const format of formats) counts.set(format, (counts.get(format) ?? 0) + 1);
  // A whole second happens to be written without a fraction: any fraction means nanosecond notation.
  if (counts.has('rfc3339_nano')) return 'rfc3339_nano';
  return [...counts.entries()].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** A CSV file as a source; `readFrom` is the plain or gzip file to read (a salvaged copy may stand in). */
export function csvSource(file: ResultFile, readFrom = file.path, gzip = file.gzip): SampleSource {
  const layout = csvLayout(file.path, file.head);
  const names = unique(layout.columns);
  const has = new Set(layout.columns);
  const read = (options: string) =>
    `read_csv(${text(readFrom)}, header=true, auto_detect=false, delim=',', quote='"', escape='"', ` +
    `compression=${gzip ? "'gzip'" : "'none'"}, columns={${names.map((name) => `${text(name)}:'VARCHAR'`).join(', ')}}` +
    `${options})`;
  const column = (name: string) => (has.has(name) ? identifier(name) : 'NULL::VARCHAR');
  const select = (filter: RowFilter, options: string) => `
    SELECT metric_name AS metric, ${microsecondsSql('"timestamp"', layout.time)} AS t,
      try_cast(metric_value AS DOUBLE) AS v, ${has.has('name') ? 'name' : column('url')} AS name,
      ${filter.rare ? column('method') : 'NULL::VARCHAR'} AS method, try_cast(${column('status')} AS SMALLINT) AS status,
      try_cast(${column('error_code')} AS INTEGER) AS error_code,
      CASE ${column('expected_response')} WHEN 'true' THEN true WHEN 'false' THEN false END AS expected,
      ${column('scenario')} AS scenario, ${column('group')} AS grp, ${filter.rare ? column('check') : 'NULL::VARCHAR'} AS check_name,
      ${column('extra_tags')} AS extra
    FROM ${read(options)}
    WHERE ${csvFilter(filter)}`;
  return {
    path: file.path,
    format: 'csv',
    dialect: 'pairs',
    columns: has,
    resolutionMs: resolutionMs(layout.time),
    select: (filter) => select(filter, ''),
    tolerant: (filter, rejects) =>
      select(
        filter,
        `, ignore_errors=true, store_rejects=true, rejects_table=${text(rejects)}, rejects_scan=${text(`${rejects}_scan`)}`,
      ),
  };
}

/** Works on the text of the value, so that nothing is cast in rows that are left out. */
function csvFilter(filter: RowFilter): string {
  const parts = ["metric_name IS DISTINCT FROM 'metric_name'"];
  if (filter.without.length > 0) {
    parts.push(`coalesce(metric_name NOT IN (${filter.without.map(text).join(', ')}), true)`);
  }
  if (filter.floored.length > 0) {
    parts.push(`NOT (metric_name IN (${filter.floored.map(text).join(', ')}) AND starts_with(metric_value, '0.0'))`);
  }
  return parts.join(' AND ');
}

function unique(columns: readonly string[]): string[] {
  const seen = new Set<string>();
  return columns.map((name) => {
    let candidate = name === '' ? 'column' : name;
    while (seen.has(candidate.toLowerCase())) candidate += '_';
    seen.add(candidate.toLowerCase());
    return candidate;
  });
}
