/** The database as the API sees it: named statements, counted as they are sent, and transactions that try again. */
import { type Driver, type Row, type Run, sqlState } from './driver.ts';
import { SQL, STATEMENT_NAMES, type StatementName } from './statements.ts';

export type Query = (statement: StatementName, ...values: unknown[]) => Promise<Row[]>;

export interface Database {
  readonly kind: Driver['kind'];
  readonly query: Query;
  /** Runs `work` between BEGIN and COMMIT; an error rolls back. Deadlocks and serialization failures are tried again. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Statements sent so far, by name; BEGIN, COMMIT and ROLLBACK are statements like any other. */
  readonly sent: Readonly<Record<StatementName, number>>;
  close(): Promise<void>;
}

const ATTEMPTS = 3;

/** Wraps a driver into what the API uses. */
export function databaseOn(driver: Driver): Database {
  const sent = Object.fromEntries(STATEMENT_NAMES.map((name) => [name, 0])) as Record<StatementName, number>;
  const counted =
    (run: Run): Query =>
    (statement, ...values) => {
      sent[statement]++;
      return run(SQL[statement], values);
    };

  const once = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    driver.exclusive(async (run) => {
      const query = counted(run);
      await query('begin');
      try {
        const result = await work(query);
        await query('commit');
        return result;
      } catch (error) {
        // The connection may be gone; the reason of the failure is the first error, not this one.
        await query('rollback').catch(() => undefined);
        throw error;
      }
    });

  return {
    kind: driver.kind,
    query: counted(driver.run),
    transaction: async (work) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(work);
        } catch (error) {
          const state = sqlState(error);
          if (attempt === ATTEMPTS || (state !== '40P01' && state !== '40001')) throw error;
        }
      }
    },
    sent,
    close: () => driver.close(),
  };
}
