/**
 * The inner loop of the sessions, in WebAssembly (`assembly/sessions.ts`): its memory holds the clients and their open sessions,
 * 128 bytes each, and tells the caller what happens less often than once a request.
 */

import { constantOf, wasmModule } from '../../base/wasm/wasm.ts';
import { type EventRows, INTS } from '../events/events.ts';
import type { ItemTable } from '../events/items.ts';
import type { Sample } from '../events/reservoir.ts';
import { SESSIONS } from './kernel.generated.ts';

/** Steps and gaps that are kept of an open session. */
export const KEPT_STEPS = 15;
/** Places in a record. Doubles: start of the session, end of its latest request. */
export const FIRST = 0;
export const END = 1;
/** Integers: requests of the open session; of the client so far, with BY_ID when a session id names it. */
export const COUNT = 6;
export const REQUESTS = 7;
export const BY_ID = 1 << 30;
/** Floats, counted as integers are: the gap before each step, s. */
export const GAPS = 9;
/** Unsigned 16 bits: the steps. */
export const STEPS = 48;

/** What the inner loop tells; `record` is a place in its memory, in bytes. */
export interface SessionEvents {
  /** A client's first request. */
  fresh(client1: number, client2: number): void;
  /** A session is over. */
  closed(record: number): void;
  /**
   * A think time, s, between two routes of which one is not among the first NEAR; samples of the others come with the sums.
   * `long`: 1 in a session of more than KEPT_STEPS requests.
   */
  gap(from: number, to: number, seconds: number, long: number): void;
  /** Asks for the seed of the sample of two of the first NEAR routes, 32 bits. */
  seed(from: number, to: number): number;
  /** The first request of a session id, whose session may have begun without one (`adopt`). */
  named(record: number, client1: number, client2: number, start: number): void;
  /** `byId`: 1 when a session id names the client. */
  begun(start: number, byId: number): void;
  /** So many requests were in the minute that holds this time. */
  minute(time: number, requests: number): void;
}

const ignored = (): void => {};
/** For whoever looks at silences alone. */
export const NO_EVENTS: SessionEvents = {
  fresh: ignored,
  closed: ignored,
  named: ignored,
  gap: ignored,
  seed: () => 0,
  begun: ignored,
  minute: ignored,
};

/** The memory in which records lie, seen as numbers of each kind. */
export interface RecordViews {
  readonly doubles: Float64Array;
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly shorts: Uint16Array;
}

export interface SessionsKernel {
  /** Adds the first `n` rows, in order of their start. */
  add(rows: EventRows, n: number): void;
  /** Views of the memory now; it moves when it grows. */
  views(): RecordViews;
  /** Whether the client of an ended session holds many users. */
  isShared(record: number): boolean;
  /** Adds the gaps between the first `n` steps that are kept of an ended session to the samples, those of long ones apart. */
  offerGaps(record: number, n: number, long: boolean): void;
  /**
   * Within `named`: gives the session id the open session of this address and agent.
   * @returns whether there is one that may be the same
   */
  adopt(record: number, client1: number, client2: number, start: number): boolean;
  /** Ends all sessions; nothing can be added or looked at afterwards. */
  finish(): SessionSums;
}

export interface SessionSums {
  readonly silences: Float64Array;
  readonly late: number;
  readonly overlapping: number;
  readonly sharedClients: number;
  readonly burstGaps: number;
  /** Requests that equal the one before of their client in start, end and route. */
  readonly repeated: number;
  /** Of the think times between two of the first NEAR routes (`assembly/session-layout.ts`), s. */
  readonly samples: readonly PairSample[];
  /** The same within sessions of more than KEPT_STEPS requests. */
  readonly longSamples: readonly PairSample[];
  readonly items: ItemTable;
}

export interface PairSample {
  readonly from: number;
  readonly to: number;
  readonly gaps: Sample;
}

interface Exports {
  open(gap: number, slack: number, samples: number): void;
  add(n: number): void;
  isShared(record: number): number;
  adopt(record: number, client1: number, client2: number, start: number): number;
  offerGaps(record: number, n: number, long: boolean): void;
  finish(): void;
}

/** Bins of the silences: bin i holds [2^(i/8), 2^((i+1)/8)) seconds, the last one everything beyond. */
export const SILENCE_BINS = 8 * 20;

const instance = wasmModule(SESSIONS);

/** An instance, and who is told by it. */
interface Run {
  readonly exports: Exports;
  readonly at: (name: string) => number;
  readonly memory: { readonly buffer: ArrayBuffer };
  events: SessionEvents;
}

/** Instances that nobody uses now: each takes an address range that is scarce, and many files are learned from in turns. */
const idle: Run[] = [];

