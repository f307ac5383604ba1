/** Starts k6 paused and lets it go over its REST API: the only way to let several k6 processes begin at one moment. */

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StartBarrier } from './engine.ts';

/** k6 has made its VUs and waits for the end of the pause (its execution status). */
const WAITS = 4;
const POLL_MS = 25;

interface Status {
  readonly data?: { readonly attributes?: { readonly status?: number; readonly paused?: boolean } };
}

/** A paused start with a free loopback port for its API. */
export async function k6StartBarrier(): Promise<StartBarrier> {
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}/v1/status`;
  return {
    args: ['--paused', '--address', address],
    ready: async (over) => {
      while (!over.aborted) {
        const status = await ask(url);
        if ((status?.data?.attributes?.status ?? 0) >= WAITS) return;
        await sleep(POLL_MS);
      }
    },
    release: async () => {
      const body = JSON.stringify({ data: { type: 'status', id: 'default', attributes: { paused: false } } });
      // A worker that ended meanwhile says so itself.
      await fetch(url, { method: 'PATCH', body }).catch(() => undefined);
    },
  };
}

async function ask(url: string): Promise<Status | undefined> {
  try {
    return (await (await fetch(url)).json()) as Status;
  } catch {
    return undefined;
  }
}

/** A port that was free a moment ago; k6 cannot be asked which one it took. */
function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}
