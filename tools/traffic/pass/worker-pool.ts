/**
 * Several threads: workers parse, this thread keeps sessions, so that the result is the same as with one, and parses too while
 * no worker has anything for it. Large plain files of formats without header lines are cut into stretches at line ends; other
 * files are read whole by one worker.
 */
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { copyInto, type EventRows, INTS, newRows, PART_ROWS, ROUTE, SHORTS } from '../events/events.ts';
import type { Source } from '../input/sources.ts';
import { type RouteTable, routeTable } from '../templates/route-table.ts';
import { CLASSES, type FileCounts } from './accounting.ts';
import type { SourcePart, SourceReader } from './full-pass.ts';
import type { Learned } from './learn-pass.ts';
import type { ParserOptions } from './line-parser.ts';
import {
  LEAST_EVENTS,
  type ParseJob,
  type ParseReply,
  sharedParts,
  slotsOf,
  type WorkerSetup,
} from './parse-worker.ts';
import { readSource } from './read-source.ts';
import { cutPoints, stretchOf } from './stretches.ts';

/** Threads that have been started and wait for what to read. */
export interface WorkerPool {
  /** @param stop leaves it at what has been read */
  reader(
    setup: WorkerSetup,
    routes: RouteTable,
    learned: Pick<Learned, 'stateless' | 'formats'>,
    stop?: AbortSignal,
  ): SourceReader;
  close(): Promise<void>;
}

/** Below this many bytes starting workers costs more than it saves. */
const LEAST_BYTES = 100 << 20;
/**
 * Bytes of the stretches that a worker has been given and this thread has not taken in yet: enough to go on with while this
 * thread is busy with something else, but two stretches at least.
 */
const BYTES_AHEAD = 64 << 20;
/** Stretches that this thread reads while it has nothing else to do. */
const LOCAL_AHEAD = 2;

interface PoolWorker {
  readonly thread: Worker;
  /** Where its parts lie. */
  readonly slots: readonly EventRows[];
  /** Jobs given and not taken in yet, all of one source. */
  jobs: number;
  replies: ParseReply[];
  wake: (() => void) | undefined;
  /** Route numbers of the worker to those of this thread. */
  readonly routes: number[];
}

/** Stretches that this thread reads ahead have route numbers of their own too: numbers are given in the order of the log. */
interface LocalParser {
  readonly options: ParserOptions;
  readonly routes: number[];
  namesSent: number;
  /** Memory for parts, used again. */
  readonly free: EventRows[];
}

interface LocalPart extends SourcePart {
  readonly newNames: readonly string[];
}

/** A stretch that this thread reads. */
interface LocalStretch {
  readonly parts: AsyncGenerator<SourcePart>;
  readonly ready: LocalPart[];
  ended: boolean;
}

/**
 * Starts the workers, so that they come up while this thread learns.
 * @param threads all of them: this one keeps the sessions, and parses when it has nothing else to do
 * @returns `undefined` when one thread is as good, or the worker's file is not there (sources run unbuilt)
 */
export function startWorkerPool(
  sources: readonly Source[],
  threads: number,
  leastBytes = LEAST_BYTES,
): WorkerPool | undefined {
  const bytes = sources.reduce((sum, source) => sum + (source.once ? 0 : source.size), 0);
  const file = workerFile();
  if (threads < 2 || bytes < leastBytes || file === undefined) return undefined;
  const workers = Array.from({ length: threads - 1 }, () => startWorker(file));
  return {
    reader: (setup, routes, learned, stop) => pooledReader(workers, setup, routes, learned, stop),
    async close() {
      await Promise.all(workers.map((worker) => worker.thread.terminate()));
    },
  };
}

