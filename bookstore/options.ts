/** What a bookstore can be started with; every default in one place. */

import { isLoopbackV4 } from '../lib/plan/target.ts';
import type { LogColumn } from './access-log.ts';
import { CATALOGUE_SIZE } from './catalogue/books.ts';
import { defaultCacheFolder } from './database/image-cache.ts';

export interface BookstoreOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 (the default) takes a free port. */
  readonly port?: number;
  /** `postgres://...`; without it the embedded database is used. */
  readonly databaseUrl?: string | undefined;
  /** Books of the reference catalogue, 1 to 1,000,000. Default 40,000. */
  readonly books?: number;
  /** Stock of every book, set at each start. Without it new books get 1,000,000 and others keep what they have. */
  readonly stock?: number | undefined;
  /** Access log in W3C extended format, appended to `file`. */
  readonly accessLog?: { readonly file: string; readonly columns?: readonly LogColumn[] } | undefined;
  /** Admin and fault routes; on a loopback host only. */
  readonly admin?: boolean;
  /** Base URL of the payment provider or its stub; without it orders stay Placed. */
  readonly paymentUrl?: string | undefined;
  /** Time for a charge, milliseconds. Default 5,000. */
  readonly paymentTimeoutMs?: number;
  /** Requests per second and client address; beyond it 429. Off by default. */
  readonly rateLimit?: number | undefined;
  /** Life of a cached details answer, seconds; 0 switches the cache off. Default 60. */
  readonly cacheTtlSeconds?: number;
  /** Cached details answers at most. Default 50,000. */
  readonly cacheEntries?: number;
  /** PostgreSQL connections at most. Default 20. */
  readonly connections?: number;
  /** How long to wait at start for a PostgreSQL that is not up yet, seconds. Default 15. */
  readonly databaseWaitSeconds?: number;
  /** Folder for the image of the seeded embedded database; `null` seeds anew at each start. */
  readonly cacheFolder?: string | null;
  /** Uniform in [0,1): decides which requests a fault with a share strikes, and delays. Default `Math.random`. */
  readonly random?: () => number;
  /** Told of errors that are the API's own fault or the database's; default: nobody. */
  readonly onError?: (error: Error) => void;
}

export type Options = ReturnType<typeof withDefaults>;

/** The options with all defaults filled in. */
export function withDefaults(options: BookstoreOptions) {
  return {
    host: '127.0.0.1',
    port: 0,
    books: CATALOGUE_SIZE,
    admin: false,
    paymentTimeoutMs: 5_000,
    cacheTtlSeconds: 60,
    cacheEntries: 50_000,
    connections: 20,
    databaseWaitSeconds: 15,
    cacheFolder: defaultCacheFolder(),
    random: Math.random,
    onError: () => undefined,
    ...options,
  };
}

/** Whether only this machine can reach a server bound to `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || isLoopbackV4(host);
}