function newRun(events: SessionEvents): Run {
  const exports = instance({
    sessions: {
      fresh: (client1: number, client2: number) => run.events.fresh(client1, client2),
      closed: (record: number) => run.events.closed(record >>> 0),
      named: (record: number, client1: number, client2: number, start: number) =>
        run.events.named(record >>> 0, client1, client2, start),
      begun: (start: number, byId: number) => run.events.begun(start, byId),
      minute: (time: number, requests: number) => run.events.minute(time, requests),
    },
    gaps: {
      gap: (from: number, to: number, seconds: number, long: number) => run.events.gap(from, to, seconds, long),
      seed: (from: number, to: number) => run.events.seed(from, to),
    },
  });
  const run: Run = {
    exports: exports as unknown as Exports,
    at: (name) => constantOf(exports, name),
    memory: exports.memory,
    events,
  };
  return run;
}

export interface SessionRules {
  /** Silence that ends a session, ms. */
  readonly gap: number;
  /** By how much a request may begin before the end of the one before, ms. */
  readonly slack: number;
  /** Think times kept per pair of routes; 0: none is kept or told. */
  readonly samples: number;
}

export function sessionsKernel({ gap, slack, samples }: SessionRules, events: SessionEvents): SessionsKernel {
  const run = idle.pop() ?? newRun(events);
  run.events = events;
  const { exports, at, memory } = run;
  const rowsAt = at('ROWS');
  const mostRows = at('MOST_ROWS');
  exports.open(gap, slack, samples);
  let views: RecordViews = viewsOf(memory.buffer);
  const look = (): RecordViews => {
    if (views.ints.length === 0) views = viewsOf(memory.buffer);
    return views;
  };
  for (let i = 0; i < 7; i++) views.doubles[at('EIGHTHS') / 8 + i] = 2 ** ((i + 1) / 8);
  return {
    add({ ints }, n) {
      for (let first = 0; first < n; first += mostRows) {
        const some = Math.min(mostRows, n - first);
        look().ints.set(ints.subarray(first * INTS, (first + some) * INTS), rowsAt / 4);
        exports.add(some);
      }
    },
    views: look,
    isShared: (record) => exports.isShared(record) !== 0,
    offerGaps: (record, n, long) => exports.offerGaps(record, n, long),
    adopt: (record, client1, client2, start) => exports.adopt(record, client1, client2, start) !== 0,
    finish() {
      exports.finish();
      const sums = sumsOf(look(), at, samples);
      idle.push(run);
      return sums;
    },
  };
}

/** All that outlives the memory. */
function sumsOf({ doubles, ints }: RecordViews, at: (name: string) => number, capacity: number): SessionSums {
  // Without a sign: they may lie beyond 2 GB.
  const int = (name: string): number => (ints[at(name) / 4] as number) >>> 0;
  const some = (start: number, n: number): Float64Array => doubles.slice(start / 8, start / 8 + n);
  const kept = at('ENDS_KEPT');
  const anyItem = int('ITEM_SIZE') > 0;
  return {
    silences: some(at('SILENCES'), SILENCE_BINS),
    late: int('LATE'),
    overlapping: int('OVERLAPPING'),
    sharedClients: int('SHARED_CLIENTS'),
    burstGaps: int('BURST_GAPS'),
    repeated: int('REPEATED'),
    samples: samplesOf({ doubles, ints }, at, at('PAIRS'), capacity),
    longSamples: samplesOf({ doubles, ints }, at, at('LONG_PAIRS'), capacity),
    items: {
      cells: some(int('ITEM_CELLS'), int('ITEM_SIZE') * 2),
      views: doubles[at('VIEWS') / 8] as number,
      early: some(int('EARLY'), anyItem ? kept : 0),
      recent: some(int('RECENT'), anyItem ? kept : 0),
      at: int('RECENT_AT'),
    },
  };
}

function samplesOf(
  { doubles, ints }: Pick<RecordViews, 'doubles' | 'ints'>,
  at: (name: string) => number,
  pairs: number,
  capacity: number,
): PairSample[] {
  const size = at('CHUNK_VALUES');
  const near = at('NEAR');
  const samples: PairSample[] = [];
  for (let pair = 0; pair < near * near; pair++) {
    const sample = pairs + pair * at('SAMPLE_BYTES');
    const n = doubles[(sample + at('OFFERED')) / 8] as number;
    if (n === 0) continue;
    const values = new Float64Array(Math.min(n, capacity));
    const chunks = ((ints[(sample + at('CHUNKS')) / 4] as number) >>> 0) / 4;
    for (let first = 0; first < values.length; first += size) {
      const chunk = ((ints[chunks + first / size] as number) >>> 0) / 8;
      values.set(doubles.subarray(chunk, chunk + Math.min(size, values.length - first)), first);
    }
    samples.push({ from: Math.floor(pair / near), to: pair % near, gaps: { n, values } });
  }
  return samples;
}

function viewsOf(buffer: ArrayBuffer): RecordViews {
  return {
    doubles: new Float64Array(buffer),
    ints: new Int32Array(buffer),
    floats: new Float32Array(buffer),
    shorts: new Uint16Array(buffer),
  };
}
