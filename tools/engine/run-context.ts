/** What all parts of one run share. */
import type { Cancellation } from './cancellation.ts';
import type { Clock } from './clock.ts';
import type { EngineError } from './engine-error.ts';
import { type HttpMetricIds, httpMetricIds } from './http/record.ts';
import type { Transport } from './http/transport.ts';
import type { Lateness } from './lateness.ts';
import type { Log } from './log.ts';
import type { MetricRegistry } from './metrics/registry.ts';
import type { TagCache } from './metrics/tag-node.ts';
import type { NativeProgram } from './native/program.ts';
import type { RequestPacer } from './request-pacer.ts';
import type { Striping } from './segment.ts';
import type { CheckTree } from './summary/groups.ts';
import type { ScriptSource } from './vm/script-source.ts';

export interface RunCounts {
  /** VUs in an iteration now, and the most there were. */
  activeVus: number;
  mostActiveVus: number;
  /** Integral of the VUs in an iteration over time, ms, up to `changedAt`. */
  vuMs: number;
  changedAt: number;
  initialisedVus: number;
  completed: number;
  interrupted: number;
}

export function newCounts(): RunCounts {
  return { activeVus: 0, mostActiveVus: 0, vuMs: 0, changedAt: 0, initialisedVus: 0, completed: 0, interrupted: 0 };
}

/** Numbers of k6's own metrics. */
export interface MetricIds {
  readonly http: HttpMetricIds;
  readonly duration: number;
  readonly iterations: number;
  readonly checks: number;
  readonly groups: number;
  readonly sent: number;
  readonly received: number;
}

export function metricIds(registry: MetricRegistry): MetricIds {
  return {
    http: httpMetricIds(registry),
    duration: registry.get('iteration_duration').id,
    iterations: registry.get('iterations').id,
    checks: registry.get('checks').id,
    groups: registry.get('group_duration').id,
    sent: registry.get('data_sent').id,
    received: registry.get('data_received').id,
  };
}

export interface RunContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: MetricRegistry;
  readonly ids: MetricIds;
  readonly source: ScriptSource;
  readonly env: Readonly<Record<string, string>>;
  /** Consolidated options; filled once the script was read. */
  options: Readonly<Record<string, unknown>>;
  systemTags: ReadonlySet<string>;
  /** Tags of every sample of the run. */
  runTags: Readonly<Record<string, string>>;
  striping: Striping;
  readonly newTransport: (vu: number) => Transport;
  readonly pacer: RequestPacer;
  readonly checks: CheckTree;
  /** SharedArrays by name, each element as its JSON text. */
  readonly shared: Map<string, readonly string[]>;
  /** Tag sets of a scenario's samples by what the sample adds. */
  readonly tagCaches: WeakMap<object, TagCache>;
  readonly counts: RunCounts;
  /** Watches real time only, from the start of the load on. */
  lateness: Lateness | undefined;
  readonly limits: { readonly memory: number | undefined; readonly computeMs: number };
  readonly seed: number;
  /** The script as V8's own code; made when the first VU loads it. */
  program: NativeProgram | undefined;
  /** What setup() returned, as JSON. */
  setupData: string | undefined;
  /** Start of the run, ms since the epoch. */
  startTime: number;
  /** Aborted when the run must end now. */
  readonly abort: Cancellation;
  /** Why it was. */
  abortReason: EngineError | undefined;
  /** `exec.test.fail()` was called. */
  markedFailed: boolean;
  /** Progress of a scenario, 0 to 1. */
  readonly progress: Map<string, () => number>;
}

/** Ends the run at once; the first reason stays. */
export function abortRun(context: RunContext, reason: EngineError): void {
  if (context.abort.aborted) return;
  context.abortReason = reason;
  context.abort.abort();
}

/** Counts a VU that begins (+1) or ends (-1) an iteration. */
export function changeActiveVus(run: RunContext, change: 1 | -1): void {
  const { counts } = run;
  const now = run.clock.now();
  counts.vuMs += counts.activeVus * (now - counts.changedAt);
  counts.changedAt = now;
  counts.activeVus += change;
  counts.mostActiveVus = Math.max(counts.mostActiveVus, counts.activeVus);
}

/** Run time so far, seconds. */
export function runSeconds(context: RunContext): number {
  return Math.max(0, context.clock.now() - context.startTime) / 1000;
}
