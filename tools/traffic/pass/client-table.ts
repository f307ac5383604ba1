/** Clients and their open sessions: a hash table of two 32-bit keys over records of 128 bytes, so that 50,000 cost 7 MB. */
import { mix32 } from '../readers/hashes.ts';
import { CLIENT_1, CLIENT_2, type EventRows, INTS as ROW_INTS } from './events.ts';

/** Steps and gaps that are kept of an open session. */
export const KEPT_STEPS = 15;

/** Two neighbouring cache lines a record: a request waits for memory once, where a column for each figure would wait ten times. */
export const DOUBLES = 16;
export const INTS = 32;
export const SHORTS = 64;
/** Doubles: start of the session, end of its latest request. */
export const FIRST = 0;
export const END = 1;
const KEY_1 = 4;
const KEY_2 = 5;
/** Integers: requests of the open session; requests of the client so far; its clear overlaps. */
export const COUNT = 6;
export const REQUESTS = 7;
export const OVERLAPS = 8;
/** Floats, counted as integers are: the gap before each step, s. */
export const GAPS = 9;
/** Unsigned 16 bits: the steps; fast runs in a row, or SHARED. */
export const STEPS = 48;
export const FAST_RUNS = 63;
/** Value of FAST_RUNS for a client that holds many users. */
export const SHARED = 0xffff;

/** Slots that can be looked up at once. */
export const MOST_AT_ONCE = 64;

export interface ClientTable {
  /** Views of the records; they move when the table grows. */
  readonly doubles: Float64Array;
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly shorts: Uint16Array;
  /** Slots in use. */
  readonly used: number;
  /**
   * Slots of the clients in rows places[from] to places[from + n - 1]; a new one is empty (count 0). Many at a time, so that
   * the waits for memory overlap.
   */
  slotsOf(rows: EventRows, places: Uint32Array, from: number, n: number, slots: Int32Array): void;
  /** Gives up the slots for which `idle` says so; numbers of slots change. */
  sweep(idle: (slot: number) => boolean): void;
}

const hashOf = (client1: number, client2: number): number => mix32(client1 ^ Math.imul(client2, 0x9e3779b1));

export function clientTable(): ClientTable {
  let capacity = 1024;
  let used = 0;
  let ints = new Int32Array(capacity * INTS);
  let doubles = new Float64Array(ints.buffer);
  let floats = new Float32Array(ints.buffer);
  let shorts = new Uint16Array(ints.buffer);
  // Twice as many cells as slots: slot + 1 (0 is empty) in the low bits, bits of the hash above, which say "another client"
  // without a look at the record.
  let cells = new Int32Array(capacity * 2);
  let low = 2 * capacity - 1;
  const hashes = new Int32Array(MOST_AT_ONCE);
  const firsts = new Int32Array(MOST_AT_ONCE);

  /** Place of the client's cell, or of the empty one for it. */
  function cellOf(hash: number, client1: number, client2: number): number {
    let place = (hash >>> 8) & low;
    for (;;) {
      const cell = cells[place] as number;
      if (cell === 0) return place;
      if (((cell ^ hash) & ~low) === 0) {
        const at = ((cell & low) - 1) * INTS;
        if (ints[at + KEY_1] === client1 && ints[at + KEY_2] === client2) return place;
      }
      place = (place + 1) & low;
    }
  }

  function rehash(): void {
    cells = new Int32Array(capacity * 2);
    low = 2 * capacity - 1;
    for (let slot = 0; slot < used; slot++) {
      const client1 = ints[slot * INTS + KEY_1] as number;
      const client2 = ints[slot * INTS + KEY_2] as number;
      const hash = hashOf(client1, client2);
      cells[cellOf(hash, client1, client2)] = (hash & ~low) | (slot + 1);
    }
  }

  function grow(): void {
    capacity *= 2;
    // Copied as integers: other figures seen as doubles could be NaNs whose bits are not kept.
    const larger = new Int32Array(capacity * INTS);
    larger.set(ints);
    ints = larger;
    doubles = new Float64Array(ints.buffer);
    floats = new Float32Array(ints.buffer);
    shorts = new Uint16Array(ints.buffer);
    rehash();
  }

  function insert(hash: number, client1: number, client2: number): number {
    let place = cellOf(hash, client1, client2);
    const cell = cells[place] as number;
    if (cell !== 0) return (cell & low) - 1;
    if (used === capacity) {
      grow();
      place = cellOf(hash, client1, client2);
    }
    ints.fill(0, used * INTS, (used + 1) * INTS);
    ints[used * INTS + KEY_1] = client1;
    ints[used * INTS + KEY_2] = client2;
    cells[place] = (hash & ~low) | (used + 1);
    return used++;
  }

  return {
    get doubles() {
      return doubles;
    },
    get ints() {
      return ints;
    },
    get floats() {
      return floats;
    },
    get shorts() {
      return shorts;
    },
    get used() {
      return used;
    },
    slotsOf({ ints: rows }, places, from, n, slots) {
      // Short rounds whose turns do not wait for each other, so that the processor asks for much of the memory at once.
      for (let k = 0; k < n; k++) {
        const at = (places[from + k] as number) * ROW_INTS;
        hashes[k] = hashOf(rows[at + CLIENT_1] as number, rows[at + CLIENT_2] as number);
      }
      for (let k = 0; k < n; k++) firsts[k] = cells[((hashes[k] as number) >>> 8) & low] as number;
      for (let k = 0; k < n; k++) {
        const hash = hashes[k] as number;
        let place = (hash >>> 8) & low;
        let cell = firsts[k] as number;
        while (cell !== 0 && ((cell ^ hash) & ~low) !== 0) {
          place = (place + 1) & low;
          cell = cells[place] as number;
        }
        slots[k] = (cell & low) - 1;
      }
      // Both cache lines of each record.
      let touched = 0;
      for (let k = 0; k < n; k++) {
        const record = Math.max(0, slots[k] as number) * INTS;
        touched ^= (ints[record] as number) ^ (ints[record + 16] as number);
      }
      firsts[0] = touched;
      for (let k = 0; k < n; k++) {
        const at = (places[from + k] as number) * ROW_INTS;
        const client1 = rows[at + CLIENT_1] as number;
        const client2 = rows[at + CLIENT_2] as number;
        const record = (slots[k] as number) * INTS;
        const same = record >= 0 && ints[record + KEY_1] === client1 && ints[record + KEY_2] === client2;
        if (!same) slots[k] = insert(hashes[k] as number, client1, client2);
      }
    },
    sweep(idle) {
      let kept = 0;
      for (let slot = 0; slot < used; slot++) {
        if (idle(slot)) continue;
        if (kept !== slot) ints.copyWithin(kept * INTS, slot * INTS, (slot + 1) * INTS);
        kept++;
      }
      used = kept;
      rehash();
    },
  };
}
