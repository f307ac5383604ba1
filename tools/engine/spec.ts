/** What to run, and what came of it. */
import type { Clock } from './clock.ts';
import type { Transport } from './http/transport.ts';
import type { RouteObserver } from './metrics/registry.ts';
import type { Scenario } from './scenarios.ts';
import type { SummaryData } from './summary/data.ts';

export interface OutputSpec {
  readonly type: 'csv' | 'json';
  readonly path: string;
}

/** One run of the embedded engine: k6's `run` in plain data. */
export interface EmbeddedSpec {
  /** Path of a bundle or of a plain ES module. */
  readonly script: string;
  /** `__ENV` of the script; the process environment is not added. */
  readonly env: Readonly<Record<string, string>>;
  /** Options that stand above the script's: `vus`, `iterations`, `duration`, `tags`, `thresholds`, ... */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly outputs?: readonly OutputSpec[];
  /** CSV time format; k6's K6_CSV_TIME_FORMAT. */
  readonly csvTimeFormat?: string;
  readonly summaryExport?: string;
  readonly noThresholds?: boolean;
  readonly noSetup?: boolean;
  readonly noTeardown?: boolean;
  readonly noSummary?: boolean;
  /** Awaited when everything is ready and before setup(), as k6 waits with --paused. @param over aborted when the run is ended */
  readonly atStart?: (over: { readonly aborted: boolean }) => Promise<void>;
  /** Ends the run as a SIGINT ends k6. */
  readonly signal?: AbortSignal;
  readonly stdout?: (text: string) => void;
  readonly stderr?: (text: string) => void;
  /** Bytes that a script may add to the heap between two waits; by default as much as V8 may have, less a quarter. */
  readonly memoryLimit?: number;
  /** Longest computation between two waits, ms; default 10 s. */
  readonly computeLimitMs?: number;
  /** Rehearsal: another clock and a model in place of the network. */
  readonly clock?: Clock;
  readonly newTransport?: (vu: number) => Transport;
  readonly seed?: number;
  /** Receives every sample, beside the files. */
  readonly observer?: RouteObserver;
}

export interface EngineResult {
  /** k6's exit codes. */
  readonly exitCode: number;
  /** What handleSummary received; undefined when the script never got that far. */
  readonly summary: SummaryData | undefined;
  readonly iterations: number;
  readonly interrupted: number;
  /** Most VUs in an iteration at one time. */
  readonly mostActiveVus: number;
  /** Time that VUs spent in iterations, added up. */
  readonly vuSeconds: number;
  /** Options with the script's and the spec's own together; empty when the script never got that far. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Most VUs that the run could have had, and its longest duration, s. */
  readonly maxVUs: number;
  readonly totalSeconds: number;
  /** What was planned; empty when the script never got that far. */
  readonly scenarios: readonly Scenario[];
  /** VUs that existed at the end. */
  readonly initialisedVus: number;
}
