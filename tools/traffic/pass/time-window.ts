/**
 * Puts requests in time order within a window. Servers write lines by completion, and merged nodes interleave, so lines are
 * out of order by up to the longest request; the window holds the latest records (a number, not a time, so that memory is
 * bounded whatever the rate) and hands the older half on, sorted by start.
 */
import { DOUBLES, DURATION, type EventBlock, type EventRows, INTS, newRows, TIME } from './events.ts';

/** Requests in order of start: the first `n` rows; the time of each row is its start. */
export type OnRequests = (rows: EventRows, n: number) => void;

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
  let keys = new Float64Array(0);
  let n = 0;
  let sorted = true;
  const latest = new Float64Array([Number.NEGATIVE_INFINITY]);

  function sort(): void {
    if (keys.length === 0) keys = new Float64Array(capacity);
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
    const copy = ints.slice(0, n * INTS);
    for (let i = 0; i < n; i++) {
      const from = ((keys[i] as number) % capacity) * INTS;
      for (let word = 0; word < INTS; word++) ints[i * INTS + word] = copy[from + word] as number;
    }
    latest[0] = doubles[(n - 1) * DOUBLES + TIME] as number;
    sorted = true;
  }

  function hand(count: number): void {
    if (!sorted) sort();
    onRequests(rows, count);
    ints.copyWithin(0, count * INTS, n * INTS);
    n -= count;
    if (n === 0) latest[0] = Number.NEGATIVE_INFINITY;
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
