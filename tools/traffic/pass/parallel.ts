/**
 * Several threads: workers parse, this thread keeps sessions, so that the result is the same as with one. Large plain files
 * of formats without header lines are cut into stretches at line ends; other files are read whole by one worker.
 */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Source } from '../input/sources.ts';
import type { RouteTable } from '../templates/route-table.ts';
import type { FileCounts } from './accounting.ts';
import { ROUTE, SHORTS } from './events.ts';
import type { SourcePart } from './full-pass.ts';
import type { ParseJob, ParseReply, WorkerSetup } from './parse-worker.ts';
import { readSource } from './read-source.ts';

export interface ParallelReader {
  read(source: Source, index: number): AsyncGenerator<SourcePart>;
  close(): Promise<void>;
}

/** Below this many bytes starting workers costs more than it saves. */
export const WORTH_WORKERS = 50 << 20;
const STRETCH = 16 << 20;

interface Helper {
  readonly worker: Worker;
  busy: boolean;
  /** Route numbers of the worker to those of this thread. */
  readonly routes: number[];
  replies: ParseReply[];
  wake: (() => void) | undefined;
}

/**
 * @param threads all of them: this one keeps the sessions, the others parse
 * @param stateless whether each source's lines can be read without the lines before
 * @returns `undefined` when one thread is as good, or the worker's file is not there (sources run unbuilt)
 */
export function parallelReader(
  sources: readonly Source[],
  threads: number,
  setup: WorkerSetup,
  routes: RouteTable,
  stateless: readonly boolean[],
  least = WORTH_WORKERS,
): ParallelReader | undefined {
  const bytes = sources.reduce((sum, source) => sum + (source.once ? 0 : source.size), 0);
  const file = workerFile();
  if (threads < 2 || bytes < least || file === undefined) return undefined;
  const helpers = Array.from({ length: threads - 1 }, () => startHelper(file, setup, routes));

  function start(job: ParseJob): Helper | undefined {
    const helper = helpers.find((one) => !one.busy);
    if (helper === undefined) return undefined;
    helper.busy = true;
    helper.worker.postMessage(job);
    return helper;
  }

  async function* follow(helper: Helper): AsyncGenerator<SourcePart> {
    for (;;) {
      while (helper.replies.length === 0) {
        await new Promise<void>((resolve) => {
          helper.wake = resolve;
        });
      }
      const reply = helper.replies.shift() as ParseReply;
      if (reply.error !== undefined) throw new Error(reply.error);
      for (const name of reply.newNames) helper.routes.push(routes.routeOf(name));
      helper.worker.postMessage('taken');
      const part = renumbered(reply, helper.routes);
      if (reply.done) helper.busy = false;
      yield part;
      if (reply.done) return;
    }
  }

  async function* read(source: Source, index: number): AsyncGenerator<SourcePart> {
    const here = { ...setup, routes, itemRoutes: new Set(setup.itemRoutes) };
    if (source.once) {
      yield* readSource(source, here);
      return;
    }
    const cuts = source.plain && stateless[index] === true ? await cutPoints(source) : [0, source.size];
    const whole = cuts.length <= 2;
    const jobs = cuts
      .slice(1)
      .map((to, i): ParseJob => ({ name: source.name, ...(whole ? {} : { from: cuts[i] as number, to }) }));
    const running: (Helper | undefined)[] = [];
    for (let i = 0; i < jobs.length; i++) {
      // As many stretches under way as there are workers; what comes out stays in order.
      while (running.length < jobs.length && running.length <= i + helpers.length) {
        const helper = start(jobs[running.length] as ParseJob);
        if (helper === undefined && running.length > i) break;
        running.push(helper);
      }
      const job = jobs[i] as ParseJob;
      const before = job.from ?? 0;
      const helper = running[i];
      // With no worker free (many sources at once) this thread does it: waiting could wait for itself.
      const parts = helper === undefined ? readSource(source, here, job.from, job.to) : follow(helper);
      for await (const part of parts) yield { ...part, bytes: before + part.bytes };
    }
  }

  return {
    read,
    async close() {
      await Promise.all(helpers.map((helper) => helper.worker.terminate()));
    },
  };
}

function startHelper(file: string, setup: WorkerSetup, routes: RouteTable): Helper {
  const worker = new Worker(file, { workerData: setup, stdin: true });
  // Both tables begin with the same templates.
  const helper: Helper = { worker, busy: false, routes: routes.names.map((_, i) => i), replies: [], wake: undefined };
  const deliver = (reply: ParseReply): void => {
    helper.replies.push(reply);
    helper.wake?.();
  };
  worker.on('message', deliver);
  worker.on('error', (error: Error) => {
    deliver({ error: error.message, done: true } as unknown as ParseReply);
  });
  return helper;
}

/** Beside the built command, or where a build has put it when this runs from the sources. */
function workerFile(): string | undefined {
  for (const place of [
    './traffic-worker.mjs',
    './tools/traffic-worker.mjs',
    '../../../dist/tools/traffic-worker.mjs',
  ]) {
    const file = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(file)) return file;
  }
  return undefined;
}

/** Byte positions that begin a line, about STRETCH apart, from 0 to the size. */
async function cutPoints(source: Source): Promise<number[]> {
  const cuts = [0];
  const file = await open(source.name, 'r');
  const buffer = Buffer.alloc(1 << 16);
  try {
    for (let wanted = STRETCH; wanted < source.size; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, wanted);
      const newline = buffer.subarray(0, bytesRead).indexOf(10);
      if (newline < 0) {
        wanted += Math.max(1, bytesRead);
        continue;
      }
      cuts.push(wanted + newline + 1);
      wanted += newline + 1 + STRETCH;
    }
  } finally {
    await file.close();
  }
  if ((cuts.at(-1) as number) < source.size) cuts.push(source.size);
  return cuts;
}

function renumbered(reply: ParseReply, routes: readonly number[]): SourcePart {
  const { block } = reply;
  const { shorts } = block.rows;
  for (let i = ROUTE; i < block.n * SHORTS; i += SHORTS) shorts[i] = routes[shorts[i] as number] as number;
  if (reply.counts === undefined) return { block, bytes: reply.bytes };
  const counts: FileCounts = { ...reply.counts, endpoints: [] };
  reply.counts.endpoints.forEach((n, cell) => {
    const to = (routes[Math.floor(cell / 6)] as number) * 6 + (cell % 6);
    while (counts.endpoints.length <= to) counts.endpoints.push(0);
    counts.endpoints[to] = (counts.endpoints[to] as number) + n;
  });
  return { block, bytes: reply.bytes, counts };
}
