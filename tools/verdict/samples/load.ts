/**
 * Loads sample files into three tables: `series` (a row per distinct set of tags), `samples` (series, time in microseconds,
 * value), and `totals` (a row a series: number, sum, extremes and times of its samples, so that most questions need not look
 * at the samples again). Everything after this reads only these.
 */
import type { Database } from '../database.ts';
import type { ResultFile } from '../files.ts';
import { repeatedRequests } from './repeated.ts';
import { buildSeries } from './series.ts';
import type { SampleSource } from './source.ts';
import { type LoadOptions, type StagedFile, stageFile } from './stage.ts';
import { isOnRequest } from './tag-columns.ts';

export interface LoadedFile extends StagedFile {
  /** Requests that stand in the file more than once, to the last digit: the run was written or joined twice. */
  readonly repeated: number;
  readonly requests: number;
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
  const wanted = [...new Set(options.tags ?? [])].filter(isOnRequest);
  await database.run(`CREATE OR REPLACE TABLE staged (h UBIGINT, file SMALLINT, metric VARCHAR, t BIGINT, v DOUBLE, name VARCHAR,
    method VARCHAR, status SMALLINT, error_code INTEGER, expected BOOLEAN, scenario VARCHAR, grp VARCHAR,
    check_name VARCHAR, extra VARCHAR${wanted.map((_, index) => `, w${index} VARCHAR`).join('')})`);
  const staged: StagedFile[] = [];
  const dialects: SampleSource['dialect'][] = [];
  const metricTypes: Record<string, string> = {};
  for (const [index, file] of files.entries()) {
    const { dialect, types, ...rest } = await stageFile(database, file, index, { ...options, tags: wanted });
    staged.push(rest);
    dialects.push(dialect);
    Object.assign(metricTypes, types);
  }
  const values = options.values ?? [];
  const { nameless, ...tags } = await buildSeries(database, { dialects, wanted, values });
  const repeated = await repeatedRequests(database);
  const loaded = staged.map((file, index) => {
    const bad = nameless.get(index) ?? 0;
    return {
      ...file,
      rows: file.rows - bad,
      lostRows: file.lostRows + bad,
      lost: bad === 0 ? file.lost : [...file.lost, `${bad} rows have no readable metric name and were left out`],
      repeated: repeated.get(index)?.repeated ?? 0,
      requests: repeated.get(index)?.requests ?? 0,
    };
  });
  return { files: loaded, tagColumns: wanted, metricTypes, ...tags };
}
