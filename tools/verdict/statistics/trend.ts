/** Trend of a short series without assumptions on its distribution. */

/**
 * Mann-Kendall test: S counts rising minus falling pairs, z is S over its standard deviation with ties and continuity
 * corrected (Mann 1945, Kendall 1975). Series of up to a few hundred values.
 */
export function mannKendall(values: readonly number[]): { s: number; z: number } {
  const n = values.length;
  let s = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) s += Math.sign((values[j] ?? 0) - (values[i] ?? 0));
  }
  const ties = new Map<number, number>();
  for (const value of values) ties.set(value, (ties.get(value) ?? 0) + 1);
  let variance = n * (n - 1) * (2 * n + 5);
  for (const count of ties.values()) variance -= count * (count - 1) * (2 * count + 5);
  variance /= 18;
  return { s, z: variance <= 0 || s === 0 ? 0 : (s - Math.sign(s)) / Math.sqrt(variance) };
}

/** Theil-Sen slope: median of the slopes of all pairs, per step. */
export function theilSen(values: readonly number[]): number {
  const slopes: number[] = [];
  for (let i = 0; i < values.length; i++) {
    for (let j = i + 1; j < values.length; j++) slopes.push(((values[j] ?? 0) - (values[i] ?? 0)) / (j - i));
  }
  slopes.sort((a, b) => a - b);
  const middle = Math.floor(slopes.length / 2);
  if (slopes.length === 0) return 0;
  return slopes.length % 2 === 1 ? (slopes[middle] ?? 0) : ((slopes[middle - 1] ?? 0) + (slopes[middle] ?? 0)) / 2;
}
