/** The plan of a run as plain data: what is decided before it, and what its summary goes back to. */
import type { Phase } from '../model/names.ts';
import type { ThinkTimeLaw } from '../model/workload.ts';
import type { FlowRecord } from './flow-record.ts';
import type { LoadTest } from './load-test.ts';
import type { Scope, Thresholds } from './objectives.ts';
import type { PlannedPool } from './pools.ts';
import type { Profile } from './profiles.ts';

/** A flow as this run uses it. */
export interface PlannedFlow extends FlowRecord {
  readonly name: string;
  /** Session share, 0 to 1. */
  readonly share: number;
  readonly thinkTimes: Readonly<Record<string, ThinkTimeLaw>>;
}

export interface PlannedScenario {
  /** k6's name of it: `flow`, or `flow_warmup`. */
  readonly name: string;
  readonly flow: string;
  readonly phase: Phase;
  /** Highest sessions per second; 0 for a closed loop. */
  readonly rate: number;
  readonly seconds: number;
  /** Sessions planned; undefined for a closed loop, whose number the system decides. */
  readonly sessions: number | undefined;
  readonly preallocatedVus: number;
  readonly maxVus: number;
  /** k6's form. */
  readonly k6: Readonly<Record<string, unknown>>;
}

export interface K6Options {
  scenarios: Record<string, PlannedScenario['k6']>;
  thresholds: Thresholds;
  maxRedirects: number;
  setupTimeout: string;
  summaryTrendStats: string[];
  systemTags: readonly string[];
}

export interface Plan {
  readonly test: LoadTest;
  readonly profile: Profile;
  readonly cache: '' | 'cold' | 'warm';
  readonly seed: string;
  readonly think: number;
  readonly timeoutSeconds: number;
  readonly arrivals: 'poisson' | 'metronome';
  readonly pools: readonly PlannedPool[];
  readonly flows: readonly PlannedFlow[];
  readonly scenarios: readonly PlannedScenario[];
  /** Share of the sessions that this worker runs under an execution segment; absent for all of them. */
  readonly workerShare?: number;
  readonly thresholdsName: string;
  readonly scope: Scope;
  readonly options: K6Options;
}

/** The pool that follows the workload's popularity, if one does. */
export const popularPool = ({ pools }: Pick<Plan, 'pools'>): PlannedPool | undefined =>
  pools.find((one) => one.popular);
