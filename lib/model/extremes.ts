/**
 * Ends of a series of any length: `Math.max(...series)` hands each value over on the stack, which more than some 120,000 of
 * them overflow; a sample a second is there after a day and a half.
 */

/** The largest value, at least `atLeast`; NaN when one of them is. */
export function largest(values: Iterable<number>, atLeast = Number.NEGATIVE_INFINITY): number {
  let most = atLeast;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/** The smallest value, at most `atMost`; NaN when one of them is. */
export function smallest(values: Iterable<number>, atMost = Number.POSITIVE_INFINITY): number {
  let least = atMost;
  for (const value of values) least = Math.min(least, value);
  return least;
}
