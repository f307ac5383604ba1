/** The reference bookstore: puts the rooms together, starts, and stops without losing anything. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ENDPOINT_KEYS } from '../scenarios/bookstore/endpoints.ts';
import { type AccessLog, openAccessLog } from './access-log.ts';
import { booksRoutes } from './api/books.ts';
import { cartsRoutes } from './api/carts.ts';
import type { Context } from './api/context.ts';
import { ordersRoutes } from './api/orders.ts';
import { statusRoutes } from './api/status.ts';
import { outputCache } from './cache.ts';
import { countRequests } from './counters.ts';
import { connect } from './database/connect.ts';
import type { Database } from './database/database.ts';
import { createFaults, type FaultTargets } from './faults/faults.ts';
import { lowestLimit, strikeRequests } from './faults/hook.ts';
import { logRequests } from './hooks.ts';
import { type BookstoreOptions, isLoopback, type Options, withDefaults } from './options.ts';
import { paymentGateway } from './payments/gateway.ts';
import { rateLimiter } from './rate-limiter.ts';
import { createServer } from './server.ts';
import { SetupError } from './setup-error.ts';

export interface Bookstore {
  /** Base URL, no slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly database: 'postgresql' | 'embedded';
  /** Finishes the requests under way (hung ones are cut), writes the access log to its end, closes the database. */
  close(): Promise<void>;
}

/** Time for the requests under way when the server stops; a charge may take five seconds. */
const DRAIN_MS = 6_000;

/**
 * Starts a bookstore; resolves when it answers.
 * @throws SetupError when it cannot start as asked (database, port, log file, admin on a public address)
 */
export async function startBookstore(given: BookstoreOptions = {}): Promise<Bookstore> {
  const options = withDefaults(given);
  if (options.admin && !isLoopback(options.host)) {
    throw new SetupError(
      `Admin and fault routes are for loopback only, but the host is ${options.host}; ` +
        'leave out --admin or bind to 127.0.0.1.',
    );
  }
  const database = await connect({
    databaseUrl: options.databaseUrl,
    books: options.books,
    stock: options.stock,
    connections: options.connections,
    cacheFolder: options.cacheFolder,
    waitSeconds: options.databaseWaitSeconds,
  });
  const payments =
    options.paymentUrl === undefined ? undefined : paymentGateway(options.paymentUrl, options.paymentTimeoutMs);
  const context: Context = {
    database,
    payments,
    cache: outputCache({ ttlSeconds: options.cacheTtlSeconds, maxEntries: options.cacheEntries }),
    orders: { Placed: 0, PaymentPending: 0, Paid: 0, outOfStock: 0 },
  };
  const app = createServer(options.onError);
  const log = await openLog(options, database);
  if (log !== undefined) logRequests(app.server, log);
  const limiter = rateLimiter();
  const faults = options.admin ? createFaults(faultTargets(app, context, options.onError)) : undefined;
  const counters = options.admin ? countRequests(app) : undefined;
  if (faults !== undefined || options.rateLimit !== undefined) {
    strikeRequests(app, { limiter, rateLimit: options.rateLimit, faults, random: options.random });
  }
  booksRoutes(app, context);
  cartsRoutes(app, context);
  ordersRoutes(app, context);
  // Faults with an endpoint of their own limit only that one; the status tells of the strictest.
  const rateLimit = (): number | undefined =>
    lowestLimit(options.rateLimit, faults === undefined ? [] : ENDPOINT_KEYS.flatMap((key) => faults.active(key)));
  statusRoutes(app, context, { admin: options.admin, rateLimit });
  if (faults !== undefined && counters !== undefined) {
    // Loaded here only: the check of fault descriptions costs every start that never needs it.
    const { adminRoutes } = await import('./api/admin.ts');
    adminRoutes(app, { context, counters, faults, limiter });
  }

  try {
    // For `localhost` fastify opens a second server on the other address family, which the fault `refuse` would miss.
    const host = options.admin && options.host === 'localhost' ? '127.0.0.1' : options.host;
    await app.listen({ host, port: options.port });
  } catch (error) {
    await log?.close();
    await database.close();
    throw new SetupError(`Cannot listen on ${options.host}:${options.port}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    database: database.kind,
    close: async () => {
      // Releases what faults hold back, and listens again if they refuse connections.
      await faults?.replace([]);
      counters?.stop();
      const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
      await app.close();
      clearTimeout(cut);
      await log?.close();
      await payments?.close();
      await database.close();
    },
  };
}

async function openLog({ accessLog, onError }: Options, database: Database): Promise<AccessLog | undefined> {
  if (accessLog === undefined) return undefined;
  try {
    return await openAccessLog(accessLog.file, accessLog.columns ?? [], onError);
  } catch (error) {
    await database.close();
    throw new SetupError(`Cannot write the access log ${accessLog.file}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function faultTargets(app: FastifyInstance, context: Context, onError: (error: Error) => void): FaultTargets {
  let address: AddressInfo | undefined;
  return {
    purgeCache: () => context.cache.purge(),
    setCacheTtl: (seconds) => context.cache.setTtl(seconds),
    cacheTtlSeconds: () => context.cache.ttlSeconds,
    setStock: (quantity, isbn) =>
      isbn === undefined
        ? context.database.query('stockSetAll', quantity)
        : context.database.query('stockSetOne', quantity, isbn),
    refuseConnections: (refuse) =>
      new Promise((resolve, reject) => {
        if (refuse && !app.server.listening) {
          resolve();
        } else if (refuse) {
          address = app.server.address() as AddressInfo;
          app.server.close(() => resolve());
          app.server.closeAllConnections();
        } else if (address === undefined || app.server.listening) {
          resolve();
        } else {
          app.server.once('error', reject);
          app.server.listen({ host: address.address, port: address.port }, () => {
            app.server.off('error', reject);
            resolve();
          });
        }
      }),
    onError,
  };
}
