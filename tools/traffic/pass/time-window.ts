/**
 * Puts requests in time order within a window. Servers write lines by completion, and merged nodes interleave, so lines are
 * out of order by up to the longest request; the window holds the latest records (a number, not a time, so that memory is
 * bounded whatever the rate) and hands the older half on, sorted by start.
 */
import { DOUBLES, DURATION, type EventBlock, type EventRows, INTS, newRows, TIME } from './events.ts';

/** Requests in order of start: the rows at places[from] to places[to - 1]; the time of each row is its start. */
export type OnRequests = (rows: EventRows, places: Uint32Array, from: number, to: number) => void;

export interface TimeWindow {
  add(block: EventBlock): void;
  /** Hands on everything that is left. */
  flush(): void;
}

/** Lines out of order by fewer records than half of this are put in their place. */
export const WINDOW_RECORDS = 1 << 17;

/**
 * @param stampIs whether time stamps are taken when the request starts or when it ends
 * @param onRequests called in order of start; the rows are reused
 */
export function timeWindow(stampIs: 'start' | 'end', onRequests: OnRequests, capacity = WINDOW_RECORDS): TimeWindow {
  const rows = newRows(capacity);
  const { doubles, ints, floats } = rows;
  const asTheyCame = Uint32Array.from({ length: capacity }, (_, i) => i);
  let order = asTheyCame;
  let keys = new Float64Array(0);
  let n = 0;
  let sorted = true;
  const latest = new Float64Array([Number.NEGATIVE_INFINITY]);

  function sort(): void {
    if (keys.length === 0) {
      keys = new Float64Array(capacity);
      order = new Uint32Array(capacity);
    }
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < n; i++) {
      const value = doubles[i * DOUBLES + TIME] as number;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    // Time and place packed into one double, sorted natively; the finest step that leaves room for the place.
    const room = 2 ** 53 / capacity / 2;
    const step = Math.max(0.001, (high - low) / room);
    for (let i = 0; i < n; i++) {
      keys[i] = Math.floor(((doubles[i * DOUBLES + TIME] as number) - low) / step) * capacity + i;
    }
    keys.subarray(0, n).sort();
    for (let i = 0; i < n; i++) order[i] = (keys[i] as number) % capacity;
  }

  function hand(count: number): void {
    if (!sorted) sort();
    const places = sorted ? asTheyCame : order;
    onRequests(rows, places, 0, count);
    // What was not handed on moves to the front, in sorted order.
    const rest = n - count;
    if (sorted) ints.copyWithin(0, count * INTS, n * INTS);
    else {
      const copy = ints.slice(0, n * INTS);
      for (let k = 0; k < rest; k++) {
        const from = (places[count + k] as number) * INTS;
        for (let word = 0; word < INTS; word++) ints[k * INTS + word] = copy[from + word] as number;
      }
      sorted = true;
      latest[0] = rest > 0 ? (doubles[(rest - 1) * DOUBLES + TIME] as number) : Number.NEGATIVE_INFINITY;
    }
    n = rest;
  }

  /** Takes the rows from n on: turns stamps into starts and leaves out what has no time. */
  function take(count: number): void {
    const end = n + count;
    let last = latest[0] as number;
    for (let i = n; i < end; i++) {
      const time = doubles[i * DOUBLES + TIME] as number;
      if (Number.isNaN(time)) continue;
      const took = floats[i * INTS + DURATION] as number;
      const start = stampIs === 'end' && !Number.isNaN(took) ? time - took : time;
      if (i !== n) ints.copyWithin(n * INTS, i * INTS, (i + 1) * INTS);
      doubles[n * DOUBLES + TIME] = start;
      if (start < last) sorted = false;
      else last = start;
      n++;
    }
    latest[0] = last;
  }

  return {
    add(block) {
      for (let at = 0; at < block.n; ) {
        if (n === capacity) hand(capacity / 2);
        const count = Math.min(block.n - at, capacity - n);
        ints.set(block.rows.ints.subarray(at * INTS, (at + count) * INTS), n * INTS);
        take(count);
        at += count;
      }
    },
    flush() {
      hand(n);
    },
  };
}
