/**
 * Several threads: workers parse, this thread keeps sessions, so that the result is the same as with one, and parses too while
 * no worker has anything for it. Large plain files of formats without header lines are cut into stretches at line ends; other
 * files are read whole by one worker.
 */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { copyInto, type EventRows, INTS, newRows, PART_ROWS, ROUTE, SHORTS } from '../events/events.ts';
import type { Source } from '../input/sources.ts';
import { type RouteTable, routeTable } from '../templates/route-table.ts';
import type { FileCounts } from './accounting.ts';
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

/** Threads that have been started and wait to be told how to read. */
export interface Crew {
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
export const WORTH_WORKERS = 100 << 20;
/** Bytes of a stretch: many of them, so that all threads end together, but not so small that beginning one counts. */
const stretchOf = (size: number): number => Math.min(24 << 20, Math.max(4 << 20, size / 32));
/**
 * Bytes of the stretches that a worker has been given and this thread has not taken in yet: enough to go on with while this
 * thread is busy with something else, but two stretches at least.
 */
const BYTES_AHEAD = 64 << 20;
/** Stretches that this thread reads while it has nothing else to do. */
const OWN_AHEAD = 2;

interface Helper {
  readonly worker: Worker;
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
interface Own {
  readonly options: ParserOptions;
  readonly routes: number[];
  told: number;
  /** Memory for parts, used again. */
  readonly free: EventRows[];
}

interface OwnPart extends SourcePart {
  readonly newNames: readonly string[];
}

/** A stretch that this thread reads. */
interface OwnStretch {
  readonly parts: AsyncGenerator<SourcePart>;
  readonly ready: OwnPart[];
  ended: boolean;
}

/**
 * Starts the workers, so that they come up while this thread learns.
 * @param threads all of them: this one keeps the sessions, and parses when it has nothing else to do
 * @returns `undefined` when one thread is as good, or the worker's file is not there (sources run unbuilt)
 */
export function startCrew(sources: readonly Source[], threads: number, least = WORTH_WORKERS): Crew | undefined {
  const bytes = sources.reduce((sum, source) => sum + (source.once ? 0 : source.size), 0);
  const file = workerFile();
  if (threads < 2 || bytes < least || file === undefined) return undefined;
  const helpers = Array.from({ length: threads - 1 }, () => startHelper(file));
  return {
    reader: (setup, routes, learned, stop) => crewReader(helpers, setup, routes, learned, stop),
    async close() {
      await Promise.all(helpers.map((helper) => helper.worker.terminate()));
    },
  };
}

function crewReader(
  helpers: readonly Helper[],
  setup: WorkerSetup,
  routes: RouteTable,
  { stateless, formats }: Pick<Learned, 'stateless' | 'formats'>,
  stop: AbortSignal | undefined,
): SourceReader {
  const stopped = (): boolean => stop?.aborted === true;
  const tell = (): void => {
    for (const helper of helpers) helper.worker.postMessage({ stop: true });
  };
  stop?.addEventListener('abort', tell, { once: true });
  const here = { ...setup, routes, itemRoutes: new Set(setup.itemRoutes), stopped };
  const numbers = (): number[] => routes.names.map((_, i) => i);
  const table = routeTable(setup.templates, setup.queryKeys);
  const own: Own = {
    options: { ...here, routes: table, taught: table },
    routes: numbers(),
    told: table.names.length,
    free: [],
  };
  for (const helper of helpers) {
    // All tables begin with the same templates.
    helper.routes.push(...numbers());
    helper.worker.postMessage({ setup });
  }

  const known = (part: OwnPart, numbersOf: number[], before: number): SourcePart => {
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
    const free = helpers.filter((helper) => helper.jobs === 0);
    const readers: (Helper | OwnStretch)[] = [];

    /** Gives out stretches from the first that nobody has. */
    const giveOut = (): void => {
      for (let round = 1; round <= ahead; round++) {
        for (const helper of free) {
          if (helper.jobs >= round || readers.length === jobs.length) continue;
          helper.jobs++;
          helper.worker.postMessage(jobs[readers.length] as ParseJob);
          readers.push(helper);
        }
      }
    };
    const takeOne = (): OwnStretch => {
      const job = jobs[readers.length] as ParseJob;
      const parts = readSource(source, { ...own.options, before: job.before }, job.from, job.to, LEAST_EVENTS);
      const stretch: OwnStretch = { parts, ready: [], ended: false };
      readers.push(stretch);
      return stretch;
    };
    /** Reads a part of a stretch that comes later. @returns false when there is nothing to read ahead */
    const readAhead = async (current: number): Promise<boolean> => {
      const mine = readers.slice(current).filter((one): one is OwnStretch => 'ready' in one);
      let stretch = mine.find((one) => !one.ended);
      if (stretch === undefined && mine.length < OWN_AHEAD && readers.length < jobs.length) stretch = takeOne();
      if (stretch === undefined) return false;
      await readPart(stretch, own);
      return true;
    };

    // The stretch under way ends with its counts; those after it have not been taken in.
    for (let i = 0; i < jobs.length && (i === 0 || !stopped()); i++) {
      giveOut();
      // With no worker free (many sources at once) this thread does it: waiting could wait for itself.
      const reader = readers[i] ?? takeOne();
      const before = (jobs[i] as ParseJob).from ?? 0;
      for (let done = false; !done; ) {
        if ('ready' in reader) {
          while (reader.ready.length === 0) await readPart(reader, own);
          const part = reader.ready.shift() as OwnPart;
          done = part.counts !== undefined;
          yield known(part, own.routes, before);
          if (part.block.rows.ints.length === PART_ROWS * INTS) own.free.push(part.block.rows);
          continue;
        }
        if (reader.replies.length === 0) await setImmediate();
        const reply = reader.replies.shift();
        if (reply === undefined) {
          if (!(await readAhead(i + 1))) await arrival(reader);
          continue;
        }
        if (reply.error !== undefined) throw new Error(reply.error);
        done = reply.done;
        if (done) {
          reader.jobs--;
          giveOut();
        }
        const block = reply.block ?? { n: reply.n, rows: reader.slots[reply.slot] as EventRows };
        yield known({ ...reply, block }, reader.routes, before);
        reader.worker.postMessage({ taken: reply.slot });
      }
    }
  };
}

async function readPart(stretch: OwnStretch, own: Own): Promise<void> {
  const { done, value } = await stretch.parts.next();
  if (done === true) {
    stretch.ended = true;
    return;
  }
  const { names } = own.options.routes;
  const block = copyInto(own.free.pop() ?? newRows(PART_ROWS), value.block);
  stretch.ready.push({ ...value, block, newNames: names.slice(own.told) });
  stretch.ended = value.counts !== undefined;
  own.told = names.length;
  // The last part brings the counts; this lets the reader give its kernel back.
  if (stretch.ended) await stretch.parts.return(undefined);
}

async function arrival(helper: Helper): Promise<void> {
  while (helper.replies.length === 0) {
    await new Promise<void>((resolve) => {
      helper.wake = resolve;
    });
  }
}

function startHelper(file: string): Helper {
  const memory = sharedParts();
  const worker = new Worker(file, { workerData: memory, stdin: true });
  const helper: Helper = { worker, slots: slotsOf(memory), jobs: 0, routes: [], replies: [], wake: undefined };
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

/** Byte positions that begin a line, about a stretch apart, from 0 to the size. */
async function cutPoints(source: Source): Promise<number[]> {
  const cuts = [0];
  const stretch = Math.floor(stretchOf(source.size));
  const file = await open(source.name, 'r');
  const buffer = Buffer.alloc(1 << 16);
  try {
    for (let wanted = stretch; wanted < source.size; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, wanted);
      const newline = buffer.subarray(0, bytesRead).indexOf(10);
      if (newline < 0) {
        wanted += Math.max(1, bytesRead);
        continue;
      }
      cuts.push(wanted + newline + 1);
      wanted += newline + 1 + stretch;
    }
  } finally {
    await file.close();
  }
  if ((cuts.at(-1) as number) < source.size) cuts.push(source.size);
  return cuts;
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
    const to = (routes[Math.floor(cell / 6)] as number) * 6 + (cell % 6);
    while (counts.endpoints.length <= to) counts.endpoints.push(0);
    counts.endpoints[to] = (counts.endpoints[to] as number) + n;
  });
  return { ...part, counts };
}
