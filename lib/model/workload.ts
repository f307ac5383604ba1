/**
 * The workload model as plain data: what `traffic` writes, what the build bakes into the bundles, what the tools size
 * and judge by. Types and arithmetic only; the zod check of a file lives on the Node side.
 */

export const WORKLOAD_SCHEMA_VERSION = 1;

/** Name of the workload that a load test takes unless its `LoadTest.workload` names another one. */
export const DEFAULT_WORKLOAD = 'workload';

/** File of a workload by the name that scenarios give. */
export function workloadFile(name: string): string {
  return `data/${name === DEFAULT_WORKLOAD ? '' : `${name}-`}workload.json`;
}

/** Law of a think time; all times in seconds. */
export type ThinkTimeLaw =
  | { readonly law: 'fixed'; readonly value: number }
  | { readonly law: 'uniform'; readonly min: number; readonly max: number }
  /** ln(X) is normal with mean `mu` and standard deviation `sigma`; X is cut at `cap` when given. */
  | { readonly law: 'lognormal'; readonly mu: number; readonly sigma: number; readonly cap?: number }
  /** Exponential with this mean before the cut at `cap`. */
  | { readonly law: 'exponential'; readonly mean: number; readonly cap: number }
  /** Quantiles (at least two) from probability 0 to 1, linear between them; equally spaced unless `probabilities` says where. */
  | {
      readonly law: 'empirical';
      readonly quantiles: readonly number[];
      /** One for each quantile, rising from 0 to 1. */
      readonly probabilities?: readonly number[];
    };

/** Law by which sessions pick items; rank 1 is the most popular of N. */
export type PopularityLaw =
  /** Always the same item, at 0-based index `index`. */
  | { readonly law: 'single'; readonly index?: number }
  | { readonly law: 'uniform' }
  /** index = floor(N * u^g): P(rank <= k) = (k/N)^(1/g). */
  | { readonly law: 'power'; readonly g: number }
  /** Discrete Zipf: P(rank = k) proportional to k^-s. */
  | { readonly law: 'zipf'; readonly s: number }
  /** Cumulative share of views at a rank: points [rank, share], both rising, last one [N, 1]; uniform in between. */
  | { readonly law: 'empirical'; readonly curve: readonly (readonly [number, number])[] };

/** A first-order Markov chain of steps: the next one depends on the one before only. */
export interface StepChain {
  /** Probability of each first step, adding up to 1. */
  readonly starts: Readonly<Record<string, number>>;
  /** Probability of each next step after a step; what is missing to 1 ends the session. */
  readonly next: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** What the sessions of a flow ask for, where no code says it; steps are keys of `Workload.endpoints`. */
export interface FlowSessions {
  /** Whole sessions, step by step, and the share of the flow's sessions that are like that. */
  readonly forms: readonly { readonly share: number; readonly steps: readonly string[] }[];
  /** How the others go; needed when the shares of the forms are less than 1. */
  readonly chain?: StepChain;
}

/** A stretch of time and the session rate in it; the rate jumps from stage to stage. */
export interface Stage {
  /** As `900s`. */
  readonly duration: string;
  /** Sessions per second, >= 0. */
  readonly target: number;
}

/** The think time of steps that have none of their own in a flow. */
export const ANY_STEP = '*->*';

export interface Flow {
  /** Share of all sessions, 0 to 1; the shares of all flows add up to 1. Not a request share. */
  readonly share: number;
  /** For a flow without code of its own, whose sessions are drawn (`drawnFlow`), as `traffic --skeleton` writes it. */
  readonly sessions?: FlowSessions;
  /** Think time before a step, keyed `from->to` in the flow's own step names. */
  readonly thinkTimes: Readonly<Record<string, ThinkTimeLaw>>;
}

export interface Workload {
  readonly schemaVersion: typeof WORKLOAD_SCHEMA_VERSION;
  readonly provenance: {
    /** Where the numbers come from, in words a reader can check. */
    readonly source: string;
    readonly notes?: readonly string[];
  };
  readonly arrivals: {
    /** Sessions per second over all flows. */
    readonly rate: number;
    readonly process: 'poisson' | 'metronome';
    /** How the rate rises and falls, for PROFILE=log. */
    readonly stages?: readonly Stage[];
  };
  /** Requests by the names of their steps, `METHOD /path/{x}`; for flows with `sessions`. */
  readonly endpoints?: Readonly<Record<string, string>>;
  readonly flows: Readonly<Record<string, Flow>>;
  readonly popularity: PopularityLaw;
  /** For sizing by Little's law only: mean time that one request takes, ms. */
  readonly latency: { readonly healthyMs: number; readonly degradedMs: number };
  /** Share of the traffic that a CDN answers and that is therefore left out of the run, 0 to 1. */
  readonly cdnShare: number;
}

/** Requests that each flow sends, per endpoint name; measured by running the flow, never written down. */
export type FlowRequests = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Request shares per endpoint name (adding up to 1) that session shares give.
 * @param shares session share per flow; need not be normalised
 * @param requests requests of one session of each flow per endpoint
 */
export function requestShares(
  shares: Readonly<Record<string, number>>,
  requests: FlowRequests,
): Record<string, number> {
  const counts: Record<string, number> = {};
  let total = 0;
  for (const [flow, share] of Object.entries(shares)) {
    for (const [endpoint, n] of Object.entries(requests[flow] ?? {})) {
      counts[endpoint] = (counts[endpoint] ?? 0) + share * n;
      total += share * n;
    }
  }
  if (total > 0) for (const endpoint of Object.keys(counts)) counts[endpoint] = (counts[endpoint] ?? 0) / total;
  return counts;
}

/** Mean number of requests of one session over all flows. */
export function requestsPerSession(shares: Readonly<Record<string, number>>, requests: FlowRequests): number {
  let weight = 0;
  let sum = 0;
  for (const [flow, share] of Object.entries(shares)) {
    weight += share;
    for (const n of Object.values(requests[flow] ?? {})) sum += share * n;
  }
  return weight > 0 ? sum / weight : 0;
}
