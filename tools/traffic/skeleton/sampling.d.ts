/** Random arrivals, think times and picks of bookstore-load; generated, nothing in it is to be edited. */

/** Draws a number, uniform in [0, 1). */
export type Random = () => number;

/** All times in seconds. */
export type ThinkTimeLaw =
  | { readonly law: 'fixed'; readonly value: number }
  | { readonly law: 'uniform'; readonly min: number; readonly max: number }
  | { readonly law: 'lognormal'; readonly mu: number; readonly sigma: number; readonly cap?: number }
  | { readonly law: 'exponential'; readonly mean: number; readonly cap: number }
  | { readonly law: 'empirical'; readonly quantiles: readonly number[]; readonly probabilities?: readonly number[] };

/** Rank 1 is the most popular item. */
export type PopularityLaw =
  | { readonly law: 'single'; readonly index?: number }
  | { readonly law: 'uniform' }
  | { readonly law: 'power'; readonly g: number }
  | { readonly law: 'zipf'; readonly s: number }
  | { readonly law: 'empirical'; readonly curve: readonly (readonly [number, number])[] };

export interface FlowLoad {
  /** Sessions per second. */
  readonly rate: number;
  /** Length of the run, s. */
  readonly seconds: number;
  readonly process: 'poisson' | 'metronome';
  /** The same text gives the same arrivals. */
  readonly seed: string;
  /** Requests of a session. */
  readonly requests: number;
  readonly thinkTimes: readonly ThinkTimeLaw[];
  /** Factor of all think times. */
  readonly think: number;
  /** Mean time of a request when the system is slow, s. */
  readonly latencySeconds: number;
}

/** Seconds of `90`, `90s`, `3m`, `1h30m`. */
export function durationSeconds(text: string): number;
/** k6's arrival-rate options with the VUs that Little's law asks for. */
export function arrivalOptions(load: FlowLoad): Record<string, unknown>;
/** Longest random wait of a session before its first request: arrivals are Poisson only with it. */
export function shiftSeconds(load: Pick<FlowLoad, 'rate' | 'seconds' | 'process'>): number;
/** Draws a think time, s. */
export function drawThinkTime(law: ThinkTimeLaw, random: Random): number;
/** Draws 0-based places below n in popularity order. */
export function popularitySampler(law: PopularityLaw, n: number): (random: Random) => number;
/** Hash of a text, for `sessionRandom`. */
export function hashSeed(text: string): number;
/** The random numbers of one session: the same for the same base and number. */
export function sessionRandom(base: number, iteration: number): Random;
