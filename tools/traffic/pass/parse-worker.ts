/** Worker thread: parses sources or stretches of them and sends events as blocks of columns. */
import { parentPort } from 'node:worker_threads';
import { openSource } from '../input/sources.ts';
import type { ReaderOptions } from '../readers/raw-record.ts';
import { routeTable, type Template } from '../templates/route-table.ts';
import type { FileCounts } from './accounting.ts';
import { type EventBlock, transferables } from './events.ts';
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
  readonly block: EventBlock;
  readonly bytes: number;
  readonly counts?: FileCounts;
  /** Routes that the worker has made since its last reply; their numbers follow on. */
  readonly newNames: readonly string[];
  readonly done: boolean;
  readonly error?: string;
}

/** Blocks that may be under way before the reader has taken one. */
const AHEAD = 8;

export function serve(): void {
  const port = parentPort;
  if (port === null) return;
  let credit = AHEAD;
  let wake: (() => void) | undefined;
  let run: ((job: ParseJob) => Promise<void>) | undefined;
  /** One job after the other. */
  let jobs: Promise<void> = Promise.resolve();

  function begin(setup: WorkerSetup): (job: ParseJob) => Promise<void> {
    const routes = routeTable(setup.templates, setup.queryKeys);
    const options = { ...setup, routes, itemRoutes: new Set(setup.itemRoutes) };
    let told = routes.names.length;
    return async (job) => {
      const source = await openSource(job.name, process.stdin);
      for await (const part of readSource(source, { ...options, before: job.before }, job.from, job.to, false)) {
        while (credit <= 0) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        credit--;
        const newNames = routes.names.slice(told);
        told = routes.names.length;
        const reply: ParseReply = { ...part, newNames, done: part.counts !== undefined };
        port?.postMessage(reply, transferables(part.block));
      }
    };
  }

  port.on('message', (message: { setup: WorkerSetup } | ParseJob | 'taken') => {
    if (message === 'taken') {
      credit++;
      wake?.();
    } else if ('setup' in message) run = begin(message.setup);
    else {
      jobs = jobs
        .then(() => run?.(message))
        .catch((error: Error) => {
          port.postMessage({ error: error.message, newNames: [], done: true, bytes: 0 } as unknown as ParseReply);
        });
    }
  });
}
