/** Keeps a CSV of samples as Parquet: same columns, same values, about a tenth of the size, and faster to read again. */
import { refuseUnwritable } from '../../output-file.ts';
import { type Database, identifier, text } from '../database.ts';
import type { ResultFile } from '../files.ts';
import { csvLayout } from './csv.ts';
import { microsecondsSql } from './time-format.ts';

/** Writes `<name>.parquet` beside the CSV and gives its path; broken lines are left out, as when the CSV is read. */
export async function csvToParquet(database: Database, file: ResultFile): Promise<string> {
  const { columns, time } = csvLayout(file.path, file.head);
  const target = `${file.path.replace(/\.gz$/i, '').replace(/\.csv$/i, '')}.parquet`;
  const list = columns.map((name) => {
    if (name === 'timestamp') return `make_timestamp(${microsecondsSql('"timestamp"', time)}) AS "timestamp"`;
    return name === 'metric_value' ? 'try_cast(metric_value AS DOUBLE) AS metric_value' : identifier(name);
  });
  refuseUnwritable(target);
  await database.run(`COPY (
    SELECT ${list.join(', ')} FROM read_csv(${text(file.path)}, header=true, auto_detect=false, delim=',', quote='"', escape='"',
      compression=${file.gzip ? "'gzip'" : "'none'"}, ignore_errors=true,
      columns={${columns.map((name) => `${text(name)}:'VARCHAR'`).join(', ')}})
    WHERE metric_name <> 'metric_name'
  ) TO ${text(target)} (FORMAT parquet, COMPRESSION zstd)`);
  return target;
}
