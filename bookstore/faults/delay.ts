/** Delays drawn from a law. */
import type { DelayLaw } from './schema.ts';

/**
 * One delay in milliseconds, 0 or more.
 * @param sinceStartMs time since the fault began, for the laws that change with it
 * @param random uniform in [0,1)
 */
export function drawDelay(law: DelayLaw, sinceStartMs: number, random: () => number): number {
  switch (law.law) {
    case 'fixed':
      return law.ms;
    case 'uniform':
      return law.minMs + (law.maxMs - law.minMs) * random();
    case 'lognormal':
      return Math.min(
        law.medianMs * Math.exp(law.sigma * standardNormal(random)),
        law.capMs ?? Number.POSITIVE_INFINITY,
      );
    case 'exponential':
      return Math.min(-law.meanMs * Math.log(1 - random()), law.capMs ?? Number.POSITIVE_INFINITY);
    case 'ramp':
      return law.fromMs + (law.toMs - law.fromMs) * Math.min(1, sinceStartMs / (law.overSeconds * 1_000));
  }
}

/** Box and Muller (1958): one normal variate from two uniform ones. */
function standardNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
