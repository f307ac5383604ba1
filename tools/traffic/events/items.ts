/** How often each item was asked for, and whether the first part of the log prefers the same items as the last. */

/** Counts as the sessions' module keeps them (`kernel/assembly/items.ts`). */
export interface ItemTable {
  /** A key and its count in turns; a count of 0 is an empty cell. */
  readonly cells: Float64Array;
  readonly views: number;
  /** The first views in order, as many as there are or fit. */
  readonly early: Float64Array;
  /** The latest views, in a ring that begins anew at `at`. */
  readonly recent: Float64Array;
  readonly at: number;
}

export interface ItemCounts {
  /** Views per item key. */
  readonly counts: ReadonlyMap<number, number>;
  readonly views: number;
  /** The first and the last views of the log in order, for the drift; they do not overlap. */
  readonly early: Float64Array;
  readonly recent: Float64Array;
}

export function itemCounts({ cells, views, early, recent, at }: ItemTable): ItemCounts {
  const counts = new Map<number, number>();
  for (let i = 0; i < cells.length; i += 2) {
    if (cells[i + 1] !== 0) counts.set(cells[i] as number, cells[i + 1] as number);
  }
  const half = Math.min(early.length, Math.floor(views / 2));
  const latest = new Float64Array(half);
  // The ring's latest `half` views end before `at`; those that do not fit there stand at the ring's end.
  const wrapped = Math.max(0, half - at);
  latest.set(recent.subarray(recent.length - wrapped));
  latest.set(recent.subarray(at - half + wrapped, at), wrapped);
  return { counts, views, early: early.slice(0, half), recent: latest };
}
