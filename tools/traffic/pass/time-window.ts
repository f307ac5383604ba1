/**
 * Puts requests in time order within a window. Servers write lines by completion, and merged nodes interleave, so lines are
 * out of order by up to the longest request; the window holds the latest records (a number, not a time, so that memory is
 * bounded whatever the rate) and hands the older half on, sorted by start.
 */
import type { EventBlock } from './events.ts';

/** Requests in columns; the rows at `places[from]` to `places[to - 1]` are meant, in this order. */
export interface TimedRequests {
  /** Start, ms since 1970. */
  readonly start: Float64Array;
  /** ms, NaN when not logged. */
  readonly duration: Float32Array;
  readonly client1: Int32Array;
  readonly client2: Int32Array;
  readonly route: Uint16Array;
  readonly status: Uint16Array;
  readonly item: Float64Array;
}
export type OnRequests = (requests: TimedRequests, places: Uint32Array, from: number, to: number) => void;

export interface TimeWindow {
  add(block: EventBlock): void;
  /** Hands on everything that is left. */
  flush(): void;
}

/** Lines out of order by fewer records than half of this are put in their place. */
export const WINDOW_RECORDS = 1 << 17;

/**
 * @param stampIs whether time stamps are taken when the request starts or when it ends
 * @param onRequests called in order of start; the columns are reused
 */
export function timeWindow(stampIs: 'start' | 'end', onRequests: OnRequests, capacity = WINDOW_RECORDS): TimeWindow {
  const start = new Float64Array(capacity);
  const duration = new Float32Array(capacity);
  const client1 = new Int32Array(capacity);
  const client2 = new Int32Array(capacity);
  const route = new Uint16Array(capacity);
  const status = new Uint16Array(capacity);
  const item = new Float64Array(capacity);
  const order = new Uint32Array(capacity);
  const keys = new Float64Array(capacity);
  const columns: TimedRequests = { start, duration, client1, client2, route, status, item };
  const asTheyCame = Uint32Array.from({ length: capacity }, (_, i) => i);
  let n = 0;
  let sorted = true;
  let wasSorted = true;
  let latest = Number.NEGATIVE_INFINITY;

  function sort(): void {
    wasSorted = sorted;
    if (sorted) return;
    for (let i = 0; i < n; i++) order[i] = i;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < n; i++) {
      const value = start[i] as number;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    // Time and place packed into one double, sorted natively; the finest step that leaves room for the place.
    const room = 2 ** 53 / capacity / 2;
    const step = Math.max(0.001, (high - low) / room);
    for (let i = 0; i < n; i++) keys[i] = Math.floor(((start[i] as number) - low) / step) * capacity + i;
    keys.subarray(0, n).sort();
    for (let i = 0; i < n; i++) order[i] = (keys[i] as number) % capacity;
  }

  function hand(count: number): void {
    sort();
    onRequests(columns, wasSorted ? asTheyCame : order, 0, count);
    keep(count);
  }

  /** Moves what was not handed on to the front, in sorted order. */
  function keep(from: number): void {
    const rest = n - from;
    if (wasSorted) {
      for (const column of [start, duration, client1, client2, route, status, item]) column.copyWithin(0, from, n);
      n = rest;
      return;
    }
    const places = order.subarray(from, n);
    for (const column of [start, duration, client1, client2, route, status, item]) {
      const copy = column.slice(0, n);
      for (let k = 0; k < rest; k++) column[k] = copy[places[k] as number] as number;
    }
    n = rest;
    sorted = true;
    latest = n > 0 ? (start[n - 1] as number) : Number.NEGATIVE_INFINITY;
  }

  return {
    add(block) {
      for (let i = 0; i < block.n; i++) {
        const time = block.time[i] as number;
        if (Number.isNaN(time)) continue;
        const took = block.duration[i] as number;
        const begin = stampIs === 'end' && !Number.isNaN(took) ? time - took : time;
        if (n === capacity) hand(capacity / 2);
        if (begin < latest) sorted = false;
        else latest = begin;
        start[n] = begin;
        duration[n] = took;
        client1[n] = block.client1[i] as number;
        client2[n] = block.client2[i] as number;
        route[n] = block.route[i] as number;
        status[n] = block.status[i] as number;
        item[n] = block.item[i] as number;
        n++;
      }
    },
    flush() {
      hand(n);
    },
  };
}
