/** Requests as numbers, in blocks of rows: what a parser hands on, also between threads. */

/**
 * Rows of 32 bytes, two a cache line, seen as numbers of each kind; the places of a row's figures are at `TIME` and so on
 * after `row * DOUBLES`, `row * INTS`, `row * SHORTS`.
 */
export interface EventRows {
  readonly doubles: Float64Array;
  readonly ints: Int32Array;
  readonly floats: Float32Array;
  readonly shorts: Uint16Array;
}

export const ROW_BYTES = 32;
export const DOUBLES = 4;
export const INTS = 8;
export const SHORTS = 16;
/** Double: time stamp as logged, ms since 1970; NaN when the log has none. */
export const TIME = 0;
/** Double: item key of routes that have one, else NaN. */
export const ITEM = 1;
/** Integers: the two lanes of the client's key (session id, or address and agent). */
const CLIENT_1 = 4;
const CLIENT_2 = 5;
/** Float, counted as integers are: ms, NaN when not logged. */
export const DURATION = 6;
/** Unsigned 16 bits. */
export const ROUTE = 14;
export const STATUS = 15;
/** Bit of the status: a session id names the client, not address and agent. */
export const ID_BIT = 0x8000;

/** The first `n` rows hold events. */
export interface EventBlock {
  readonly n: number;
  readonly rows: EventRows;
}

/** Views of memory as rows. */
export function rowsOf(buffer: ArrayBuffer | SharedArrayBuffer, offset: number, rows: number): EventRows {
  return {
    doubles: new Float64Array(buffer, offset, rows * DOUBLES),
    ints: new Int32Array(buffer, offset, rows * INTS),
    floats: new Float32Array(buffer, offset, rows * INTS),
    shorts: new Uint16Array(buffer, offset, rows * SHORTS),
  };
}

export function newRows(rows: number): EventRows {
  return rowsOf(new ArrayBuffer(rows * ROW_BYTES), 0, rows);
}

export interface EventWriter {
  /** Events since the last `spill`; may be raised by who has written rows itself. */
  n: number;
  push(
    time: number,
    client1: number,
    client2: number,
    route: number,
    status: number,
    duration: number,
    item: number,
  ): void;
  /** Puts the events so far aside, so that the rows are free again. */
  spill(): void;
  /** The events so far; the writer begins anew and keeps no hold of them. */
  take(): EventBlock;
  /** The events so far, valid until the next push: usually nothing is copied. */
  lend(): EventBlock;
}

/** @param rows used again and again; of its own when absent */
export function eventWriter(rows: EventRows = newRows(8192)): EventWriter {
  const { doubles, ints, floats, shorts } = rows;
  const size = doubles.length / DOUBLES;
  let aside: EventBlock[] = [];

  const writer: EventWriter = {
    n: 0,
    push(time, client1, client2, route, status, duration, item) {
      if (writer.n === size) writer.spill();
      const { n } = writer;
      doubles[n * DOUBLES + TIME] = time;
      doubles[n * DOUBLES + ITEM] = item;
      ints[n * INTS + CLIENT_1] = client1;
      ints[n * INTS + CLIENT_2] = client2;
      floats[n * INTS + DURATION] = duration;
      shorts[n * SHORTS + ROUTE] = route;
      shorts[n * SHORTS + STATUS] = status;
      writer.n = n + 1;
    },
    spill() {
      aside.push(joined([{ n: writer.n, rows }]));
      writer.n = 0;
    },
    lend() {
      if (aside.length > 0) return writer.take();
      const block = { n: writer.n, rows };
      writer.n = 0;
      return block;
    },
    take() {
      const block = joined([...aside, { n: writer.n, rows }]);
      aside = [];
      writer.n = 0;
      return block;
    },
  };
  return writer;
}

/** The blocks one after the other, in memory of their own. */
function joined(blocks: readonly EventBlock[]): EventBlock {
  const n = blocks.reduce((sum, block) => sum + block.n, 0);
  const rows = newRows(n);
  let at = 0;
  for (const block of blocks) {
    // As integers: a float and a short seen as one double could be a NaN whose bits are not kept.
    rows.ints.set(block.rows.ints.subarray(0, block.n * INTS), at * INTS);
    at += block.n;
  }
  return { n, rows };
}

/** Rows of a part that goes from one thread to another, or is kept for later; usually a third of them are used. */
export const PART_ROWS = 16_384;

/** The block's rows in `rows`, or in memory of their own when they are too many for that. */
export function copyInto(rows: EventRows, block: EventBlock): EventBlock {
  if (block.n * INTS > rows.ints.length) return joined([block]);
  rows.ints.set(block.rows.ints.subarray(0, block.n * INTS));
  return { n: block.n, rows };
}
