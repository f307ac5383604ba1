/**
 * The sampling of this suite as one file for scenarios outside it: `traffic --skeleton` puts `dist/lib/sampling.js` beside the
 * scenario that it writes. What a scenario sees of it is declared in `tools/traffic/skeleton/sampling.d.ts`.
 */
import { arrivalSteps, metronomeRate, poissonStages } from './arrivals.ts';
import { thinkTimeMean } from './distributions.ts';
import { seconds } from './env.ts';
import { hashSeed, sessionRandom } from './random.ts';
import { preallocatedVus } from './sizing.ts';
import type { ThinkTimeLaw } from './workload.ts';

export { drawThinkTime } from './distributions.ts';
export { popularitySampler } from './popularity.ts';
export { hashSeed, sessionRandom };

/** Sessions of one flow. */
export interface FlowLoad {
  /** Sessions per second, > 0. */
  readonly rate: number;
  /** Length of the run, s. */
  readonly seconds: number;
  readonly process: 'poisson' | 'metronome';
  /** The same text gives the same arrivals. */
  readonly seed: string;
  /** Requests of a session. */
  readonly requests: number;
  /** Laws of its think times, and the factor of all of them. */
  readonly thinkTimes: readonly ThinkTimeLaw[];
  readonly think: number;
  /** Mean time of a request when the system is slow, s: the test must not run out of VUs then. */
  readonly latencySeconds: number;
}

/**
 * Seconds of `90`, `90s`, `3m`, `1h30m`, `500ms`.
 * @throws Error for anything else and for no time at all
 */
export function durationSeconds(text: string): number {
  const found = seconds(text);
  if (!(found > 0)) throw new Error(`DURATION=${text} is not valid: give a duration as in 90s, 3m or 1h30m`);
  return found;
}

/** Longest random wait of a session before its first request, s: see arrivals.ts. */
export function shiftSeconds({ rate, seconds, process }: Pick<FlowLoad, 'rate' | 'seconds' | 'process'>): number {
  return process === 'poisson' ? arrivalSteps(rate, seconds).shiftSeconds : 0;
}

/** k6's arrival-rate options of a flow, with the VUs that Little's law asks for; ask only where k6 reads options. */
export function arrivalOptions(load: FlowLoad): Record<string, unknown> {
  const { rate, seconds, seed, latencySeconds, requests } = load;
  const thinkSeconds = load.think * load.thinkTimes.reduce((sum, law) => sum + thinkTimeMean(law), 0);
  const session = { rate, requests, thinkSeconds, latencySeconds, shiftSeconds: shiftSeconds(load) };
  const vus = preallocatedVus(session, seconds);
  const executor =
    load.process === 'poisson'
      ? { executor: 'ramping-arrival-rate', ...poissonStages(rate, seconds, sessionRandom(hashSeed(seed), 0)) }
      : { executor: 'constant-arrival-rate', duration: `${seconds}s`, ...metronomeRate(rate) };
  return { ...executor, preAllocatedVUs: vus, maxVUs: 2 * vus };
}
