/** Clients and their open sessions: a hash table of two 32-bit keys over columns, so that 50,000 clients cost a few MB. */
import { mix32 } from '../readers/hashes.ts';

/** Steps and gaps that are kept of an open session. */
export const KEPT_STEPS = 16;

/** Words of a slot's record. One record fills 2.5 cache lines, where a column for each figure would touch ten. */
const DOUBLES = 20;
const INTS = 2 * DOUBLES;
const SHORTS = 4 * DOUBLES;

/** Doubles: start of the session, end of its latest request, start of its latest request, start of the run of KEPT_STEPS. */
export const FIRST = 0;
export const END = 1;
export const START = 2;
export const RUN_START = 3;
/** Integers: requests of the open session; requests and clear overlaps of the client so far; fast runs in a row; shared. */
export const COUNT = 8;
export const REQUESTS = 9;
export const OVERLAPS = 10;
export const FAST_RUNS = 11;
export const SHARED = 12;
const KEY_1 = 13;
const KEY_2 = 14;
const STEPS = 32;
const GAPS = 24;

export interface ClientTable {
  /** Views of the records: `doubles[slot * 20 + FIRST]` and so on by `at`, `int`, `stepAt`, `gapAt`. */
  readonly doubles: Float64Array;
  readonly ints: Int32Array;
  readonly steps: Uint16Array;
  readonly gaps: Float32Array;
  /** Slots in use. */
  readonly used: number;
  /**
   * Slots of the clients in rows places[from] to places[from + n - 1]; a new one is empty (count 0). Many at a time, so that
   * the waits for memory overlap.
   */
  slotsOf(
    client1: Int32Array,
    client2: Int32Array,
    places: Uint32Array,
    from: number,
    n: number,
    slots: Uint32Array,
  ): void;
  /** Gives up the slots for which `idle` says so; numbers of slots change. */
  sweep(idle: (slot: number) => boolean): void;
}

/** Places within the views. */
export const doubleAt = (slot: number, word: number): number => slot * DOUBLES + word;
export const intAt = (slot: number, word: number): number => slot * INTS + word;
export const stepAt = (slot: number, place: number): number => slot * SHORTS + STEPS + place;
export const gapAt = (slot: number, place: number): number => slot * INTS + GAPS + place;

export function clientTable(): ClientTable {
  let capacity = 1024;
  let used = 0;
  let doubles = new Float64Array(capacity * DOUBLES);
  let ints = new Int32Array(doubles.buffer);
  let steps = new Uint16Array(doubles.buffer);
  let gaps = new Float32Array(doubles.buffer);
  // Twice as many cells as slots; 0 is empty, else slot + 1.
  let cells = new Int32Array(capacity * 2);

  function cellOf(client1: number, client2: number): number {
    const mask = cells.length - 1;
    let cell = mix32(client1 ^ Math.imul(client2, 0x9e3779b1)) & mask;
    for (;;) {
      const slot = (cells[cell] as number) - 1;
      if (slot < 0) return cell;
      const at = slot * INTS;
      if (ints[at + KEY_1] === client1 && ints[at + KEY_2] === client2) return cell;
      cell = (cell + 1) & mask;
    }
  }

  function rehash(): void {
    cells = new Int32Array(capacity * 2);
    for (let slot = 0; slot < used; slot++) {
      cells[cellOf(ints[slot * INTS + KEY_1] as number, ints[slot * INTS + KEY_2] as number)] = slot + 1;
    }
  }

  function grow(): void {
    capacity *= 2;
    const larger = new Float64Array(capacity * DOUBLES);
    // Through integers: a gap and its neighbour seen as one double could be a NaN whose bits are not kept.
    new Int32Array(larger.buffer).set(ints);
    doubles = larger;
    ints = new Int32Array(doubles.buffer);
    steps = new Uint16Array(doubles.buffer);
    gaps = new Float32Array(doubles.buffer);
    rehash();
  }

  function slotOf(client1: number, client2: number): number {
    let cell = cellOf(client1, client2);
    const slot = (cells[cell] as number) - 1;
    if (slot >= 0) return slot;
    if (used === capacity) {
      grow();
      cell = cellOf(client1, client2);
    }
    ints.fill(0, used * INTS, (used + 1) * INTS);
    ints[used * INTS + KEY_1] = client1;
    ints[used * INTS + KEY_2] = client2;
    cells[cell] = used + 1;
    return used++;
  }

  return {
    get doubles() {
      return doubles;
    },
    get ints() {
      return ints;
    },
    get steps() {
      return steps;
    },
    get gaps() {
      return gaps;
    },
    get used() {
      return used;
    },
    slotsOf(client1, client2, places, from, n, slots) {
      for (let k = 0; k < n; k++) {
        const i = places[from + k] as number;
        slots[k] = slotOf(client1[i] as number, client2[i] as number);
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
