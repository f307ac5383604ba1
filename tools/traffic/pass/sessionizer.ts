/**
 * Sessions, think times, session shapes and item counts out of requests in time order. A session ends when its client has
 * been silent for the inactivity gap.
 */

import { type ArrivalSeries, seriesRecorder } from './arrival-series.ts';
import {
  COUNT,
  clientTable,
  DOUBLES,
  END,
  FAST_RUNS,
  FIRST,
  GAPS,
  INTS,
  KEPT_STEPS,
  MOST_AT_ONCE,
  OVERLAPS,
  REQUESTS,
  SHARED,
  SHORTS,
  STEPS,
} from './client-table.ts';
import { type DistinctCount, distinctCounter } from './distinct.ts';
import {
  CLIENT_1,
  CLIENT_2,
  DURATION,
  ROUTE,
  DOUBLES as ROW_DOUBLES,
  INTS as ROW_INTS,
  SHORTS as ROW_SHORTS,
  TIME,
} from './events.ts';
import { type ItemCounts, itemCounter } from './items.ts';
import { type Kind, kindCounter } from './kinds.ts';
import { type Reservoir, reservoir } from './reservoir.ts';
import { type Shape, shapeCounter } from './shapes.ts';
import { SILENCE_BINS, silenceBin } from './silences.ts';
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

