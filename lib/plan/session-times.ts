/** How long a session thinks and waits, by which VUs and the time to end are sized. */
import type { Endpoint } from '../model/endpoints.ts';
import { thinkTimeMean } from '../model/think-times.ts';
import type { ThinkTimeLaw } from '../model/workload.ts';
import type { PlannedFlow } from './planned.ts';
import type { Suite } from './suite-facts.ts';

/** Where an uncapped lognormal think time counts as ended: 1 in 30,000 is longer. */
const LONGEST_SIGMAS = 4;

/** Times of one session, s; THINK is 1. */
export interface SessionTimes {
  readonly thinkSeconds: number;
  readonly longestThinkSeconds: number;
  /** All its requests when each takes as long as it may. */
  readonly longestWaitSeconds: number;
}

export function timesOf(
  { requests, thinks, thinkTimes, drawn }: PlannedFlow,
  { endpoints }: Pick<Suite, 'endpoints'>,
  timeoutSeconds: number,
): SessionTimes {
  const waits = Object.entries(requests).map(([name, n]) => {
    const endpoint = endpoints.find((one) => one.name === name);
    return { n, seconds: longestWait(endpoint, timeoutSeconds) };
  });
  if (drawn !== undefined) {
    const longest = Math.max(0, ...waits.map(({ seconds }) => seconds));
    return { ...drawn, longestWaitSeconds: drawn.longestRequests * longest };
  }
  const laws = thinks.map((step) => thinkTimes[step] as ThinkTimeLaw);
  return {
    thinkSeconds: laws.reduce((sum, law) => sum + thinkTimeMean(law), 0),
    longestThinkSeconds: laws.reduce((sum, law) => sum + longestThink(law), 0),
    longestWaitSeconds: waits.reduce((sum, { n, seconds }) => sum + n * seconds, 0),
  };
}

/** Longest that a request to an endpoint, and what it is led on to, can last, s. */
function longestWait(endpoint: Pick<Endpoint, 'timeout' | 'redirects'> | undefined, timeoutSeconds: number): number {
  return (endpoint?.timeout ?? timeoutSeconds) * (1 + (endpoint?.redirects ?? 0));
}

/** Longest think time of a law that counts, s. */
export function longestThink(law: ThinkTimeLaw): number {
  switch (law.law) {
    case 'fixed':
      return law.value;
    case 'uniform':
      return law.max;
    case 'exponential':
      return law.cap;
    case 'lognormal':
      return Math.min(law.cap ?? Infinity, Math.exp(law.mu + LONGEST_SIGMAS * law.sigma));
    case 'empirical':
      return law.quantiles[law.quantiles.length - 1] as number;
  }
}
