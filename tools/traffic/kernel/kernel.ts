/**
 * The reader of everyday common and combined lines, in WebAssembly (`assembly/`): JavaScript reads a byte at a time, this reads
 * sixteen. It only knows lines that look like ones it has in its cache; the line parser does the rest, so the results are the
 * same with and without it.
 */

import { constantOf, wasmModule } from '../../base/wasm/wasm.ts';
import { type EventRows, rowsOf } from '../events/events.ts';
import { KERNEL } from './kernel.generated.ts';

/** Why `scan` came back. */
export const REASON = { end: 0, unusual: 1, time: 2, path: 3, query: 4, agent: 5, full: 6 } as const;
/** Index of the parts in `places`: start at twice the index, end after it. */
export const PLACE = { time: 0, method: 1, path: 2, query: 3, agent: 4 } as const;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  scan(from: number, end: number): number;
  putPath(route: number, pathClass: number, byQuery: boolean, options: boolean, itemSegment: number): void;
  putQuery(route: number): void;
  putAgent(hash: number, agentClass: number): void;
}

export interface Kernel {
  /** Whole memory; places are indices into it. */
  readonly bytes: Buffer;
  /** Where lines to read are put, and how many bytes of them. */
  readonly input: number;
  readonly inputBytes: number;
  /** That memory: lines that are read into it need not be copied. */
  readonly inputBuffer: Buffer;
  readonly mostRoutes: number;
  readonly rows: EventRows;
  /** Start and end of the parts of the line that stopped `scan`. */
  readonly places: Uint32Array;
  readonly noiseCounts: Uint32Array;
  readonly statusCounts: Uint32Array;
  /** Requests per route and status class (6). */
  readonly endpoints: Uint32Array;
  /** Time of the line before, the earliest and the latest, ms; NaN before the first. */
  readonly times: Float64Array;
  /** Reason, events, lines, steps back in time. */
  readonly state: Int32Array;
  /**
   * Forgets everything, but its cache only if that was filled for others.
   * @param noise indexed by ((path class * 3 + agent class) * 2 + OPTIONS) * 1000 + status
   * @param cacheFor stands for the routes and rules by which the cache is filled: the same object, the same rules
   */
  reset(noise: Uint8Array, dropped: Uint8Array, byKind: boolean, cacheFor: object): void;
  /** Remembers the minute whose stamp stands at `at`, 26 bytes and `] `. */
  putTime(at: number, minute: number): void;
  readonly scan: Exports['scan'];
  readonly putPath: Exports['putPath'];
  readonly putQuery: Exports['putQuery'];
  readonly putAgent: Exports['putAgent'];
}

const instance = wasmModule(KERNEL);

function newKernel(): Kernel {
  const exports = instance({});
  const run = exports as unknown as Exports;
  const at = (name: string): number => constantOf(exports, name);
  const { buffer } = run.memory;
  const bytes = Buffer.from(buffer);
  const times = new Float64Array(buffer, at('LAST_TIME'), 3);
  const state = new Int32Array(buffer, at('REASON'), 4);
  let filledFor: object | undefined;
  fillConstants(bytes, at);
  return {
    bytes,
    input: at('INPUT'),
    inputBytes: at('INPUT_BYTES'),
    inputBuffer: bytes.subarray(at('INPUT'), at('INPUT') + at('INPUT_BYTES')),
    mostRoutes: at('MOST_ROUTES'),
    rows: rowsOf(buffer, at('ROWS'), at('CAPACITY')),
    places: new Uint32Array(buffer, at('PLACES'), 10),
    noiseCounts: new Uint32Array(buffer, at('NOISE_COUNTS'), 16),
    statusCounts: new Uint32Array(buffer, at('STATUS_COUNTS'), 6),
    endpoints: new Uint32Array(buffer, at('ENDPOINTS'), at('MOST_ROUTES') * 6),
    times,
    state,
    reset(noise, dropped, byKind, cacheFor) {
      bytes.fill(0, at('REASON'), at('PATH_BYTES'));
      bytes.fill(0, cacheFor === filledFor ? at('ENDPOINTS') : at('PATHS'), at('INPUT'));
      filledFor = cacheFor;
      bytes.set(noise, at('NOISE'));
      bytes.set(dropped, at('DROPPED'));
      bytes[at('BY_KIND')] = byKind ? 1 : 0;
      times.fill(Number.NaN);
    },
    putTime(place, minute) {
      bytes.copy(bytes, at('KNOWN'), place, place + 28);
      new Float64Array(buffer, at('KNOWN_TIME'), 1)[0] = minute;
    },
    scan: run.scan,
    putPath: run.putPath,
    putQuery: run.putQuery,
    putAgent: run.putAgent,
  };
}

/** What bytes mean: see PATH_BYTES and ADDRESS_BYTES in `assembly/`. */
function fillConstants(bytes: Buffer, at: (name: string) => number): void {
  const paths = at('PATH_BYTES');
  const addresses = at('ADDRESS_BYTES');
  for (let byte = 0; byte < 256; byte++) {
    const digit = byte >= 48 && byte <= 57;
    const letter = (byte | 32) >= 97 && (byte | 32) <= 122;
    const ends = byte <= 32 || byte === 63 || byte === 34 || byte === 92 || byte === 35;
    bytes[paths + byte] = digit ? 1 : letter && (byte | 32) <= 102 ? 2 : byte === 47 ? 3 : ends ? 4 : 0;
    // Digits of an address of version 6; a colon counts apart; the rest of what names and addresses are made of.
    const name = letter || byte === 45 || byte === 46 || byte === 95;
    bytes[addresses + byte] = byte === 58 ? 2 : digit || (letter && (byte | 32) <= 102) ? 1 : name ? 4 : 0;
  }
  bytes.fill(255, at('MASKS'), at('MASKS') + 16);
}

/** Kernels that nobody uses now: each holds 3 MB, and an address range that is scarce. */
const idle: Kernel[] = [];
let made = 0;
const MOST = 16;

/** A kernel for one source at a time; `undefined` when many are in use already, and lines are read without it then. */
export function takeKernel(): Kernel | undefined {
  const kernel = idle.pop();
  if (kernel !== undefined) return kernel;
  if (made >= MOST) return undefined;
  made++;
  return newKernel();
}

export function giveBack(kernel: Kernel): void {
  idle.push(kernel);
}
