/** How often each item was asked for, and whether the first part of the log prefers the same items as the last. */

import { mix32 } from '../readers/hashes.ts';

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

export function itemCounter(): { add(item: number): void; result(): ItemCounts } {
  const counts = countTable();
  const early: number[] = [];
  const ring = new Float64Array(PART);
  let views = 0;
  return {
    add(item) {
      counts.add(item);
      if (early.length < PART) early.push(item);
      ring[views % PART] = item;
      views++;
    },
    result() {
      const half = Math.min(PART, Math.floor(views / 2));
      const recent: number[] = [];
      for (let i = views - half; i < views; i++) recent.push(ring[i % PART] as number);
      return { counts: counts.entries(), views, early: early.slice(0, half), recent };
    },
  };
}

/** Counts per number by open addressing: a Map of large numbers allocates one object a key and hashes it slowly. */
function countTable(): { add(key: number): void; entries(): Map<number, number> } {
  let size = 1 << 12;
  let keys = new Float64Array(size).fill(Number.NaN);
  let counts = new Uint32Array(size);
  let used = 0;
  const bits = new Float64Array(1);
  const halves = new Int32Array(bits.buffer);

  function cellOf(key: number): number {
    bits[0] = key;
    let cell = mix32((halves[0] as number) ^ Math.imul(halves[1] as number, 0x9e3779b1)) & (size - 1);
    for (;;) {
      const there = keys[cell] as number;
      if (there === key || Number.isNaN(there)) return cell;
      cell = (cell + 1) & (size - 1);
    }
  }

  function grow(): void {
    const [oldKeys, oldCounts] = [keys, counts];
    size *= 2;
    keys = new Float64Array(size).fill(Number.NaN);
    counts = new Uint32Array(size);
    oldKeys.forEach((key, i) => {
      if (Number.isNaN(key)) return;
      const cell = cellOf(key);
      keys[cell] = key;
      counts[cell] = oldCounts[i] as number;
    });
  }

  return {
    add(key) {
      const cell = cellOf(key);
      if (counts[cell] === 0) {
        keys[cell] = key;
        used++;
      }
      counts[cell] = (counts[cell] as number) + 1;
      if (used * 2 > size) grow();
    },
    entries() {
      const map = new Map<number, number>();
      keys.forEach((key, i) => {
        if (!Number.isNaN(key)) map.set(key, counts[i] as number);
      });
      return map;
    },
  };
}
