/** How long a test decides an objective that these samples leave undecided. */
import { needed } from '../../../lib/model/figures.ts';
import { samplesNeeded } from '../../../lib/model/samples-needed.ts';
import { samplesBeyond } from '../statistics/quantile.ts';
import type { ObjectiveResult } from './decide.ts';
import type { ParsedObjective } from './parse.ts';

/**
 * Seconds of the same load after which the objective would be decided if the value stays: so many that ten samples lie beyond
 * the percentile, and that the interval, which narrows with the root of the number of samples, leaves the limit out.
 * Undefined where the value lies on the limit, so that no length decides.
 */
export function secondsToDecide(
  { p }: Pick<ParsedObjective, 'p'>,
  { n, value, low, high, limit }: ObjectiveResult,
  loadSeconds: number,
): number | undefined {
  if (value === undefined || n === 0 || loadSeconds <= 0) return undefined;
  const carried = p === undefined || p <= 0 || p >= 1 || samplesBeyond(n, p) >= 10 ? 1 : samplesNeeded(p) / n;
  const bound = value < limit ? high : low;
  const apart = Math.abs(limit - value);
  if (apart === 0) return undefined;
  // A bound that is open says nothing of the width: the samples that carry the percentile are the least.
  const narrowed = bound === undefined ? 1 : (Math.abs(bound - value) / apart) ** 2;
  return Math.max(carried, narrowed) * loadSeconds;
}

/** The same result with the length in it and in its reason. */
export function withLength(
  objective: ParsedObjective,
  result: ObjectiveResult,
  loadSeconds: number | undefined,
): ObjectiveResult {
  if (result.outcome !== 'undecided' || loadSeconds === undefined) return result;
  const seconds = secondsToDecide(objective, result, loadSeconds);
  if (seconds === undefined) return result;
  return {
    ...result,
    needSeconds: seconds,
    why: `${result.why ?? ''}; about ${needed(seconds)} of this load would decide`,
  };
}
