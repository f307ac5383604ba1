/**
 * Everything that the rules may look at, as plain data. Rules read facts and limits and nothing else, so that each can be
 * tried on a few numbers.
 */
import type { CounterDefinition } from '../../lib/plan/suite-definition.ts';
import type { WithheldLoad } from './closed-loops.ts';
import type { LogFacts } from './log.ts';
import type { ObjectiveResult } from './objectives/decide.ts';
import type { OtherPopulation } from './other-protocols.ts';
import type { PlannedLoad } from './planned-load.ts';
import type { Population, StatusCount } from './populations.ts';
import type { Bin, Gap, GaugePoint, SecondCounts } from './timeline.ts';

export interface FileFacts {
  readonly path: string;
  readonly format: string;
  readonly rows: number;
  readonly lostRows: number;
  readonly lost: readonly string[];
  readonly resolutionMs: number;
  /** Requests that stand in the file more than once, to the last digit. */
  readonly repeated?: number;
  /** Requests in the file. */
  readonly requests?: number;
}

export interface ScenarioFacts {
  readonly name: string;
  readonly finished: number;
  readonly dropped: number;
  /** Rows that say so: an arrival rate writes one for each, a batch job one for all that were left at its end. */
  readonly dropRows?: number;
  /** Requests sent by this scenario. */
  readonly requests: number;
  /** Seconds after the first sample of the run: begin of its first iteration that finished, and its last sample. */
  readonly firstSecond: number;
  readonly lastSecond: number;
  /** Iteration duration, ms, of those that finished. */
  readonly iteration?: {
    readonly meanMs: number;
    readonly p10Ms: number;
    readonly p50Ms: number;
    readonly p90Ms: number;
  };
  /** Mean time of an iteration spent in requests (set-up included), ms. */
  readonly requestMs: number;
}

export interface EndpointFacts {
  readonly name: string;
  readonly n: number;
}

export interface NoAnswerCluster {
  readonly endpoint: string;
  readonly status: number;
  readonly errorCode: number;
  readonly n: number;
  readonly p10Ms: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
}

export interface Omission {
  readonly observedP99Ms: number;
  /** With the samples added that a user of the same pace would have met while waiting. */
  readonly correctedP99Ms: number;
  readonly longestMs: number;
  readonly paceMs: number;
}

export interface GeneratorFacts {
  readonly hostname?: string;
  /** CPU cores that the machine (or the container's limit) offers. */
  readonly cores: number;
  readonly memoryBytes: number;
  readonly timeMs: readonly number[];
  readonly cpuCores: readonly number[];
  readonly machineCores: readonly number[];
  readonly rssBytes: readonly number[];
}

export interface RunFacts {
  readonly runId?: string;
  readonly scenario?: string;
  readonly exitCode?: number;
  readonly signal?: string | null;
  readonly interrupted?: boolean;
  /** The watcher or k6 was killed before the manifest could be completed. */
  readonly cutOff?: boolean;
  readonly sameHost?: boolean | null;
  readonly tls?: boolean;
  readonly target?: string;
  readonly engine?: string;
  readonly argv?: readonly string[];
  readonly seed?: string | null;
  readonly scriptSha?: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly generator?: GeneratorFacts;
  /** Planned share of requests by endpoint, 0 to 1. */
  readonly plannedMix?: Readonly<Record<string, number>>;
  /** Name of the popularity law. */
  readonly popularity?: string;
  /** State of the cache as it was declared: `cold` or `warm`. */
  readonly cache?: string;
  /** What the counters of the suite's own mean; absent where the results do not say. */
  readonly counters?: Readonly<Record<string, CounterDefinition>>;
  /** What a reader must know beside the numbers: limiter, payments, cache state. */
  readonly circumstances?: readonly string[];
}

export interface WorkerFacts {
  readonly path: string;
  readonly worker: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly requests: number;
  readonly failed: number;
  readonly finished: number;
  readonly dropped: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  /** The same for two files with the same samples, in whatever order. */
  readonly fingerprint: string;
  /** Other workers that hold a share of its requests (or it of theirs), 0 to 1, however their times differ. */
  readonly overlaps?: readonly { readonly path: string; readonly share: number }[];
  /** Whether a manifest tells how it was started. */
  readonly manifest?: boolean;
  readonly target?: string;
  /** Its scenarios in words: executor, rate, duration. */
  readonly load?: string;
  /** `from:to` of the execution segment, where the manifest says it. */
  readonly segment?: string;
  readonly sequence?: string;
  readonly seed?: string | null;
  readonly scriptSha?: string;
  /** How it ended, where the manifest says it. */
  readonly ending?: { readonly exitCode?: number; readonly interrupted: boolean; readonly cutOff: boolean };
}

