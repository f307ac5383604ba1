/** What a file of `scenarios/` says about its load test. */
import type { AnyFlow } from '../model/flow.ts';
import type { Workload } from '../model/workload.ts';

export interface LoadTest {
  /** Name of the bundle. */
  readonly name: string;
  /** What a session of each flow does; the flow's name is that of the exported function. */
  readonly flows: Readonly<Record<string, AnyFlow>>;
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
