/**
 * Sessions, think times, session shapes and item counts out of requests in time order. A session ends when its client has
 * been silent for the inactivity gap.
 */

import {
  COUNT,
  END,
  FAST_RUNS,
  FIRST,
  GAPS,
  KEPT_STEPS,
  OVERLAPS,
  REQUESTS,
  STEPS,
  sessionsKernel,
} from '../kernel/sessions-kernel.ts';
import { type ArrivalSeries, seriesRecorder } from './arrival-series.ts';
import { type DistinctCount, distinctCounter } from './distinct.ts';
import { type ItemCounts, itemCounter } from './items.ts';
import { type Kind, kindCounter, type Transition } from './kinds.ts';
import { reservoir } from './reservoir.ts';
import { type Shape, shapeCounter } from './shapes.ts';
import type { OnRequests } from './time-window.ts';

export interface SessionOptions {
  /** Silence after which the next request of a client begins a new session, ms. */
  readonly gap: number;
  /** Step of the time stamps, ms. */
  readonly resolution: number;
  /** Think times kept per transition for the fits. */
  readonly samples?: number;
  /** Keep the gaps of each kind of session apart too: for logs whose flows are to be discovered. */
  readonly kinds?: boolean;
}

export interface SessionResult {
  readonly sessions: number;
  readonly requests: number;
  readonly clients: DistinctCount;
  /** Clients whose address holds many users, their sessions and requests; kept out of think times and shapes. */
  readonly shared: { clients: number; sessions: number; requests: number };
  readonly shapes: readonly Shape[];
  /** Sessions of shapes that no longer fitted into the table. */
  readonly shapesLost: number;
  readonly transitions: readonly Transition[];
  /** Gaps per kind of session; empty unless asked for. */
  readonly kinds: readonly Kind[];
  /** Silences between requests of the same client whatever their length: bin i holds [2^(i/8), 2^((i+1)/8)) seconds. */
  readonly silences: Float64Array;
  /** Sum of session lengths, ms, from first start to last end. */
  readonly totalLength: number;
  /** Requests that came later than the sorting window allows. */
  readonly late: number;
  /** Requests that overlap the one before of the same session, parallel calls for one. */
  readonly overlapping: number;
  /** Gaps within bursts that were not taken as think times. */
  readonly burstGaps: number;
  readonly series: ArrivalSeries;
  readonly items: ItemCounts;
}

export interface Sessionizer {
  /** Requests in order of their start. */
  readonly add: OnRequests;
  result(): SessionResult;
}

const MAX_TRANSITIONS = 20_000;
/** KEPT_STEPS requests in less than this are faster than one person clicks, s. */
const FAST_RUN = KEPT_STEPS / 2;
/** Value of FAST_RUNS for a client that holds many users. */
const SHARED = 0xffff;
const NEAR = 32;

