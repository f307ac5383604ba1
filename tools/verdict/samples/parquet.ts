/** Samples as Parquet: our own `samples.parquet` (k6's CSV columns) and tables that other tools made of k6 samples. */
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';
import { type Database, identifier, pathText, text } from '../database.ts';
import type { ResultFile } from '../files.ts';
import { extraSql } from './csv.ts';
import { type RowFilter, type SampleSource, SETUP_FLOOR_MS } from './source.ts';
import { microsecondsSql, mostCommon, resolutionMs, timeFormatOf } from './time-format.ts';

/** Columns that may hold each fact, ours first. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  metric_name: ['metric_name', 'metric'],
  timestamp: ['timestamp', 'time'],
  metric_value: ['metric_value', 'value'],
};

/** Reads the schema of a Parquet file. Throws `UserError` (exit 3) when it is damaged or holds no samples. */
export async function parquetSource(database: Database, file: ResultFile): Promise<SampleSource> {
  const relation = `read_parquet(${pathText(file.path)})`;
  const schema = await readable(
    file.path,
    database.query<{ column_name: string; column_type: string }>(`DESCRIBE SELECT * FROM ${relation}`),
  );
  const types = new Map(schema.map((column) => [column.column_name, column.column_type]));
  const find = (name: string) => {
    const found = (ALIASES[name] ?? [name]).find((candidate) => types.has(candidate));
    if (found === undefined) {
      throw new UserError(
        `${file.path}: the Parquet file has no column ${name}; it holds no k6 samples`,
        EXIT.noVerdict,
      );
    }
    return found;
  };
  const timeColumn = find('timestamp');
  const time = await readable(
    file.path,
    timeSql(database, file.path, relation, timeColumn, types.get(timeColumn) ?? ''),
  );
  const metric = identifier(find('metric_name'));
  const value = `try_cast(${identifier(find('metric_value'))} AS DOUBLE)`;
  const column = (name: string) =>
    types.has(name) ? `nullif(CAST(${identifier(name)} AS VARCHAR), '')` : 'NULL::VARCHAR';
  return {
    path: file.path,
    format: 'parquet',
    dialect: 'pairs',
    columns: new Set(types.keys()),
    resolutionMs: time.resolution,
    select: (filter: RowFilter) => `
      SELECT ${metric} AS metric, ${time.sql} AS t, ${value} AS v,
        coalesce(${column('name')}, ${column('url')}) AS name, ${column('method')} AS method,
        try_cast(${column('status')} AS SMALLINT) AS status, try_cast(${column('error_code')} AS INTEGER) AS error_code,
        CASE ${column('expected_response')} WHEN 'true' THEN true WHEN 'false' THEN false END AS expected,
        ${column('scenario')} AS scenario, ${column('group')} AS grp, ${column('check')} AS check_name,
        ${extraSql(types, column)} AS extra${filter.wanted.map((tag, index) => `, ${column(tag)} AS w${index}`).join('')}
      FROM ${relation} WHERE coalesce(${metric} NOT IN (${['', ...filter.without].map(text).join(', ')}), true)
        AND NOT (${metric} IN (${['', ...filter.floored].map(text).join(', ')}) AND coalesce(${value} < ${SETUP_FLOOR_MS}, false))`,
  };
}

/** What is asked of the file; damage anywhere in it is the file's, not the program's. */
async function readable<Result>(path: string, asked: Promise<Result>): Promise<Result> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(
      `${path}: the Parquet file is cut or damaged (its index stands at the end); analyse the CSV it was made from`,
      EXIT.noVerdict,
    );
  }
}

/** SQL of the time, and its resolution in ms. Throws `UserError` for a column that holds no known notation of time. */
async function timeSql(database: Database, path: string, relation: string, name: string, type: string) {
  const column = identifier(name);
  // A zoned time is a moment; cast to a plain one it would be that of this machine's zone.
  if (type.endsWith('WITH TIME ZONE') || type === 'TIMESTAMPTZ')
    return { sql: `epoch_us(${column})`, resolution: 0.001 };
  if (type.startsWith('TIMESTAMP')) return { sql: `epoch_us(CAST(${column} AS TIMESTAMP))`, resolution: 0.001 };
  const fraction = /^(DOUBLE|FLOAT|REAL|DECIMAL)/.test(type);
  const stamp = fraction
    ? `CAST(CAST(trunc(CAST(${column} AS DOUBLE)) AS HUGEINT) AS VARCHAR)`
    : `CAST(${column} AS VARCHAR)`;
  const stamps = await database.query<{ stamp: string | null }>(
    `SELECT TRY(${stamp}) AS stamp FROM ${relation} WHERE ${column} IS NOT NULL LIMIT 200`,
  );
  const format = mostCommon(stamps.map((row) => timeFormatOf(row.stamp ?? '')).filter((one) => one !== undefined));
  if (format === undefined && stamps.length > 0) {
    throw new UserError(
      `${path}: the time "${stamps[0]?.stamp ?? ''}" of the column ${name} is in none of k6's six formats; write it as a timestamp or as milliseconds since 1970`,
      EXIT.noVerdict,
    );
  }
  const known = format ?? 'unix';
  if (!fraction) return { sql: `TRY(${microsecondsSql(stamp, known)})`, resolution: resolutionMs(known) };
  const perUnit = { unix: 1e6, unix_milli: 1e3, unix_micro: 1, unix_nano: 1e-3, rfc3339: 1, rfc3339_nano: 1 }[known];
  return {
    sql: `TRY_CAST(round(CAST(${column} AS DOUBLE) * ${perUnit}) AS BIGINT)`,
    // Seconds as a fraction resolve what the fraction does.
    resolution: known === 'unix' ? 0.001 : resolutionMs(known),
  };
}
