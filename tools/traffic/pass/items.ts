/** How often each item was asked for, and whether the first part of the log prefers the same items as the last. */

import { mix32 } from '../readers/hashes.ts';
import { DOUBLES, type EventRows, ITEM } from './events.ts';

export interface ItemCounts {
  /** Views per item key. */
  readonly counts: ReadonlyMap<number, number>;
  readonly views: number;
  /** The first and the last views of the log in order, for the drift; they do not overlap. */
  readonly early: readonly number[];
  readonly recent: readonly number[];
}

/** Views in each part that is compared for drift. */
const PART = 20_000;
/** Items that are looked up together. */
const BATCH = 64;

export interface ItemCounter {
  /** Items of the first `n` rows; NaN is none. */
  add(rows: EventRows, n: number): void;
  result(): ItemCounts;
}

export function itemCounter(): ItemCounter {
  const counts = countTable();
  const early: number[] = [];
  const ring = new Float64Array(PART);
  const some = new Float64Array(BATCH);
  let at = 0;
  let views = 0;

  function addBatch(m: number): void {
    for (let i = 0; i < m; i++) {
      const item = some[i] as number;
      if (early.length < PART) early.push(item);
      ring[at] = item;
      at = at === PART - 1 ? 0 : at + 1;
    }
    views += m;
    counts.add(some, m);
  }

  return {
    add({ doubles }, n) {
      let m = 0;
      for (let i = 0; i < n; i++) {
        const item = doubles[i * DOUBLES + ITEM] as number;
        if (Number.isNaN(item)) continue;
        some[m++] = item;
        if (m === BATCH) {
          addBatch(m);
          m = 0;
        }
      }
      addBatch(m);
    },
    result() {
      const half = Math.min(PART, Math.floor(views / 2));
      const recent: number[] = [];
      for (let i = views - half; i < views; i++) recent.push(ring[i % PART] as number);
      return { counts: counts.entries(), views, early: early.slice(0, half), recent };
    },
  };
}

/**
 * Counts per number by open addressing: a Map of large numbers allocates one object a key and hashes it slowly. A key and its
 * count lie side by side, so that a look-up waits for memory once.
 */
function countTable(): { add(keys: Float64Array, n: number): void; entries(): Map<number, number> } {
  let size = 1 << 12;
  let cells = emptyCells(size);
  let used = 0;
  const places = new Int32Array(BATCH);
  const firsts = new Float64Array(BATCH);

  /** Place of the key, or of the empty cell for it. */
  function placeOf(key: number, first: number): number {
    let place = first;
    for (;;) {
      const there = cells[place] as number;
      if (there === key || Number.isNaN(there)) return place;
      place = (place + 2) & (2 * size - 1);
    }
  }

  function firstPlaceOf(key: number): number {
    // Both halves of a number of up to 2^53, without a look at its bits.
    const high = Math.floor(key / 65_536);
    return (mix32((key - high * 65_536) ^ Math.imul(high, 0x9e3779b1)) << 1) & (2 * size - 1);
  }

  function grow(): void {
    const old = cells;
    size *= 2;
    cells = emptyCells(size);
    for (let i = 0; i < old.length; i += 2) {
      const key = old[i] as number;
      if (Number.isNaN(key)) continue;
      const place = placeOf(key, firstPlaceOf(key));
      cells[place] = key;
      cells[place + 1] = old[i + 1] as number;
    }
  }

  return {
    add(keys, n) {
      if ((used + n) * 2 > size) grow();
      // A first round that waits for nothing, so that the processor asks for many cells at once.
      for (let i = 0; i < n; i++) places[i] = firstPlaceOf(keys[i] as number);
      for (let i = 0; i < n; i++) firsts[i] = cells[places[i] as number] as number;
      for (let i = 0; i < n; i++) {
        const key = keys[i] as number;
        const place = placeOf(key, places[i] as number);
        const count = cells[place + 1] as number;
        if (count === 0) {
          cells[place] = key;
          used++;
        }
        cells[place + 1] = count + 1;
      }
    },
    entries() {
      const map = new Map<number, number>();
      for (let i = 0; i < cells.length; i += 2) {
        if (!Number.isNaN(cells[i])) map.set(cells[i] as number, cells[i + 1] as number);
      }
      return map;
    },
  };
}

function emptyCells(size: number): Float64Array {
  const cells = new Float64Array(2 * size);
  for (let i = 0; i < cells.length; i += 2) cells[i] = Number.NaN;
  return cells;
}
