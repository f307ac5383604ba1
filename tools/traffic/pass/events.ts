/** Requests as numbers, in blocks of columns: what a parser hands on, also between threads. */

export interface EventColumns {
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

/** The first `n` rows of the columns hold events. */
export interface EventBlock extends EventColumns {
  readonly n: number;
}

export interface EventWriter {
  /** Events since the last `spill`; may be raised by who has written into `columns` itself. */
  n: number;
  readonly columns: EventColumns;
  push(
    time: number,
    client1: number,
    client2: number,
    route: number,
    status: number,
    duration: number,
    item: number,
  ): void;
  /** Puts the events so far aside, so that the columns are free again. */
  spill(): void;
  /** The events so far; the writer begins anew and keeps no hold of them. */
  take(): EventBlock;
  /** The events so far, valid until the next push: usually nothing is copied. */
  lend(): EventBlock;
}

/** @param columns used again and again; of its own when absent */
export function eventWriter(columns: EventColumns = newColumns(8192)): EventWriter {
  const size = columns.time.length;
  let aside: EventBlock[] = [];

  const writer: EventWriter = {
    n: 0,
    columns,
    push(time, client1, client2, route, status, duration, item) {
      if (writer.n === size) writer.spill();
      const { n } = writer;
      columns.time[n] = time;
      columns.client1[n] = client1;
      columns.client2[n] = client2;
      columns.route[n] = route;
      columns.status[n] = status;
      columns.duration[n] = duration;
      columns.item[n] = item;
      writer.n = n + 1;
    },
    spill() {
      aside.push(joined([{ n: writer.n, ...columns }]));
      writer.n = 0;
    },
    lend() {
      if (aside.length > 0) return writer.take();
      const block = { n: writer.n, ...columns };
      writer.n = 0;
      return block;
    },
    take() {
      const block = joined([...aside, { n: writer.n, ...columns }]);
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
  const columns = newColumns(n);
  let at = 0;
  for (const block of blocks) {
    for (const key of Object.keys(columns) as (keyof EventColumns)[]) {
      columns[key].set(block[key].subarray(0, block.n), at);
    }
    at += block.n;
  }
  return { n, ...columns };
}

function newColumns(size: number): EventColumns {
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
