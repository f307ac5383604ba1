/** What a scenario file says about itself, and a flow as a run uses it. */

import type { Flow } from '../model/flow.ts';
import type { ThinkTimeLaw, Workload } from '../model/workload.ts';
import type { FlowRecord } from './flow-record.ts';

/** What a scenario file says about itself. */
export interface Spec {
  /** Name of the bundle. */
  readonly name: string;
  /** What a session of each flow does; the flow's name is that of the exported function. */
  readonly flows: Readonly<Record<string, Flow>>;
  /** `shop` for `data/shop-workload.json`: an API of its own has shares of its own. Else `data/workload.json`. */
  readonly workload?: string;
  /** Think times and shares of flows that the workload does not know. */
  readonly own?: Workload['flows'];
  /** Sessions per second when neither RATE nor the profile says so; else the workload's rate times the flows' share. */
  readonly rate?: number;
  /** Length of the default profile, s. */
  readonly seconds?: number;
  readonly arrivals?: 'poisson' | 'metronome';
  /** `ramp`: a tenth of the rate up to all of it and down. `closed`: VUS users who begin again when they are done. */
  readonly shape?: 'ramp' | 'closed';
  /** Objectives file when neither THRESHOLDS, CACHE nor PROFILE chooses one. */
  readonly thresholds?: string;
}

/** A flow as this run uses it. */
export interface PlannedFlow extends FlowRecord {
  readonly name: string;
  /** Session share, 0 to 1. */
  readonly share: number;
  readonly thinkTimes: Readonly<Record<string, ThinkTimeLaw>>;
}
