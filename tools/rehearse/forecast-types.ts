/** What a rehearsal says of the run to come. */

/** 2: objectives on shares and averages too, and whether each can be decided. */
export const REHEARSAL_SCHEMA_VERSION = 2;

export interface ObjectiveForecast {
  readonly name: string;
  readonly threshold: string;
  readonly samples: number;
  /** Highest percentile with ten samples beyond it; null with fewer than twenty. */
  readonly earned: number | null;
  /** Whether so many samples can decide it, if the system does well. */
  readonly decidable: boolean;
  /** Seconds of load after which they can; null when nothing is sampled. */
  readonly secondsNeeded: number | null;
  readonly ok: boolean;
}

export interface RehearsalForecast {
  readonly schemaVersion: typeof REHEARSAL_SCHEMA_VERSION;
  readonly engine: 'rehearsal';
  readonly exitCode: number;
  readonly seconds: number;
  readonly sessions: {
    readonly finished: number;
    readonly dropped: number;
    readonly meanSeconds: Record<string, number>;
  };
  readonly requests: {
    readonly total: number;
    readonly byEndpoint: Record<string, { n: number; share: number; classes: Record<string, number> }>;
  };
  readonly vus: {
    readonly busyMean: number;
    readonly busyMost: number;
    /** Little's law: finished sessions per second of load times their mean time in a VU. */
    readonly busyByLittle: number;
    readonly preallocated: number;
    readonly limit: number;
    readonly recommended: number;
    /** With the degraded latency of the workload in place of the rehearsed one. */
    readonly recommendedDegraded: number;
  };
  readonly objectives: readonly ObjectiveForecast[];
  readonly cache: {
    readonly cold: number | null;
    readonly steady: number | null;
    readonly coldTheory: number | null;
    readonly steadyTheory: number | null;
  };
  /** Copies of each item (books of the bookstore); absent where the modelled server sells nothing. */
  readonly stock?: { readonly perBook: number; readonly tightest: string | null; readonly left: number };
  readonly cost: { readonly rows: number; readonly csvBytes: number; readonly trendBytes: number };
  readonly warnings: readonly string[];
}
