/** PostgreSQL through a pool of connections, for `DATABASE_URL`. */
import pg from 'pg';
import { DatabaseUnavailable, type Driver, type Row, sqlState } from './driver.ts';

/** SQLSTATE classes and codes that mean "not now": connection trouble, no resources, shutting down or starting up. */
const UNAVAILABLE = /^(08|53|57P)/;
/** Errors of the socket or of the pool itself carry no SQLSTATE. */
const CONNECTION_WORDS = /connect|terminat|timeout|timed out|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|not queryable/i;

export interface PostgresOptions {
  readonly url: string;
  /** Connections at most. */
  readonly connections: number;
  /** Longest time for one statement, milliseconds; 0 for no limit (the seed on a busy machine). */
  readonly statementTimeoutMs: number;
}

/** Opens the pool; connections are made when first needed. */
export function openPostgres({ url, connections, statementTimeoutMs }: PostgresOptions): Driver {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    ...(statementTimeoutMs === 0 ? {} : { query_timeout: statementTimeoutMs }),
    application_name: 'bookstore',
  });
  // A connection that breaks while idle or between two statements must not end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });

  const names = new Map<string, string>();
  const runOn = async (target: pg.Pool | pg.PoolClient, text: string, values: readonly unknown[]): Promise<Row[]> => {
    // A named statement is parsed and planned once a connection.
    let name = names.get(text);
    if (name === undefined) {
      name = `bookstore_${names.size}`;
      names.set(text, name);
    }
    try {
      return (await target.query({ name, text, values: [...values] })).rows as Row[];
    } catch (error) {
      throw unavailable(error) ?? error;
    }
  };

  return {
    kind: 'postgresql',
    run: (text, values) => runOn(pool, text, values),
    exclusive: async (work) => {
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        throw unavailable(error) ?? error;
      }
      let broken = true;
      try {
        const result = await work((text, values) => runOn(client, text, values));
        broken = false;
        return result;
      } catch (error) {
        broken = error instanceof DatabaseUnavailable;
        throw error;
      } finally {
        // A broken connection must leave the pool; a healthy one goes back.
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

function unavailable(error: unknown): DatabaseUnavailable | undefined {
  const message = error instanceof AggregateError ? error.errors.map(String).join('; ') : String(error);
  const state = sqlState(error);
  const matches =
    state === undefined || state === 'EPIPE'
      ? CONNECTION_WORDS.test(message) || error instanceof AggregateError
      : UNAVAILABLE.test(state);
  return matches ? new DatabaseUnavailable(message.replace(/^Error: /, '')) : undefined;
}