/** Gaps between two requests of one session in a row, seconds: end of the first to start of the second. */
export interface Transition {
  readonly from: number;
  readonly to: number;
  readonly gaps: Reservoir;
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
/** Places in the totals: sum of session lengths and latest start, ms. */
const LENGTH = 0;
const LATEST = 1;
const SWEEP_FROM = 1 << 16;
const NEAR = 32;
/** Requests whose clients are looked up together. */
const BATCH = MOST_AT_ONCE;

export function sessionizer(options: SessionOptions): Sessionizer {
  const { gap, resolution } = options;
  const table = clientTable();
  const clients = distinctCounter();
  const series = seriesRecorder(resolution);
  const items = itemCounter();
  const shapes = shapeCounter();
  const kinds = options.kinds === true ? kindCounter() : undefined;
  const transitions = new Map<number, Transition>();
  const nearby = new Array<Transition | undefined>(NEAR * NEAR).fill(undefined);
  const silences = new Float64Array(SILENCE_BINS);
  const shared = { clients: 0, sessions: 0, requests: 0 };
  let sessions = 0;
  let requests = 0;
  let late = 0;
  let overlapping = 0;
  let burstGaps = 0;
  // In an array, because a number with a fraction that a closure changes is a new object each time.
  const totals = new Float64Array([0, Number.NEGATIVE_INFINITY]);
  let nextSweep = SWEEP_FROM;
  const slack = resolution + 50;
  // The table's memory, taken anew whenever it may have moved.
  let { ints, doubles, floats, shorts } = table;
  const look = (): void => {
    ({ ints, doubles, floats, shorts } = table);
  };

  function pushGaps(slot: number, n: number): void {
    const step = slot * SHORTS + STEPS;
    const gapBefore = slot * INTS + GAPS;
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

  function close(slot: number): void {
    const at = slot * INTS;
    const count = ints[at + COUNT] as number;
    if (count === 0) return;
    sessions++;
    const d = slot * DOUBLES;
    totals[LENGTH] = (totals[LENGTH] as number) + (doubles[d + END] as number) - (doubles[d + FIRST] as number);
    if (isShared(slot)) {
      shared.sessions++;
      shared.requests += count;
    } else {
      // A longer session has handed its earlier gaps on already.
      const kept = count <= KEPT_STEPS ? count : ((count - 1) % KEPT_STEPS) + 1;
      if (kept > 1) pushGaps(slot, kept);
      shapes.add(shorts, slot * SHORTS + STEPS, count, count > KEPT_STEPS);
      if (count <= KEPT_STEPS) kinds?.add(shorts, slot * SHORTS + STEPS, count, floats, at + GAPS);
    }
    ints[at + COUNT] = 0;
  }

  function isShared(slot: number): boolean {
    const at = slot * INTS;
    const n = ints[at + REQUESTS] as number;
    if (n >= 20 && (ints[at + OVERLAPS] as number) >= 0.1 * n) markShared(slot);
    return shorts[slot * SHORTS + FAST_RUNS] === SHARED;
  }

  function markShared(slot: number): void {
    const at = slot * SHORTS + FAST_RUNS;
    if (shorts[at] !== SHARED) shared.clients++;
    shorts[at] = SHARED;
  }

  /** A run of KEPT_STEPS is full: its gaps are handed on, unless no person is that fast. @param silence after it, ms */
  function endRun(slot: number, silence: number): void {
    const runs = slot * SHORTS + FAST_RUNS;
    let seconds = silence / 1000;
    for (let i = 1; i < KEPT_STEPS; i++) seconds += Math.max(0, floats[slot * INTS + GAPS + i] as number);
    if (seconds < FAST_RUN) {
      burstGaps += KEPT_STEPS - 1;
      if (shorts[runs] === 3) markShared(slot);
      else if (shorts[runs] !== SHARED) shorts[runs] = (shorts[runs] as number) + 1;
    } else if (shorts[runs] !== SHARED) {
      shorts[runs] = 0;
      pushGaps(slot, KEPT_STEPS);
    }
  }

  function sweep(): void {
    const longest = Math.max(gap, 3_600_000);
    table.sweep((slot) => {
      if ((totals[LATEST] as number) - (doubles[slot * DOUBLES + END] as number) <= longest) return false;
      close(slot);
      return true;
    });
    nextSweep = Math.max(SWEEP_FROM, table.used * 2);
  }

  /** What the time since the client's latest request says; whether the session goes on. */
  function goesOn(slot: number, silence: number): boolean {
    if (silence >= 1000) {
      const bin = silenceBin(silence / 1000);
      silences[bin] = (silences[bin] as number) + 1;
    }
    if (silence > gap) {
      close(slot);
      return false;
    }
    if (silence < -slack) {
      overlapping++;
      ints[slot * INTS + OVERLAPS] = (ints[slot * INTS + OVERLAPS] as number) + 1;
    }
    return true;
  }

  const slots = new Int32Array(BATCH);

  function addOne(slot: number, start: number, took: number, route: number): void {
    const at = slot * INTS;
    const d = slot * DOUBLES;
    if (start < (totals[LATEST] as number)) late++;
    else totals[LATEST] = start;
    ints[at + REQUESTS] = (ints[at + REQUESTS] as number) + 1;
    let count = ints[at + COUNT] as number;
    let silence = 0;
    if (count > 0) {
      silence = start - (doubles[d + END] as number);
      if (!goesOn(slot, silence)) count = 0;
    }
    if (count === 0) {
      doubles[d + FIRST] = start;
      doubles[d + END] = start;
      series.sessionStart(start);
    }
    const place = count % KEPT_STEPS;
    if (count > 0 && place === 0) {
      const last = shorts[slot * SHORTS + STEPS + KEPT_STEPS - 1] as number;
      endRun(slot, silence);
      if (shorts[slot * SHORTS + FAST_RUNS] === 0) pushGap(last, route, silence / 1000);
    }
    shorts[slot * SHORTS + STEPS + place] = route;
    floats[at + GAPS + place] = silence / 1000;
    ints[at + COUNT] = count + 1;
    doubles[d + END] = Math.max(doubles[d + END] as number, start + took);
  }

  return {
    add(rows, places, from, to) {
      requests += to - from;
      for (let first = from; first < to; first += BATCH) {
        const n = Math.min(BATCH, to - first);
        if (table.used >= nextSweep) sweep();
        table.slotsOf(rows, places, first, n, slots);
        look();
        items.add(rows, places, first, n);
        for (let k = 0; k < n; k++) {
          const i = places[first + k] as number;
          const slot = slots[k] as number;
          const start = rows.doubles[i * ROW_DOUBLES + TIME] as number;
          const took = rows.floats[i * ROW_INTS + DURATION] as number;
          series.request(start);
          if (ints[slot * INTS + REQUESTS] === 0) {
            clients.add(rows.ints[i * ROW_INTS + CLIENT_1] as number, rows.ints[i * ROW_INTS + CLIENT_2] as number);
          }
          addOne(slot, start, Number.isNaN(took) ? 0 : took, rows.shorts[i * ROW_SHORTS + ROUTE] as number);
        }
      }
    },
    result() {
      for (let slot = 0; slot < table.used; slot++) close(slot);
      return {
        sessions,
        requests,
        clients: clients.result(),
        shared,
        ...shapes.result(),
        kinds: kinds?.result() ?? [],
        transitions: [...transitions.values()].sort((a, b) => b.gaps.n - a.gaps.n),
        silences,
        totalLength: totals[LENGTH] as number,
        late,
        overlapping,
        burstGaps,
        series: series.result(),
        items: items.result(),
      };
    },
  };
}
