/**
 * What the plan of a run tells the VUs of one scenario: resolved once, handed over as JSON in the scenario's own `env`, so
 * that VUs hold neither the table of variables nor the workload.
 */
import type { PoolPolicy, Stripe } from './pool-rows.ts';
import type { PopularityLaw, ThinkTimeLaw } from './workload.ts';

/** Name in the scenario's `env`. */
export const SESSION_KIT = 'SESSION_KIT';

export interface SessionKit {
  /** k6's name of it. */
  readonly scenario: string;
  readonly baseUrl: string;
  /** Seconds. */
  readonly timeout: number;
  /** Hash of seed and scenario. */
  readonly base: number;
  readonly seed: string;
  /** Longest random wait before a session's first request, s. */
  readonly shift: number;
  /** Factor on think times. */
  readonly think: number;
  readonly thinkTimes: Readonly<Record<string, ThinkTimeLaw>>;
  readonly popularity: PopularityLaw | 'once';
  readonly stripe: Stripe;
  readonly pool: PoolPolicy;
  /** Share of cacheable requests that a CDN answers, which are not sent. */
  readonly cdnShare: number;
  /** Whether requests carry `X-Session-Id`. */
  readonly identified: boolean;
  /** Whether latency samples tell of the cache, and of the item asked for. */
  readonly cacheTag: '' | 'on' | 'item';
  /** Whether each session logs what it drew. */
  readonly traced: boolean;
}
