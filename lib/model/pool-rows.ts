/** Data pools that can run out: every session has rows of its own, and what happens after the last one is stated. */

/** What a used-up pool does: refuse further sessions, or begin again. */
export type PoolPolicy = 'stop' | 'wrap';

/** Place of a scenario among all scenarios of the run that take rows from the same pool. */
export interface Stripe {
  /** Number of the scenario, 0 to `scenarios` - 1. */
  readonly scenario: number;
  readonly scenarios: number;
  /** Most rows that one session takes. */
  readonly rowsPerSession: number;
}

/**
 * Row that a session takes with its `take`-th pick. k6 counts sessions from 0 in every scenario, so that plain counting
 * gives one row to two scenarios; here every scenario takes its own residue class and every session a block of it.
 * @param iteration number of the session in its scenario, over all workers
 */
export const rowOf = (iteration: number, take: number, { scenario, scenarios, rowsPerSession }: Stripe): number =>
  (iteration * scenarios + scenario) * rowsPerSession + take;
