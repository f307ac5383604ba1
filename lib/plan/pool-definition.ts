/** What a suite says of a pool: its file, its columns, how rows are picked. */
import type { PoolPolicy } from '../model/pool-rows.ts';
import type { PickLaw } from '../model/session-settings.ts';

/** What a column holds; `isbn13` has its check digit checked. */
export type ColumnType = 'text' | 'number' | 'integer' | 'isbn13';

export interface PoolDefinition {
  /** CSV file below `data/`, with a header. The first row is the most popular one. */
  readonly file: string;
  /** Columns that sessions get, with their types; the others stay behind. */
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Each combination of values once, in the order in which they come. */
  readonly distinct?: boolean;
  /**
   * How rows are picked: `workload` by the popularity law of the workload (or POPULARITY), a law of its own, `once` for each row
   * one time over all sessions and workers, `sequential` for one row after the other, beginning again after the last.
   */
  readonly law: 'workload' | PickLaw;
  /** What happens after the last row of `once`: `stop` (the default) ends the session, `wrap` begins again; both are counted. */
  readonly whenUsedUp?: PoolPolicy;
}
