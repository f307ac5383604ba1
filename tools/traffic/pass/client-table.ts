/** Clients and their open sessions: a hash table of two 32-bit keys over columns, so that 50,000 clients cost a few MB. */
import { mix32 } from '../readers/hashes.ts';

/** Steps and gaps that are kept of an open session. */
export const KEPT_STEPS = 16;

export interface ClientColumns {
  first: Float64Array;
  /** End of the latest request, ms. */
  end: Float64Array;
  /** Start of the latest request, ms. */
  start: Float64Array;
  /** Start of the request that opened the current run of KEPT_STEPS. */
  runStart: Float64Array;
  /** Requests of the open session. */
  count: Uint32Array;
  /** Requests and clear overlaps of this client so far. */
  requests: Uint32Array;
  overlaps: Uint32Array;
  /** Runs in a row that were faster than one person is. */
  fastRuns: Uint8Array;
  /** 1 when the address holds many users. */
  shared: Uint8Array;
  steps: Uint16Array;
  gaps: Float32Array;
}

export interface ClientTable {
  readonly columns: ClientColumns;
  /** Slots in use. */
  readonly used: number;
  /** Slot of a client; a new one is empty (count 0). */
  slotOf(client1: number, client2: number): number;
  /** Gives up the slots for which `idle` says so; columns and numbers of slots change. */
  sweep(idle: (slot: number) => boolean): void;
}

export function clientTable(): ClientTable {
  let capacity = 1024;
  let columns = newColumns(capacity);
  let key1 = new Int32Array(capacity);
  let key2 = new Int32Array(capacity);
  let used = 0;
  // Twice as many cells as slots; 0 is empty, else slot + 1.
  let cells = new Int32Array(capacity * 2);

  function cellOf(client1: number, client2: number): number {
    const mask = cells.length - 1;
    let cell = mix32(client1 ^ Math.imul(client2, 0x9e3779b1)) & mask;
    for (;;) {
      const slot = (cells[cell] as number) - 1;
      if (slot < 0 || (key1[slot] === client1 && key2[slot] === client2)) return cell;
      cell = (cell + 1) & mask;
    }
  }

  function rehash(): void {
    cells = new Int32Array(capacity * 2);
    for (let slot = 0; slot < used; slot++) cells[cellOf(key1[slot] as number, key2[slot] as number)] = slot + 1;
  }

  function grow(): void {
    capacity *= 2;
    const larger = newColumns(capacity);
    for (const name of Object.keys(columns) as (keyof ClientColumns)[]) larger[name].set(columns[name]);
    columns = larger;
    const k1 = new Int32Array(capacity);
    const k2 = new Int32Array(capacity);
    k1.set(key1);
    k2.set(key2);
    key1 = k1;
    key2 = k2;
    rehash();
  }

  return {
    get columns() {
      return columns;
    },
    get used() {
      return used;
    },
    slotOf(client1, client2) {
      let cell = cellOf(client1, client2);
      const slot = (cells[cell] as number) - 1;
      if (slot >= 0) return slot;
      if (used === capacity) {
        grow();
        cell = cellOf(client1, client2);
      }
      key1[used] = client1;
      key2[used] = client2;
      clear(columns, used);
      cells[cell] = used + 1;
      return used++;
    },
    sweep(idle) {
      let kept = 0;
      for (let slot = 0; slot < used; slot++) {
        if (idle(slot)) continue;
        if (kept !== slot) {
          move(columns, slot, kept);
          key1[kept] = key1[slot] as number;
          key2[kept] = key2[slot] as number;
        }
        kept++;
      }
      used = kept;
      rehash();
    },
  };
}

function newColumns(capacity: number): ClientColumns {
  return {
    first: new Float64Array(capacity),
    end: new Float64Array(capacity),
    start: new Float64Array(capacity),
    runStart: new Float64Array(capacity),
    count: new Uint32Array(capacity),
    requests: new Uint32Array(capacity),
    overlaps: new Uint32Array(capacity),
    fastRuns: new Uint8Array(capacity),
    shared: new Uint8Array(capacity),
    steps: new Uint16Array(capacity * KEPT_STEPS),
    gaps: new Float32Array(capacity * KEPT_STEPS),
  };
}

function clear(columns: ClientColumns, slot: number): void {
  columns.count[slot] = 0;
  columns.requests[slot] = 0;
  columns.overlaps[slot] = 0;
  columns.fastRuns[slot] = 0;
  columns.shared[slot] = 0;
}

function move(columns: ClientColumns, from: number, to: number): void {
  for (const name of Object.keys(columns) as (keyof ClientColumns)[]) {
    const width = name === 'steps' || name === 'gaps' ? KEPT_STEPS : 1;
    columns[name].copyWithin(to * width, from * width, (from + 1) * width);
  }
}
