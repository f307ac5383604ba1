/**
 * Sessions, think times, session shapes and item counts out of requests in time order. A session ends when its client has
 * been silent for the inactivity gap.
 */

import { type ArrivalSeries, seriesRecorder } from './arrival-series.ts';
import {
  COUNT,
  clientTable,
  doubleAt,
  END,
  FAST_RUNS,
  FIRST,
  gapAt,
  intAt,
  KEPT_STEPS,
  OVERLAPS,
  REQUESTS,
  RUN_START,
  SHARED,
  START,
  stepAt,
} from './client-table.ts';
import { type DistinctCount, distinctCounter } from './distinct.ts';
import { type ItemCounts, itemCounter } from './items.ts';
import { type Reservoir, reservoir } from './reservoir.ts';
import type { OnRequests } from './time-window.ts';

export interface SessionOptions {
  /** Silence after which the next request of a client begins a new session, ms. */
  readonly gap: number;
  /** Step of the time stamps, ms. */
  readonly resolution: number;
  /** Think times kept per transition for the fits. */
  readonly samples?: number;
}

/** A sequence of routes and how many sessions had it; sequences longer than KEPT_STEPS are cut and marked. */
export interface Shape {
  readonly steps: readonly number[];
  readonly cut: boolean;
  n: number;
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

export const SILENCE_BINS = 8 * 20;
const MAX_SHAPES = 20_000;
const MAX_TRANSITIONS = 20_000;
/** Sixteen requests in less than this are faster than one person clicks, ms. */
const FAST_RUN = 8_000;
const SWEEP_FROM = 1 << 16;
const NEAR = 32;
/** Requests whose clients are looked up together. */
const BATCH = 64;

export function sessionizer(options: SessionOptions): Sessionizer {
  const { gap, resolution } = options;
  const table = clientTable();
  const clients = distinctCounter();
  const series = seriesRecorder(resolution);
  const items = itemCounter();
  const shapes = new Map<number, Shape>();
  const transitions = new Map<number, Transition>();
  const nearby = new Array<Transition | undefined>(NEAR * NEAR).fill(undefined);
  const silences = new Float64Array(SILENCE_BINS);
  const shared = { clients: 0, sessions: 0, requests: 0 };
  let sessions = 0;
  let requests = 0;
  let shapesLost = 0;
  let totalLength = 0;
  let late = 0;
  let overlapping = 0;
  let burstGaps = 0;
  let latest = Number.NEGATIVE_INFINITY;
  let nextSweep = SWEEP_FROM;
  const slack = resolution + 50;

  function pushGaps(slot: number, n: number): void {
    const { steps, gaps } = table;
    for (let i = 1; i < n; i++) {
      pushGap(steps[stepAt(slot, i - 1)] as number, steps[stepAt(slot, i)] as number, gaps[gapAt(slot, i)] as number);
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
    const { ints, doubles } = table;
    const count = ints[intAt(slot, COUNT)] as number;
    if (count === 0) return;
    sessions++;
    totalLength += (doubles[doubleAt(slot, END)] as number) - (doubles[doubleAt(slot, FIRST)] as number);
    if (isShared(slot)) {
      shared.sessions++;
      shared.requests += count;
    } else {
      // A longer session has handed its earlier gaps on already.
      const kept = count <= KEPT_STEPS ? count : ((count - 1) % KEPT_STEPS) + 1;
      if (kept > 1) pushGaps(slot, kept);
      addShape(slot, count);
    }
    ints[intAt(slot, COUNT)] = 0;
  }

  function isShared(slot: number): boolean {
    const { ints } = table;
    if (ints[intAt(slot, SHARED)] === 1) return true;
    const n = ints[intAt(slot, REQUESTS)] as number;
    if (n >= 20 && (ints[intAt(slot, OVERLAPS)] as number) >= 0.1 * n) markShared(slot);
    return ints[intAt(slot, SHARED)] === 1;
  }

  function markShared(slot: number): void {
    if (table.ints[intAt(slot, SHARED)] === 1) return;
    table.ints[intAt(slot, SHARED)] = 1;
    shared.clients++;
  }

  function addShape(slot: number, count: number): void {
    const { steps } = table;
    const base = stepAt(slot, 0);
    const cut = count > KEPT_STEPS;
    let h1 = cut ? 7 : count;
    let h2 = 0x2545f491;
    const n = Math.min(count, KEPT_STEPS);
    if (!cut) {
      for (let i = 0; i < n; i++) {
        const step = steps[base + i] as number;
        h1 = Math.imul(h1 ^ step, 0x01000193) + 1;
        h2 = Math.imul(h2 ^ step, 0x5bd1e995);
        h2 ^= h2 >>> 13;
      }
    }
    const key = (h1 >>> 0) * 2_097_152 + (h2 & 0x1fffff);
    const shape = shapes.get(key);
    if (shape !== undefined) shape.n++;
    else if (shapes.size < MAX_SHAPES) {
      shapes.set(key, { steps: cut ? [] : Array.from(steps.subarray(base, base + n)), cut, n: 1 });
    } else shapesLost++;
  }

  /** A run of KEPT_STEPS is full: its gaps are handed on, unless no person is that fast. */
  function endRun(slot: number, start: number): void {
    const { ints, doubles } = table;
    const runs = intAt(slot, FAST_RUNS);
    if (start - (doubles[doubleAt(slot, RUN_START)] as number) < FAST_RUN) {
      burstGaps += KEPT_STEPS - 1;
      ints[runs] = (ints[runs] as number) + 1;
      if ((ints[runs] as number) >= 4) markShared(slot);
    } else {
      ints[runs] = 0;
      if (ints[intAt(slot, SHARED)] === 0) pushGaps(slot, KEPT_STEPS);
    }
    doubles[doubleAt(slot, RUN_START)] = start;
  }

  function sweep(): void {
    table.sweep((slot) => {
      if (latest - (table.doubles[doubleAt(slot, END)] as number) <= Math.max(gap, 3_600_000)) return false;
      close(slot);
      return true;
    });
    nextSweep = Math.max(SWEEP_FROM, table.used * 2);
  }

  /** What the time since the client's latest request says; whether the session goes on. */
  function goesOn(slot: number, start: number, silence: number): boolean {
    if (silence >= 1000) {
      const bin = silenceBin(silence / 1000);
      silences[bin] = (silences[bin] as number) + 1;
    }
    if (start < (table.doubles[doubleAt(slot, START)] as number)) late++;
    if (silence > gap) {
      close(slot);
      return false;
    }
    if (silence < -slack) {
      overlapping++;
      table.ints[intAt(slot, OVERLAPS)] = (table.ints[intAt(slot, OVERLAPS)] as number) + 1;
    }
    return true;
  }

  const slots = new Uint32Array(BATCH);

  function addOne(slot: number, start: number, took: number, route: number): void {
    const { ints, doubles } = table;
    const at = intAt(slot, 0);
    const d = doubleAt(slot, 0);
    if (start > latest) latest = start;
    ints[at + REQUESTS] = (ints[at + REQUESTS] as number) + 1;
    let count = ints[at + COUNT] as number;
    let silence = 0;
    if (count > 0) {
      silence = start - (doubles[d + END] as number);
      if (!goesOn(slot, start, silence)) count = 0;
    }
    if (count === 0) {
      doubles[d + FIRST] = start;
      doubles[d + END] = start;
      doubles[d + RUN_START] = start;
      series.sessionStart(start);
    }
    const place = count % KEPT_STEPS;
    if (count > 0 && place === 0) {
      const last = table.steps[stepAt(slot, KEPT_STEPS - 1)] as number;
      endRun(slot, start);
      if (ints[at + SHARED] === 0 && ints[at + FAST_RUNS] === 0) pushGap(last, route, silence / 1000);
    }
    table.steps[stepAt(slot, place)] = route;
    table.gaps[gapAt(slot, place)] = silence / 1000;
    ints[at + COUNT] = count + 1;
    doubles[d + START] = start;
    doubles[d + END] = Math.max(doubles[d + END] as number, start + took);
  }

  return {
    add({ start, duration, client1, client2, route, item }, places, from, to) {
      requests += to - from;
      for (let first = from; first < to; first += BATCH) {
        const n = Math.min(BATCH, to - first);
        if (table.used >= nextSweep) sweep();
        table.slotsOf(client1, client2, places, first, n, slots);
        items.add(item, places, first, n);
        for (let k = 0; k < n; k++) {
          const i = places[first + k] as number;
          const slot = slots[k] as number;
          const begin = start[i] as number;
          const took = duration[i] as number;
          series.request(begin);
          if (table.ints[intAt(slot, REQUESTS)] === 0) clients.add(client1[i] as number, client2[i] as number);
          addOne(slot, begin, Number.isNaN(took) ? 0 : took, route[i] as number);
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
        shapes: [...shapes.values()].sort((a, b) => b.n - a.n),
        shapesLost,
        transitions: [...transitions.values()].sort((a, b) => b.gaps.n - a.gaps.n),
        silences,
        totalLength,
        late,
        overlapping,
        burstGaps,
        series: series.result(),
        items: items.result(),
      };
    },
  };
}

const EIGHTHS = Float64Array.from({ length: 7 }, (_, i) => 2 ** ((i + 1) / 8));

/** floor(8 log2 seconds) for seconds >= 1, within the histogram, without a logarithm. */
export function silenceBin(seconds: number): number {
  if (seconds >= 2 ** 20) return SILENCE_BINS - 1;
  const octave = 31 - Math.clz32(seconds);
  const within = seconds / (1 << octave);
  let eighth = 0;
  while (eighth < 7 && within >= (EIGHTHS[eighth] as number)) eighth++;
  return 8 * octave + eighth;
}
