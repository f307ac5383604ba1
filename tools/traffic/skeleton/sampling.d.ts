/** Random arrivals, sessions, think times and picks of bookstore-load; generated, nothing in it is to be edited. */

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

/** A flow of workload.json: whole sessions with their shares, and a Markov chain for the others. */
export interface DrawnFlow {
  readonly name: string;
  /** By `from->to`; `*->*` for all others. */
  readonly thinkTimes: Readonly<Record<string, ThinkTimeLaw>>;
  readonly sessions: {
    readonly forms: readonly { readonly share: number; readonly steps: readonly string[] }[];
    readonly chain?: {
      readonly starts: Readonly<Record<string, number>>;
      readonly next: Readonly<Record<string, Readonly<Record<string, number>>>>;
    };
  };
}

export interface DrawnSession {
  readonly flow: string;
  readonly steps: readonly string[];
  /** Think time before each step, s. */
  readonly waits: readonly number[];
}

/** A stretch of the run and its session rate, sessions/s. */
export interface Piece {
  readonly seconds: number;
  readonly rate: number;
}

/** A stage of workload.json. */
export interface Stage {
  readonly duration: string;
  readonly target: number;
}

export interface RunLoad {
  readonly pieces: readonly Piece[];
  readonly process: 'poisson' | 'metronome';
  /** The same text gives the same arrivals and sessions. */
  readonly seed: string;
  /** Share of each flow. */
  readonly shares: readonly number[];
  readonly flowAt: (index: number) => DrawnFlow;
  /** Factor of all think times. */
  readonly think: number;
  /** Mean time of a request when the system is slow, s. */
  readonly latencySeconds: number;
  /** After this time a request counts as unanswered, s. */
  readonly timeoutSeconds: number;
}

/** Seconds of `90`, `90s`, `3m`, `1h30m`. */
export function durationSeconds(text: string, name?: string): number;
/** A run that follows stages, stretched to `length` s and lifted to `mean` sessions/s where these are given. */
export function stagePieces(stages: readonly Stage[], length?: number, mean?: number): Piece[];
/** k6's arrival-rate options: VUs by Little's law, and time enough for the longest session to end. */
export function runOptions(load: RunLoad): Record<string, unknown>;
/** Longest random wait of a session before its first request, s: arrivals are Poisson only with it. */
export function shiftSeconds(load: Pick<RunLoad, 'pieces' | 'process'>): number;
/** Session i of a run, and the random numbers that are its own. */
export function sessionOf(
  load: Pick<RunLoad, 'pieces' | 'seed' | 'shares' | 'flowAt'>,
  i: number,
): DrawnSession & { random: Random };
/** Path and query of a template with a value for each placeholder, percent-encoded. */
export function requestPath(template: string, valueFor: (placeholder: string) => string): string;
/** Draws 0-based places below n in popularity order. */
export function popularitySampler(law: PopularityLaw, n: number): (random: Random) => number;
/** Hash of a text, for `sessionRandom`. */
export function hashSeed(text: string): number;
/** The random numbers of one session: the same for the same base and number. */
export function sessionRandom(base: number, iteration: number): Random;
