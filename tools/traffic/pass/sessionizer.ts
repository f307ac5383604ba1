/**
 * Sessions, think times, route sequences and item counts out of requests in time order. A session ends when its client has
 * been silent for the inactivity gap.
 */

import { DOUBLES, TIME } from '../events/events.ts';
import { type ItemCounts, itemCounts } from '../events/items.ts';
import { sampleSeed } from '../events/reservoir.ts';
import {
  BY_ID,
  COUNT,
  END,
  FIRST,
  GAPS,
  KEPT_STEPS,
  REQUESTS,
  STEPS,
  sessionsKernel,
} from '../kernel/sessions-kernel.ts';
import type { ArrivalSeries } from './arrival-series.ts';
import { type ClusterGaps, clusterGapRecorder, type SessionEnds } from './cluster-gaps.ts';
import type { DistinctCount } from './distinct.ts';
import { pendingLinks } from './id-links.ts';
import { type Amount, NO_SESSIONS, outlierRecorder } from './outliers.ts';
import type { RouteSequence } from './route-sequences.ts';
import { sessionTally, tallyOf } from './session-tally.ts';
import type { OnRequests } from './time-window.ts';
import { joinTransitions, sampleName, type Transition, transitionRecorder } from './transitions.ts';

export interface SessionOptions {
  /** Silence after which the next request of a client begins a new session, ms. */
  readonly gap: number;
  /** Step of the time stamps, ms. */
  readonly resolution: number;
  /** Think times kept per transition for the fits. */
  readonly samples?: number;
  /** Keep the gaps of each cluster of sessions too: for logs whose flows are to be discovered. */
  readonly clusterGaps?: boolean;
}

export interface SessionResult {
  readonly sessions: number;
  /** Requests of these sessions. */
  readonly requests: number;
  /** Those of them that a session id names. */
  readonly byId: Amount;
  /**
   * Sessions by address and agent in a log that names others by id. When nearly all requests carry an id, the others are no
   * user's (a look whether the system is up) and begin no session.
   */
  readonly withoutId: Amount & { readonly leftOut: boolean };
  readonly clients: DistinctCount;
  /** Clients whose address holds many users, their sessions and requests; kept out of think times and route sequences. */
  readonly shared: Amount & { readonly clients: number };
  /** Sessions by address of more requests than are kept, and those among them that are far longer than most sessions. */
  readonly long: Amount;
  readonly outliers: Amount;
  readonly sequences: readonly RouteSequence[];
  /** Sessions of route sequences that no longer fitted into the table. */
  readonly sequencesLost: number;
  readonly transitions: readonly Transition[];
  /** Those within sessions of at most `KEPT_STEPS` requests, and those within longer ones. */
  readonly shortTransitions: readonly Transition[];
  readonly longTransitions: readonly Transition[];
  /** Gaps per cluster of sessions; empty unless asked for. */
  readonly clusterGaps: readonly ClusterGaps[];
  /** How sessions end; undefined unless the gaps of clusters are asked for. */
  readonly ends?: SessionEnds;
  /** Silences between requests of the same client whatever their length: bin i holds [2^(i/8), 2^((i+1)/8)) seconds. */
  readonly silences: Float64Array;
  /** Sum of session lengths, ms, from first start to last end. */
  readonly totalLength: number;
  /** Requests that came later than the sorting window allows. */
  readonly late: number;
  /** Requests that overlap the one before of the same session, parallel calls for one. */
  readonly overlapping: number;
  /** Requests that equal the one before of their client in start, end and route. */
  readonly repeated: number;
  /** Gaps within bursts that were not taken as think times. */
  readonly burstGaps: number;
  readonly series: ArrivalSeries;
  /** Start of the first and the last request, ms; NaN when there is none. */
  readonly firstRequest: number;
  readonly lastRequest: number;
  readonly items: ItemCounts;
}

export interface Sessionizer {
  /** Requests in order of their start. */
  readonly add: OnRequests;
  /** Session ids and the addresses that they came from (`id-links.ts`), before their requests. */
  link(links: readonly number[]): void;
  result(): SessionResult;
}

/** Sums under way. */
type Sums = { -readonly [key in keyof Amount]: number };

function add(sums: Sums, requests: number, ms: number): void {
  sums.sessions++;
  sums.requests += requests;
  sums.length += ms;
}

const SAMPLES = 20_000;
/** With fewer requests than this share without a session id, those begin no session. */
const FEW_WITHOUT_ID = 0.05;

