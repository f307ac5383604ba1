/**
 * Puts requests in time order within a window. Servers write lines by completion, and merged nodes interleave, so lines are
 * out of order by up to the longest request; the window holds the latest records (a number, not a time, so that memory is
 * bounded whatever the rate) and hands the older half on, sorted by start.
 */
import { DOUBLES, DURATION, type EventBlock, type EventRows, INTS, newRows, TIME } from '../events/events.ts';

/** Requests in order of start: the first `n` rows; the time of each row is its start. */
export type OnRequests = (rows: EventRows, n: number) => void;

export interface TimeWindow {
  add(block: EventBlock): void;
  /** Hands on everything that is left. */
  flush(): void;
}

/** Rows that stay in the nearest cache between being copied and looked at. */
const AT_ONCE = 512;
/** Lines out of order by fewer records than half of this are put in their place. */
const WINDOW_RECORDS = 1 << 17;

/**
 * @param stampIs whether time stamps are taken when the request starts or when it ends
 * @param onRequests called in order of start; the rows are reused
 */
export function timeWindow(stampIs: 'start' | 'end', onRequests: OnRequests, capacity = WINDOW_RECORDS): TimeWindow {
  const size = capacity / 2;
  // Two halves that change places: nothing has to be moved when the older one has been handed on.
  let older = newRows(size);
  let newer = newRows(size);
  let olderRows = 0;
  let n = 0;
  let sorted = true;
  let keys = new Float64Array(0);
  const latest = new Float64Array([Number.NEGATIVE_INFINITY]);

  /** Sorts both halves together. */
  function sort(): void {
    if (keys.length === 0) keys = new Float64Array(capacity);
    const all = olderRows + n;
    const { doubles, ints } = joined();
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < all; i++) {
      const value = doubles[i * DOUBLES + TIME] as number;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    // Time and place packed into one double, sorted natively; the finest step that leaves room for the place.
    const room = 2 ** 53 / capacity / 2;
    const step = Math.max(0.001, (high - low) / room);
    for (let i = 0; i < all; i++) {
      keys[i] = Math.floor(((doubles[i * DOUBLES + TIME] as number) - low) / step) * capacity + i;
    }
    keys.subarray(0, all).sort();
    for (let i = 0; i < all; i++) {
      const from = ((keys[i] as number) % capacity) * INTS;
      const into = i < olderRows ? older.ints : newer.ints;
      const to = (i < olderRows ? i : i - olderRows) * INTS;
      for (let word = 0; word < INTS; word++) into[to + word] = ints[from + word] as number;
    }
    latest[0] = doubles[((keys[all - 1] as number) % capacity) * DOUBLES + TIME] as number;
    sorted = true;
  }

  function joined(): EventRows {
    const both = newRows(olderRows + n);
    both.ints.set(older.ints.subarray(0, olderRows * INTS));
    both.ints.set(newer.ints.subarray(0, n * INTS), olderRows * INTS);
    return both;
  }

  /** Hands the older half on, and begins a new one. */
  function handOlder(): void {
    if (!sorted) sort();
    if (olderRows > 0) onRequests(older, olderRows);
    [older, newer] = [newer, older];
    olderRows = n;
    n = 0;
  }

  /** Takes the rows of the newer half from n on: turns stamps into starts and leaves out what has no time. */
  function take(count: number): void {
    const { doubles, floats, ints } = newer;
    const end = n + count;
    let last = latest[0] as number;
    for (let i = n; i < end; i++) {
      const time = doubles[i * DOUBLES + TIME] as number;
      if (Number.isNaN(time)) continue;
      const took = floats[i * INTS + DURATION] as number;
      const start = stampIs === 'end' && !Number.isNaN(took) ? time - took : time;
      if (i !== n) ints.copyWithin(n * INTS, i * INTS, (i + 1) * INTS);
      if (i !== n || start !== time) doubles[n * DOUBLES + TIME] = start;
      if (start < last) sorted = false;
      else last = start;
      n++;
    }
    latest[0] = last;
  }

  return {
    add(block) {
      for (let at = 0; at < block.n; ) {
        if (n === size) handOlder();
        const count = Math.min(block.n - at, size - n, AT_ONCE);
        newer.ints.set(block.rows.ints.subarray(at * INTS, (at + count) * INTS), n * INTS);
        take(count);
        at += count;
      }
    },
    flush() {
      handOlder();
      handOlder();
      latest[0] = Number.NEGATIVE_INFINITY;
    },
  };
}
