/**
 * The embedded database: PostgreSQL in WASM in a worker thread behind a query port, so that its work never holds up
 * the API's event loop. It has one connection; a transaction keeps it to itself until it ends.
 */
import { Worker } from 'node:worker_threads';
import { DatabaseUnavailable, type Driver, type Row, type Run } from './driver.ts';

interface Answer {
  readonly ready?: true;
  readonly id?: number;
  readonly rows?: Row[];
  readonly error?: { message: string; code?: string };
}

interface Waiting {
  readonly resolve: (rows: Row[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Starts the database in its thread.
 * @param image file written by `dump`, to start from instead of an empty database
 * @throws Error when the database does not come up
 */
export async function openEmbedded(image?: string): Promise<Driver> {
  // In the build the worker lies beside the chunks, in the sources beside this file: the same relative place.
  const worker = new Worker(new URL('./embedded-worker.mjs', import.meta.url), { workerData: { image } });
  const waiting = new Map<number, Waiting>();
  let gone: string | undefined;
  let nextId = 1;

  const fail = (reason: string): void => {
    gone ??= reason;
    for (const { reject } of waiting.values()) reject(new DatabaseUnavailable(gone));
    waiting.clear();
  };
  const ask = (message: Record<string, unknown>): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      if (gone !== undefined) {
        reject(new DatabaseUnavailable(gone));
        return;
      }
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...message });
    });

  await new Promise<void>((resolve, reject) => {
    worker.on('message', ({ ready, id, rows, error }: Answer) => {
      if (ready) resolve();
      const asked = id === undefined ? undefined : waiting.get(id);
      if (id === undefined || asked === undefined) return;
      waiting.delete(id);
      if (error === undefined) asked.resolve(rows ?? []);
      else asked.reject(Object.assign(new Error(error.message), { code: error.code }));
    });
    worker.on('error', (error: Error) => {
      fail(`the embedded database stopped: ${error.message}`);
      reject(error);
    });
    worker.on('exit', (code) => {
      fail('the embedded database has ended');
      reject(new Error(`the embedded database ended with code ${code} before it was ready`));
    });
  });

  const post: Run = (text, values) => ask({ text, values: [...values] });
  const lock = mutex();
  return {
    kind: 'embedded',
    // A statement that slipped in between BEGIN and COMMIT of somebody else would be rolled back with them.
    run: (text, values) => (lock.held() ? lock.hold(() => post(text, values)) : post(text, values)),
    exclusive: (work) => lock.hold(() => work(post)),
    dump: async (file) => {
      await ask({ dump: file });
    },
    close: async () => {
      if (gone === undefined) await ask({ close: true }).catch(() => undefined);
      await worker.terminate();
    },
  };
}

/** Holders one after the other, in the order in which they came. */
function mutex(): { held(): boolean; hold<T>(work: () => Promise<T>): Promise<T> } {
  let tail: Promise<unknown> = Promise.resolve();
  let holders = 0;
  return {
    held: () => holders > 0,
    hold: (work) => {
      holders++;
      const result = tail.then(work);
      tail = result
        .catch(() => undefined)
        .finally(() => {
          holders--;
        });
      return result;
    },
  };
}