export function sessionizer(options: SessionOptions): Sessionizer {
  const { gap, resolution } = options;
  const all = sessionTally(resolution);
  const named = sessionTally(resolution);
  const links = pendingLinks();
  let adopted = 0;
  const clusterGaps = options.clusterGaps === true ? clusterGapRecorder() : undefined;
  const samples = options.samples ?? SAMPLES;
  const rare = [transitionRecorder(samples), transitionRecorder(samples)] as const;
  const shared = { ...NO_SESSIONS } as Sums;
  const long = { ...NO_SESSIONS } as Sums;
  const outliers = outlierRecorder();
  // In an array, because a number with a fraction that a closure changes is a new object each time.
  const span = new Float64Array([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]);
  const kernel = sessionsKernel(
    { gap, slack: resolution + 50, samples },
    {
      fresh: all.clients.add,
      closed: close,
      named: byName,
      gap: (from, to, seconds, isLong) => rare[isLong === 0 ? 0 : 1].add(from, to, seconds),
      seed: (from, to) => sampleSeed(sampleName(from, to)),
      begun(start, byId) {
        all.series.sessionStart(start);
        if (byId !== 0) named.series.sessionStart(start);
      },
      minute(time, requests) {
        all.series.requests(time, requests);
        named.series.requests(time, requests);
      },
    },
  );

  function byName(record: number, id1: number, id2: number, start: number): void {
    named.clients.add(id1, id2);
    const address = links.take(id1, id2);
    if (address === undefined || !kernel.adopt(record, address[0], address[1], start)) return;
    adopted++;
    // The session has begun a think time earlier; told now, because starts are told in the order of time.
    named.series.sessionStart(start);
  }

  function close(record: number): void {
    const { ints, doubles, shorts, floats } = kernel.views();
    const at = record >>> 2;
    const count = ints[at + COUNT] as number;
    const isNamed = ((ints[at + REQUESTS] as number) & BY_ID) !== 0;
    const d = record >>> 3;
    const first = doubles[d + FIRST] as number;
    const length = (doubles[d + END] as number) - first;
    all.add(count, length);
    if (isNamed) named.add(count, length);
    if (!isNamed && kernel.isShared(record)) {
      add(shared, count, length);
      return;
    }
    const isLong = count > KEPT_STEPS;
    if (!isNamed) {
      outliers.add(count, length);
      if (isLong) add(long, count, length);
    }
    const steps = (record >>> 1) + STEPS;
    (isNamed ? named : all).sequences.add(shorts, steps, count, isLong, first);
    if (isLong) clusterGaps?.addLong(shorts[steps + ((count - 1) % KEPT_STEPS)] as number, count);
    else clusterGaps?.add(shorts, steps, count, floats, at + GAPS);
    // A longer session has handed its earlier gaps on already. Last, because the memory may grow and the views end.
    kernel.offerGaps(record, isLong ? ((count - 1) % KEPT_STEPS) + 1 : count, isLong);
  }

  return {
    add(rows, n) {
      if (n > 0) {
        span[0] = Math.min(span[0] as number, rows.doubles[TIME] as number);
        span[1] = Math.max(span[1] as number, rows.doubles[(n - 1) * DOUBLES + TIME] as number);
      }
      kernel.add(rows, n);
    },
    link: links.add,
    result() {
      const sums = kernel.finish();
      const byId = named.amount();
      const everything = all.amount();
      const withoutId = {
        sessions: everything.sessions - byId.sessions,
        requests: everything.requests - byId.requests,
        length: everything.length - byId.length,
      };
      const leftOut = withoutId.sessions > 0 && withoutId.requests < FEW_WITHOUT_ID * everything.requests;
      const shortTransitions = [...sums.samples, ...rare[0].result()].sort((a, b) => b.gaps.n - a.gaps.n);
      const longTransitions = [...sums.longSamples, ...rare[1].result()];
      const [firstRequest, lastRequest] = span as unknown as [number, number];
      return {
        ...tallyOf(all, named, {
          onlyNamed: leftOut || withoutId.sessions === 0,
          startsAsTold: adopted < FEW_WITHOUT_ID * byId.sessions || adopted === 0,
        }),
        byId,
        withoutId: { ...withoutId, leftOut },
        shared: { clients: sums.sharedClients, ...shared },
        long,
        outliers: outliers.result(),
        clusterGaps: [],
        ...clusterGaps?.result(),
        transitions: joinTransitions(shortTransitions, longTransitions, samples),
        shortTransitions,
        longTransitions,
        silences: sums.silences,
        late: sums.late,
        overlapping: sums.overlapping,
        repeated: sums.repeated,
        burstGaps: sums.burstGaps,
        firstRequest: firstRequest <= lastRequest ? firstRequest : Number.NaN,
        lastRequest: firstRequest <= lastRequest ? lastRequest : Number.NaN,
        items: itemCounts(sums.items),
      };
    },
  };
}
