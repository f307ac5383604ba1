/** Whether the most viewed items of the first part of a log are still the most viewed ones of the last part. */
import { chiSquareTail } from './special.ts';

export interface Drift {
  /** Views in each part. */
  readonly views: number;
  /** Items among the 100 most viewed of both parts. */
  readonly common: number;
  readonly of: number;
  /** G-test of equal popularity over the 50 most viewed items of both parts together: chance of such a difference or more. */
  readonly p: number;
  readonly drifted: boolean;
}

/** Item keys, one a view. */
type Views = readonly number[] | Float64Array;

/** @returns `undefined` below 500 views in each part */
export function popularityDrift(early: Views, recent: Views): Drift | undefined {
  const n = Math.min(early.length, recent.length);
  if (n < 500) return undefined;
  const a = tally(early);
  const b = tally(recent);
  const topA = top(a, 100);
  const topB = new Set(top(b, 100));
  const both = new Map(a);
  for (const [item, c] of b) both.set(item, (both.get(item) ?? 0) + c);
  let g = 0;
  let df = 0;
  let restA = early.length;
  let restB = recent.length;
  const cell = (x: number, y: number): void => {
    const expectedA = ((x + y) * early.length) / (early.length + recent.length);
    const expectedB = x + y - expectedA;
    if (x > 0) g += 2 * x * Math.log(x / expectedA);
    if (y > 0) g += 2 * y * Math.log(y / expectedB);
  };
  for (const item of top(both, 50)) {
    const x = a.get(item) ?? 0;
    const y = b.get(item) ?? 0;
    if (x + y < 10) continue;
    cell(x, y);
    restA -= x;
    restB -= y;
    df++;
  }
  cell(restA, restB);
  const p = df > 0 ? chiSquareTail(g, df) : 1;
  return { views: n, common: topA.filter((item) => topB.has(item)).length, of: topA.length, p, drifted: p < 0.001 };
}

function tally(items: Views): Map<number, number> {
  const counts = new Map<number, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function top(counts: ReadonlyMap<number, number>, k: number): number[] {
  return [...counts]
    .sort((x, y) => y[1] - x[1] || x[0] - y[0])
    .slice(0, k)
    .map(([item]) => item);
}
