/** Smallest, middle and largest of a few measurements: with three to ten rounds, anything finer would pretend. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** @param values at least one */
export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
  return { min: sorted[0] ?? Number.NaN, median, max: sorted.at(-1) ?? Number.NaN };
}

/** Median, and the least and the most behind it. */
export function spreadText({ min, median, max }: Spread, digits: number): string {
  if (Number.isNaN(median)) return 'not measured here';
  return `${median.toFixed(digits)} (${min.toFixed(digits)}-${max.toFixed(digits)})`;
}