export function sessionizer(options: SessionOptions): Sessionizer {
  const { gap, resolution } = options;
  const clients = distinctCounter();
  const series = seriesRecorder(resolution);
  const items = itemCounter();
  const shapes = shapeCounter();
  const kinds = options.kinds === true ? kindCounter() : undefined;
  const transitions = new Map<number, Transition>();
  const nearby = new Array<Transition | undefined>(NEAR * NEAR).fill(undefined);
  const shared = { clients: 0, sessions: 0, requests: 0 };
  let sessions = 0;
  let requests = 0;
  let burstGaps = 0;
  // In an array, because a number with a fraction that a closure changes is a new object each time.
  const totalLength = new Float64Array(1);
  const kernel = sessionsKernel(gap, resolution + 50, {
    fresh: clients.add,
    closed: close,
    full(record, silence, route) {
      const last = kernel.views().shorts[(record >>> 1) + STEPS + KEPT_STEPS - 1] as number;
      endRun(record, silence);
      if (kernel.views().shorts[(record >>> 1) + FAST_RUNS] === 0) pushGap(last, route, silence / 1000);
    },
    begun: series.sessionStart,
    minute: series.requests,
  });

  function pushGaps(record: number, n: number): void {
    const { shorts, floats } = kernel.views();
    const step = (record >>> 1) + STEPS;
    const gapBefore = (record >>> 2) + GAPS;
    for (let i = 1; i < n; i++) {
      pushGap(shorts[step + i - 1] as number, shorts[step + i] as number, floats[gapBefore + i] as number);
    }
  }

  function pushGap(from: number, to: number, seconds: number): void {
    // The few most common endpoints have the lowest numbers: their transitions are found without hashing.
    const near = from < NEAR && to < NEAR ? from * NEAR + to : -1;
    const common = near >= 0 ? nearby[near] : undefined;
    if (common !== undefined) {
      common.gaps.add(seconds);
      return;
    }
    const key = from * 65_536 + to;
    let transition = transitions.get(key);
    if (transition === undefined) {
      if (transitions.size >= MAX_TRANSITIONS) return;
      transition = { from, to, gaps: reservoir(options.samples ?? 20_000, String(key)) };
      transitions.set(key, transition);
      if (near >= 0) nearby[near] = transition;
    }
    transition.gaps.add(seconds);
  }

  function close(record: number): void {
    const { ints, doubles, shorts, floats } = kernel.views();
    const at = record >>> 2;
    const count = ints[at + COUNT] as number;
    if (count === 0) return;
    sessions++;
    const d = record >>> 3;
    totalLength[0] = (totalLength[0] as number) + (doubles[d + END] as number) - (doubles[d + FIRST] as number);
    if (isShared(record)) {
      shared.sessions++;
      shared.requests += count;
    } else {
      // A longer session has handed its earlier gaps on already.
      const kept = count <= KEPT_STEPS ? count : ((count - 1) % KEPT_STEPS) + 1;
      if (kept > 1) pushGaps(record, kept);
      const steps = (record >>> 1) + STEPS;
      shapes.add(shorts, steps, count, count > KEPT_STEPS);
      if (count <= KEPT_STEPS) kinds?.add(shorts, steps, count, floats, at + GAPS);
    }
    ints[at + COUNT] = 0;
  }

  function isShared(record: number): boolean {
    const { ints, shorts } = kernel.views();
    const at = record >>> 2;
    const n = ints[at + REQUESTS] as number;
    if (n >= 20 && (ints[at + OVERLAPS] as number) >= 0.1 * n) markShared(record);
    return shorts[(record >>> 1) + FAST_RUNS] === SHARED;
  }

  function markShared(record: number): void {
    const { shorts } = kernel.views();
    const at = (record >>> 1) + FAST_RUNS;
    if (shorts[at] !== SHARED) shared.clients++;
    shorts[at] = SHARED;
  }

  /** A run of KEPT_STEPS is full: its gaps are handed on, unless no person is that fast. @param silence after it, ms */
  function endRun(record: number, silence: number): void {
    const { floats, shorts } = kernel.views();
    const runs = (record >>> 1) + FAST_RUNS;
    const gaps = (record >>> 2) + GAPS;
    let seconds = silence / 1000;
    for (let i = 1; i < KEPT_STEPS; i++) seconds += Math.max(0, floats[gaps + i] as number);
    if (seconds < FAST_RUN) {
      burstGaps += KEPT_STEPS - 1;
      if (shorts[runs] === 3) markShared(record);
      else if (shorts[runs] !== SHARED) shorts[runs] = (shorts[runs] as number) + 1;
    } else if (shorts[runs] !== SHARED) {
      shorts[runs] = 0;
      pushGaps(record, KEPT_STEPS);
    }
  }

  return {
    add(rows, n) {
      requests += n;
      kernel.add(rows, n);
      items.add(rows, n);
    },
    result() {
      const { silences, late, overlapping } = kernel.finish();
      return {
        sessions,
        requests,
        clients: clients.result(),
        shared,
        ...shapes.result(),
        kinds: kinds?.result() ?? [],
        transitions: [...transitions.values()].sort((a, b) => b.gaps.n - a.gaps.n),
        silences,
        totalLength: totalLength[0] as number,
        late,
        overlapping,
        burstGaps,
        series: series.result(),
        items: items.result(),
      };
    },
  };
}
