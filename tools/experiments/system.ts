/** The system under test of an experiment: the reference bookstore as a process of its own, with its admin routes. */
import { join } from 'node:path';
import { packageRoot } from '../base/package.ts';
import { UserError } from '../base/user-error.ts';
import { type Server, startServer } from '../start/server.ts';

export interface System {
  readonly url: string;
  /** Replaces the faults in force; an empty list ends them. */
  readonly faults: (faults: readonly object[]) => Promise<void>;
  /** Empties the output cache. */
  readonly purge: () => Promise<void>;
  /** Details requests answered or begun so far. */
  readonly requests: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

export interface SystemOptions {
  /** PostgreSQL to use; without it the embedded one. */
  readonly databaseUrl?: string;
  /** Life of a cached answer, s. */
  readonly cacheTtl: number;
}

/** The embedded database takes seconds to fill; a busy machine takes several times as long. */
const READY_MS = 180_000;

/** Starts a bookstore; aborting the signal ends it at once. @throws UserError when it does not come up */
export async function startSystem(options: SystemOptions, signal: AbortSignal): Promise<System> {
  const args = ['bookstore', '--json', '--admin', '--cache-ttl', `${options.cacheTtl}`];
  if (options.databaseUrl !== undefined) args.push('--database-url', options.databaseUrl);
  const server: Server = await startServer(
    {
      name: 'bookstore',
      program: process.execPath,
      args: [join(packageRoot(), 'bin', 'bookstore-load.mjs'), ...args],
      readyMs: READY_MS,
    },
    signal,
  );
  return {
    url: server.url,
    faults: async (faults) => {
      const answer = await fetch(`${server.url}/admin/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ faults }),
      });
      if (!answer.ok) throw new UserError(`the bookstore refused the faults: ${await answer.text()}`);
    },
    purge: async () => {
      const answer = await fetch(`${server.url}/admin/cache/purge`, { method: 'POST' });
      if (!answer.ok) throw new UserError(`the bookstore did not empty its cache: ${await answer.text()}`);
    },
    requests: async () => {
      const stats = (await (await fetch(`${server.url}/admin/stats`)).json()) as {
        cache: { hits: number; misses: number };
      };
      return stats.cache.hits + stats.cache.misses;
    },
    stop: server.stop,
  };
}