/** What the summary of a run counts, beside samples. */
export interface SummaryCounts {
  readonly path: string;
  readonly requests?: number;
  readonly iterations?: number;
  readonly dropped?: number;
  /** Length of the run, s. */
  readonly seconds?: number;
  /** Names of endpoints that it counts requests of. */
  readonly names: readonly string[];
}

export interface Facts {
  readonly files: readonly FileFacts[];
  readonly window: {
    /** Whole run, first to last sample, ms since 1970; setup and the end of the last sessions included. */
    readonly startMs: number;
    readonly endMs: number;
    readonly seconds: number;
    /** From the begin of the first session of the measured phase to that of the last, s; unknown of a summary. */
    readonly loadSeconds?: number;
    /** First session or request begun and last one ended, setup and teardown left out, ms since 1970; unknown of a summary. */
    readonly loadFromMs?: number;
    readonly loadToMs?: number;
  };
  readonly plan?: PlannedLoad;
  readonly run?: RunFacts;
  readonly log?: LogFacts;
  /** Given beside samples of one file; they must agree. */
  readonly summary?: SummaryCounts;
  /** Rows that k6 writes in pairs, and how many of each there are; only where both are read. */
  readonly pairs?: readonly { readonly metrics: readonly [string, string]; readonly n: readonly [number, number] }[];
  readonly requests: {
    readonly n: number;
    readonly failed: number;
    /** Whether `failed` follows the script's own expected statuses (else 4xx, 5xx and no answer). */
    readonly failedByScript: boolean;
    /** Undefined where a summary does not tell. */
    readonly noAnswer?: number;
    readonly statuses: readonly StatusCount[];
  };
  /** Distinct names, most requested first, at most 1,000. */
  readonly endpoints: readonly EndpointFacts[];
  readonly endpointCount: number;
  readonly populations: readonly Population[];
  /** What was timed beside HTTP; iterations, where nothing else was. */
  readonly others?: readonly OtherPopulation[];
  /** The measured phase by exact status, all endpoints together. */
  readonly byStatus: readonly Population[];
  /** Tags that populations are split by (`--by`), in the order of their values there. */
  readonly by?: readonly string[];
  readonly blends: readonly Population[];
  /** Unexpected answers and time-outs by endpoint, status and error code, with the spread of their durations. */
  readonly failures: readonly NoAnswerCluster[];
  readonly scenarios: readonly ScenarioFacts[];
  /** What waiting hid, if users were a closed loop: the p99 with the requests that were never sent, ms. */
  readonly omission?: Omission;
  /** How regularly iterations of closed loops begin together, by scenario: variance over mean of their numbers in a twentieth of an iteration. */
  readonly dispersion?: Readonly<Record<string, number>>;
  /** What closed loops did not send because the system was slow; a scenario with too few requests has none. */
  readonly withheld?: readonly WithheldLoad[];
  readonly iterations: { readonly finished: number; readonly dropped: number };
  readonly vus: readonly GaugePoint[];
  readonly vusMax: readonly GaugePoint[];
  readonly seconds: readonly SecondCounts[];
  /** Times without any row; absent of a summary. */
  readonly gaps?: readonly Gap[];
  readonly bins: readonly Bin[];
  readonly checks: { readonly passed: number; readonly failed: number };
  /** Sums of the script's own counters and rates (1 is true) by metric. */
  readonly counters: Readonly<Record<string, number>>;
  /** Metrics of the script whose type nothing tells, as in a CSV alone: of a Trend or a Gauge the sum means nothing. */
  readonly untyped?: Readonly<Record<string, { readonly n: number; readonly sum: number }>>;
  readonly objectives: readonly ObjectiveResult[];
  /** Tags beside k6's own that the samples carry. */
  readonly tagKeys: readonly string[];
  readonly ambiguousRows: number;
  readonly notFinite: number;
  readonly workers: readonly WorkerFacts[];
  /** Only a summary was given: no raw samples. */
  readonly summaryOnly: boolean;
  /** A summary that k6 wrote at the end of the run was read. */
  readonly summaryRead?: boolean;
  /** Files that were not named but lay beside the samples, and were read. */
  readonly beside?: readonly string[];
}
