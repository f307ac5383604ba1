/** The reference bookstore: puts the rooms together, starts, and stops without losing anything. */
import type { AddressInfo } from 'node:net';
import { openAccessLog } from './access-log.ts';
import { booksRoutes } from './api/books.ts';
import { cartsRoutes } from './api/carts.ts';
import type { Context } from './api/context.ts';
import { ordersRoutes } from './api/orders.ts';
import { statusRoutes } from './api/status.ts';
import { outputCache } from './cache.ts';
import { connect } from './database/connect.ts';
import { logRequests } from './hooks.ts';
import { type BookstoreOptions, isLoopback, withDefaults } from './options.ts';
import { paymentGateway } from './payments/gateway.ts';
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
  const columns = options.accessLog?.columns ?? [];
  const log =
    options.accessLog === undefined ? undefined : await openAccessLog(options.accessLog.file, columns, options.onError);
  if (log !== undefined) logRequests(app.server, log);
  booksRoutes(app, context);
  cartsRoutes(app, context);
  ordersRoutes(app, context);
  statusRoutes(app, context, { admin: options.admin, rateLimit: () => options.rateLimit });

  await app.listen({ host: options.host, port: options.port });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    port,
    database: database.kind,
    close: async () => {
      const cut = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
      await app.close();
      clearTimeout(cut);
      await log?.close();
      await payments?.close();
      await database.close();
    },
  };
}
