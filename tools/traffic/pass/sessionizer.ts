/**
 * Sessions, think times, session shapes and item counts out of requests in time order. A session ends when its client has
 * been silent for the inactivity gap.
 */

import { COUNT, END, FIRST, GAPS, KEPT_STEPS, STEPS, sessionsKernel } from '../kernel/sessions-kernel.ts';
import { type ArrivalSeries, seriesRecorder } from './arrival-series.ts';
import { type DistinctCount, distinctCounter } from './distinct.ts';
import { type ItemCounts, itemCounts } from './items.ts';
import { type Kind, kindCounter } from './kinds.ts';
import { sampleSeed } from './reservoir.ts';
import { type Shape, shapeCounter } from './shapes.ts';
import type { OnRequests } from './time-window.ts';
import { sampleName, type Transition, transitionRecorder } from './transitions.ts';

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

const SAMPLES = 20_000;

export function sessionizer(options: SessionOptions): Sessionizer {
  const { gap, resolution } = options;
  const clients = distinctCounter();
  const series = seriesRecorder(resolution);
  const shapes = shapeCounter();
  const kinds = options.kinds === true ? kindCounter() : undefined;
  const samples = options.samples ?? SAMPLES;
  const rare = transitionRecorder(samples);
  const shared = { sessions: 0, requests: 0 };
  let sessions = 0;
  let requests = 0;
  // In an array, because a number with a fraction that a closure changes is a new object each time.
  const totalLength = new Float64Array(1);
  const kernel = sessionsKernel(
    { gap, slack: resolution + 50, samples },
    {
      fresh: clients.add,
      closed: close,
      gap: rare.add,
      seed: (from, to) => sampleSeed(sampleName(from, to)),
      begun: series.sessionStart,
      minute: series.requests,
    },
  );

  function close(record: number): void {
    const { ints, doubles, shorts, floats } = kernel.views();
    const at = record >>> 2;
    const count = ints[at + COUNT] as number;
    sessions++;
    const d = record >>> 3;
    totalLength[0] = (totalLength[0] as number) + (doubles[d + END] as number) - (doubles[d + FIRST] as number);
    if (kernel.isShared(record)) {
      shared.sessions++;
      shared.requests += count;
      return;
    }
    const steps = (record >>> 1) + STEPS;
    shapes.add(shorts, steps, count, count > KEPT_STEPS);
    if (count <= KEPT_STEPS) kinds?.add(shorts, steps, count, floats, at + GAPS);
    // A longer session has handed its earlier gaps on already. Last, because the memory may grow and the views end.
    kernel.offerGaps(record, count <= KEPT_STEPS ? count : ((count - 1) % KEPT_STEPS) + 1);
  }

  return {
    add(rows, n) {
      requests += n;
      kernel.add(rows, n);
    },
    result() {
      const sums = kernel.finish();
      return {
        sessions,
        requests,
        clients: clients.result(),
        shared: { clients: sums.sharedClients, ...shared },
        ...shapes.result(),
        kinds: kinds?.result() ?? [],
        transitions: [...sums.samples, ...rare.result()].sort((a, b) => b.gaps.n - a.gaps.n),
        silences: sums.silences,
        totalLength: totalLength[0] as number,
        late: sums.late,
        overlapping: sums.overlapping,
        burstGaps: sums.burstGaps,
        series: series.result(),
        items: itemCounts(sums.items),
      };
    },
  };
}
