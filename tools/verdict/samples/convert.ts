/** Keeps a CSV of samples as Parquet: same columns, same values, about a tenth of the size, and faster to read again. */
import { join } from 'node:path';
import { type Database, identifier, pathText, text, writeParquet } from '../database.ts';
import type { ResultFile } from '../files.ts';
import { csvLayout } from './csv.ts';
import { unpack } from './gunzip.ts';
import { repairCsv } from './repair.ts';
import { microsecondsSql } from './time-format.ts';

/** Writes `<name>.parquet` beside the CSV and gives its path; broken lines are left out, as when the CSV is read. */
export async function csvToParquet(database: Database, file: ResultFile): Promise<string> {
  const { columns, sqlNames, time } = csvLayout(file.path, file.head);
  const target = `${file.path.replace(/\.gz$/i, '').replace(/\.csv$/i, '')}.parquet`;
  const sqlName = (name: string) => identifier(sqlNames[columns.indexOf(name)] ?? name);
  const list = sqlNames.map((name, index) => {
    const column = identifier(name);
    if (columns.indexOf(columns[index] ?? '') !== index) return column;
    if (columns[index] === 'timestamp')
      return `make_timestamp(TRY(${microsecondsSql(column, time)})) AS ${identifier('timestamp')}`;
    return columns[index] === 'metric_value' ? `try_cast(${column} AS DOUBLE) AS metric_value` : column;
  });
  const copy = (from: string, gzip: boolean, options: string) =>
    writeParquet(
      database,
      target,
      `
    SELECT ${list.join(', ')} FROM read_csv(${pathText(from)}, header=true, auto_detect=false, delim=',', quote='"', escape='"',
      compression=${gzip ? "'gzip'" : "'none'"}${options},
      columns={${sqlNames.map((name) => `${text(name)}:'VARCHAR'`).join(', ')}})
    WHERE ${sqlName('metric_name')} <> 'metric_name'`,
    );
  try {
    await copy(file.path, file.gzip, '');
  } catch {
    const repaired = join(database.scratch, 'repaired-for-parquet');
    const plain = file.gzip ? join(database.scratch, 'salvaged-for-parquet') : file.path;
    if (file.gzip) await unpack(file.path, plain);
    await repairCsv(plain, false, repaired, columns.length);
    await copy(repaired, false, ', ignore_errors=true');
  }
  return target;
}
