/** How often each item was asked for, and whether the first part of the log prefers the same items as the last. */

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
  const counts = new Map<number, number>();
  const early: number[] = [];
  const ring = new Float64Array(PART);
  let views = 0;
  return {
    add(item) {
      counts.set(item, (counts.get(item) ?? 0) + 1);
      if (early.length < PART) early.push(item);
      ring[views % PART] = item;
      views++;
    },
    result() {
      const half = Math.min(PART, Math.floor(views / 2));
      const recent: number[] = [];
      for (let i = views - half; i < views; i++) recent.push(ring[i % PART] as number);
      return { counts, views, early: early.slice(0, half), recent };
    },
  };
}
