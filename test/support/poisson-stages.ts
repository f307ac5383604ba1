/** Stages with Poisson counts, as a plan puts them together. */
import { arrivalSteps, type PoissonStages, poissonCounts, stepStages } from '../../lib/model/arrivals.ts';
import type { Random } from '../../lib/model/random.ts';

/** @param rate sessions/s */
export function poissonStages(rate: number, seconds: number, random: Random): PoissonStages {
  const { steps, stepSeconds } = arrivalSteps(rate, seconds);
  return stepStages(poissonCounts(Math.round(rate * seconds), steps, random), stepSeconds);
}
