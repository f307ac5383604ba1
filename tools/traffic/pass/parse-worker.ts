/** Worker thread: parses sources or stretches of them and sends events as blocks of columns. */
import { parentPort, workerData } from 'node:worker_threads';
import { copyInto, type EventBlock, type EventRows, PART_ROWS, ROW_BYTES, rowsOf } from '../events/events.ts';
import { openSource, type Source } from '../input/sources.ts';
import type { ReaderOptions } from '../readers/raw-record.ts';
import { routeTable, type Template } from '../templates/route-table.ts';
import type { FileCounts } from './accounting.ts';
import { readSource } from './read-source.ts';

export interface WorkerSetup {
  readonly format: string;
  readonly reader: ReaderOptions;
  readonly dropped: Uint8Array;
  readonly templates: readonly Template[];
  readonly queryKeys: readonly string[];
  readonly itemRoutes: readonly string[];
}

export interface ParseJob {
  readonly name: string;
  readonly from?: number;
  readonly to?: number;
  /** Format of the lines before `from`. */
  readonly before?: string | undefined;
}

export interface ParseReply {
  /** Events, and where they lie in the shared memory: PART_ROWS a slot, to be given back with `taken`. */
  readonly n: number;
  readonly slot: number;
  /** Events that are too many for a slot. */
  readonly block?: EventBlock;
  readonly bytes: number;
  readonly counts?: FileCounts;
  readonly links?: readonly number[];
  /** Routes that the worker has made since its last reply; their numbers follow on. */
  readonly newNames: readonly string[];
  readonly done: boolean;
  readonly error?: string;
}

export type ParseMessage = { setup: WorkerSetup } | ParseJob | { taken: number } | { stop: true };

/** Events that make a part worth a message between threads. */
export const LEAST_EVENTS = 12288;
/** Parts that may be under way before the reader has taken one. */
const SLOTS = 16;

/** Memory in which a worker hands on its parts. */
export function sharedParts(): SharedArrayBuffer {
  return new SharedArrayBuffer(SLOTS * PART_ROWS * ROW_BYTES);
}

/** Its slots. */
export function slotsOf(memory: SharedArrayBuffer): EventRows[] {
  return Array.from({ length: SLOTS }, (_, slot) => rowsOf(memory, slot * PART_ROWS * ROW_BYTES, PART_ROWS));
}

export function serve(): void {
  const port = parentPort;
  if (port === null) return;
  const slots = slotsOf(workerData as SharedArrayBuffer);
  const free = slots.map((_, slot) => slot);
  let wake: (() => void) | undefined;
  let stopping = false;
  let run: ((job: ParseJob) => Promise<void>) | undefined;
  /** One job after the other. */
  let jobs: Promise<void> = Promise.resolve();

  function begin(setup: WorkerSetup): (job: ParseJob) => Promise<void> {
    const routes = routeTable(setup.templates, setup.queryKeys);
    const options = {
      ...setup,
      routes,
      itemRoutes: new Set(setup.itemRoutes),
      cacheFor: routes,
      stopped: () => stopping,
    };
    let namesSent = routes.names.length;
    let source: Source | undefined;
    return async (job) => {
      // Stretches of one file come one after the other.
      if (source?.name !== job.name) source = await openSource(job.name, process.stdin);
      for await (const part of readSource(source, { ...options, before: job.before }, job.from, job.to, LEAST_EVENTS)) {
        while (free.length === 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const slot = free.pop() as number;
        const rows = slots[slot] as EventRows;
        const block = copyInto(rows, part.block);
        const newNames = routes.names.slice(namesSent);
        namesSent = routes.names.length;
        const reply: ParseReply = {
          n: block.n,
          slot,
          ...(block.rows === rows ? {} : { block }),
          bytes: part.bytes,
          ...(part.links === undefined ? {} : { links: part.links }),
          ...(part.counts === undefined ? {} : { counts: part.counts }),
          newNames,
          done: part.counts !== undefined,
        };
        port?.postMessage(reply);
      }
    };
  }

  port.on('message', (message: ParseMessage) => {
    if ('taken' in message) {
      free.push(message.taken);
      wake?.();
    } else if ('stop' in message) stopping = true;
    else if ('setup' in message) run = begin(message.setup);
    else {
      jobs = jobs
        .then(() => run?.(message))
        .catch((error: Error) => {
          port.postMessage({ error: error.message, newNames: [], done: true, bytes: 0 } as unknown as ParseReply);
        });
    }
  });
}
