/**
 * What the plan of a run tells the VUs of one scenario: resolved once, handed over as JSON in the scenario's own `env`, so
 * that VUs hold neither the table of variables nor the workload nor the endpoints that they do not call.
 */
import type { PoolPolicy, Stripe } from './pool-rows.ts';
import type { PopularityLaw, ThinkTimeLaw } from './workload.ts';

/** Name in the scenario's `env`. */
export const SESSION_SETTINGS = 'SESSION_SETTINGS';
/** An endpoint's entry in the scenario's `env`, before its key: a `PreparedEndpoint` as JSON, read when a VU first calls it. */
export const ENDPOINT_ENTRY = 'ENDPOINT ';
/** A pool's entry, before its name: `PoolSettings` as JSON, read when a VU first picks from it. */
export const POOL_ENTRY = 'POOL ';
/** Name of the entry of a flow whose sessions are drawn: `DrawnSettings` as JSON. */
export const DRAWN_ENTRY = 'DRAWN';

/** How sessions take rows of a pool: by popularity, each row one time, or one after the other. */
export type PickLaw = PopularityLaw | 'once' | 'sequential';

export interface PoolSettings {
  /** Place of its first row among the rows of all pools. */
  readonly from: number;
  readonly rows: number;
  /** Name of the only column, whose values are the rows; absent when rows are objects. */
  readonly column?: string;
  readonly law: PickLaw;
  /** For `once` and `sequential`. */
  readonly stripe?: Stripe;
  /** What happens after the last row of `once`. */
  readonly whenUsedUp?: PoolPolicy;
  /** Whether a trace tells what was picked. */
  readonly traced?: true;
}

/** Where a flow that is data stands, and what its sessions are drawn by. */
export interface DrawnSettings {
  /** Place of its first row among the rows of all pools. */
  readonly from: number;
  /** Sessions of the scenario. */
  readonly sessions: number;
  /** Hash of seed and scenario. */
  readonly base: number;
  /** Whether each think time is its mean. */
  readonly fixed?: true;
}

export interface SessionSettings {
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
  /** Headers of every request, where there are any. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the suite's own variables, without secrets. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Names of the variables that only the environment holds, where there are any. */
  readonly secrets?: readonly string[];
  /** Share of cacheable requests that a CDN answers, which are not sent. */
  readonly cdnShare: number;
  /** Whether requests carry `X-Session-Id`. */
  readonly identified: boolean;
  /** Whether latency samples tell of the cache, and of the item asked for. */
  readonly cacheTag: '' | 'on' | 'item';
  /** Whether each session logs what it drew. */
  readonly traced: boolean;
}
