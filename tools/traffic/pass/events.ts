/** Requests as numbers, in blocks of columns: what a parser hands on, also between threads. */

export interface EventBlock {
  readonly n: number;
  /** Time stamp as logged, ms since 1970; NaN when the log has none. */
  readonly time: Float64Array;
  /** The two lanes of the client's key (session id, or address and agent). */
  readonly client1: Int32Array;
  readonly client2: Int32Array;
  readonly route: Uint16Array;
  readonly status: Uint16Array;
  /** ms, NaN when not logged. */
  readonly duration: Float32Array;
  /** Item key of routes that have one, else NaN. */
  readonly item: Float64Array;
}

export interface EventWriter {
  readonly n: number;
  push(
    time: number,
    client1: number,
    client2: number,
    route: number,
    status: number,
    duration: number,
    item: number,
  ): void;
  /** The events so far; the writer begins anew with columns of its own. */
  take(): EventBlock;
  /** The events so far, valid until the next push: nothing is allocated. */
  lend(): EventBlock;
}

export function eventWriter(capacity = 8192): EventWriter {
  let size = capacity;
  let n = 0;
  let columns = newColumns(size);

  function grow(): void {
    const larger = newColumns(size * 2);
    for (const key of Object.keys(columns) as (keyof typeof columns)[]) larger[key].set(columns[key]);
    columns = larger;
    size *= 2;
  }

  return {
    get n() {
      return n;
    },
    push(time, client1, client2, route, status, duration, item) {
      if (n === size) grow();
      columns.time[n] = time;
      columns.client1[n] = client1;
      columns.client2[n] = client2;
      columns.route[n] = route;
      columns.status[n] = status;
      columns.duration[n] = duration;
      columns.item[n] = item;
      n++;
    },
    lend() {
      const block = { n, ...columns };
      n = 0;
      return block;
    },
    take() {
      const block = { n, ...columns };
      n = 0;
      columns = newColumns(size);
      return block;
    },
  };
}

function newColumns(size: number) {
  return {
    time: new Float64Array(size),
    client1: new Int32Array(size),
    client2: new Int32Array(size),
    route: new Uint16Array(size),
    status: new Uint16Array(size),
    duration: new Float32Array(size),
    item: new Float64Array(size),
  };
}

/** Memory behind a block, to be moved rather than copied between threads. */
export function transferables(block: EventBlock): ArrayBuffer[] {
  return [block.time, block.client1, block.client2, block.route, block.status, block.duration, block.item].map(
    (column) => column.buffer as ArrayBuffer,
  );
}
