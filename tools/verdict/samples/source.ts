/**
 * What every sample format is brought to before it is loaded: one SQL relation with the same columns, whatever the
 * file's columns, their order or their notation of time.
 */

/** How tags that are no system tags are written: k6's unescaped `k=v&k=v`, or a JSON object. */
export type TagDialect = 'pairs' | 'json';

/** Columns of a staged relation, in order. Times are microseconds since 1970. */
export const STAGED_COLUMNS = [
  'metric',
  't',
  'v',
  'name',
  'method',
  'status',
  'error_code',
  'expected',
  'scenario',
  'grp',
  'check_name',
  'extra',
] as const;

/** Which rows of a source are read: rows of these metrics are left out, and small set-up times too. */
export interface RowFilter {
  /** Metrics whose rows are not read at all. */
  readonly without: readonly string[];
  /** Whether the columns method and check are wanted: few ask for them, and every column costs a pass over the file. */
  readonly rare: boolean;
  /** Metrics of which only values of at least `SETUP_FLOOR_MS` are read: with connections kept alive nearly all are ~0. */
  readonly floored: readonly string[];
  /** Tags asked for that may be columns of the file: each gives one more staged column, `w0`, `w1`, ... */
  readonly wanted: readonly string[];
}

/** The columns that `select` gives for a filter. */
export function stagedColumns(filter: RowFilter): string[] {
  return [...STAGED_COLUMNS, ...filter.wanted.map((_, index) => `w${index}`)];
}

/** Set-up times below this are "none": the connection was there. */
export const SETUP_FLOOR_MS = 0.1;

export interface SampleSource {
  readonly path: string;
  readonly format: 'csv' | 'ndjson' | 'parquet';
  readonly dialect: TagDialect;
  /** SELECT giving `stagedColumns(filter)`. */
  readonly select: (filter: RowFilter) => string;
  /** The same for a damaged file: what still cannot be read goes to the table of rejects. Absent where `select` does it. */
  readonly tolerant?: (filter: RowFilter, rejects: string) => string;
  /** System tags that this file carries at all, by k6's names; undefined when each row names its own. */
  readonly columns?: ReadonlySet<string>;
  /** Resolution of the time stamps, ms: 1000 for `unix` and `rfc3339`. */
  readonly resolutionMs: number;
}