function pooledReader(
  workers: readonly PoolWorker[],
  setup: WorkerSetup,
  routes: RouteTable,
  { stateless, formats }: Pick<Learned, 'stateless' | 'formats'>,
  stop: AbortSignal | undefined,
): SourceReader {
  const stopped = (): boolean => stop?.aborted === true;
  const forwardStop = (): void => {
    for (const worker of workers) worker.thread.postMessage({ stop: true });
  };
  stop?.addEventListener('abort', forwardStop, { once: true });
  const here = { ...setup, routes, itemRoutes: new Set(setup.itemRoutes), stopped };
  const numbers = (): number[] => routes.names.map((_, i) => i);
  const table = routeTable(setup.templates, setup.queryKeys);
  const local: LocalParser = {
    options: { ...here, routes: table, cacheFor: table },
    routes: numbers(),
    namesSent: table.names.length,
    free: [],
  };
  for (const worker of workers) {
    // All tables begin with the same templates.
    worker.routes.push(...numbers());
    worker.thread.postMessage({ setup });
  }

  const withRoutesOf = (part: LocalPart, numbersOf: number[], before: number): SourcePart => {
    for (const name of part.newNames) numbersOf.push(routes.routeOf(name));
    return renumbered({ ...part, bytes: before + part.bytes }, numbersOf);
  };

  return async function* read(source, index) {
    if (source.once) {
      yield* readSource(source, here);
      return;
    }
    const cuts = source.plain && stateless[index] === true ? await cutPoints(source) : [0, source.size];
    const whole = cuts.length <= 2;
    const ahead = Math.max(2, Math.ceil(BYTES_AHEAD / stretchOf(source.size)));
    const jobs = cuts.slice(1).map(
      (to, i): ParseJob => ({
        name: source.name,
        ...(whole ? {} : { from: cuts[i] as number, to }),
        ...(i > 0 ? { before: formats[index] } : {}),
      }),
    );
    const free = workers.filter((worker) => worker.jobs === 0);
    const readers: (PoolWorker | LocalStretch)[] = [];

    /** Gives out stretches from the first that nobody has. */
    const assignJobs = (): void => {
      for (let round = 1; round <= ahead; round++) {
        for (const worker of free) {
          if (worker.jobs >= round || readers.length === jobs.length) continue;
          worker.jobs++;
          worker.thread.postMessage(jobs[readers.length] as ParseJob);
          readers.push(worker);
        }
      }
    };
    const claimStretch = (): LocalStretch => {
      const job = jobs[readers.length] as ParseJob;
      const parts = readSource(source, { ...local.options, before: job.before }, job.from, job.to, LEAST_EVENTS);
      const stretch: LocalStretch = { parts, ready: [], ended: false };
      readers.push(stretch);
      return stretch;
    };
    /** Reads a part of a stretch that comes later. @returns false when there is nothing to read ahead */
    const readAhead = async (current: number): Promise<boolean> => {
      const mine = readers.slice(current).filter((one): one is LocalStretch => 'ready' in one);
      let stretch = mine.find((one) => !one.ended);
      if (stretch === undefined && mine.length < LOCAL_AHEAD && readers.length < jobs.length) stretch = claimStretch();
      if (stretch === undefined) return false;
      await readPart(stretch, local);
      return true;
    };

    // The stretch under way ends with its counts; those after it have not been taken in.
    for (let i = 0; i < jobs.length && (i === 0 || !stopped()); i++) {
      assignJobs();
      // With no worker free (many sources at once) this thread does it: waiting could wait for itself.
      const reader = readers[i] ?? claimStretch();
      const before = (jobs[i] as ParseJob).from ?? 0;
      for (let done = false; !done; ) {
        if ('ready' in reader) {
          while (reader.ready.length === 0) await readPart(reader, local);
          const part = reader.ready.shift() as LocalPart;
          done = part.counts !== undefined;
          yield withRoutesOf(part, local.routes, before);
          if (part.block.rows.ints.length === PART_ROWS * INTS) local.free.push(part.block.rows);
          continue;
        }
        if (reader.replies.length === 0) await setImmediate();
        const reply = reader.replies.shift();
        if (reply === undefined) {
          if (!(await readAhead(i + 1))) await nextReply(reader);
          continue;
        }
        if (reply.error !== undefined) throw new Error(reply.error);
        done = reply.done;
        if (done) {
          reader.jobs--;
          assignJobs();
        }
        const block = reply.block ?? { n: reply.n, rows: reader.slots[reply.slot] as EventRows };
        yield withRoutesOf({ ...reply, block }, reader.routes, before);
        reader.thread.postMessage({ taken: reply.slot });
      }
    }
  };
}

async function readPart(stretch: LocalStretch, local: LocalParser): Promise<void> {
  const { done, value } = await stretch.parts.next();
  if (done === true) {
    stretch.ended = true;
    return;
  }
  const { names } = local.options.routes;
  const block = copyInto(local.free.pop() ?? newRows(PART_ROWS), value.block);
  stretch.ready.push({ ...value, block, newNames: names.slice(local.namesSent) });
  stretch.ended = value.counts !== undefined;
  local.namesSent = names.length;
  // The last part brings the counts; this lets the reader give its kernel back.
  if (stretch.ended) await stretch.parts.return(undefined);
}

async function nextReply(worker: PoolWorker): Promise<void> {
  while (worker.replies.length === 0) {
    await new Promise<void>((resolve) => {
      worker.wake = resolve;
    });
  }
}

function startWorker(file: string): PoolWorker {
  const memory = sharedParts();
  const thread = new Worker(file, { workerData: memory, stdin: true });
  const worker: PoolWorker = { thread, slots: slotsOf(memory), jobs: 0, routes: [], replies: [], wake: undefined };
  const deliver = (reply: ParseReply): void => {
    worker.replies.push(reply);
    worker.wake?.();
  };
  thread.on('message', deliver);
  thread.on('error', (error: Error) => {
    deliver({ error: error.message, done: true } as unknown as ParseReply);
  });
  return worker;
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

function renumbered(part: SourcePart, routes: readonly number[]): SourcePart {
  const { block } = part;
  const { shorts } = block.rows;
  // All tables begin with the same templates, and most logs have little else.
  if (routes.every((to, i) => to === i)) return part;
  for (let i = ROUTE; i < block.n * SHORTS; i += SHORTS) shorts[i] = routes[shorts[i] as number] as number;
  if (part.counts === undefined) return part;
  const counts: FileCounts = { ...part.counts, endpoints: [] };
  part.counts.endpoints.forEach((n, cell) => {
    const to = (routes[Math.floor(cell / CLASSES)] as number) * CLASSES + (cell % CLASSES);
    while (counts.endpoints.length <= to) counts.endpoints.push(0);
    counts.endpoints[to] = (counts.endpoints[to] as number) + n;
  });
  return { ...part, counts };
}
