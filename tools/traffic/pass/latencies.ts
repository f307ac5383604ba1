/** Request durations per route from the log: count, mean, and quantiles from a histogram with buckets 2 % wide. */

import { DURATION, INTS, ROUTE, SHORTS } from '../events/events.ts';
import type { OnRequests } from './time-window.ts';

export interface Latencies {
  /** Figures of a route, `undefined` when it has no durations. */
  of(route: number): Latency | undefined;
  /** Over all routes. */
  readonly all: Latency | undefined;
}
export interface Latency {
  readonly n: number;
  readonly meanMs: number;
  /** Quantile with a relative error of at most 1 %. */
  quantileMs(p: number): number;
}

const STEP = Math.log(1.02);
/** Bucket 0 begins at 10 microseconds. */
const FIRST = Math.log(0.01);
const BUCKETS = Math.ceil((Math.log(3.6e6) - FIRST) / STEP);

interface Sums {
  n: number;
  total: number;
  readonly buckets: Uint32Array;
}

export function latencyRecorder(): {
  readonly add: OnRequests;
  result(): Latencies;
} {
  const routes: (Sums | undefined)[] = [];
  const all = newSums();
  const record = (sums: Sums, duration: number, bucket: number): void => {
    sums.n++;
    sums.total += duration;
    sums.buckets[bucket] = (sums.buckets[bucket] as number) + 1;
  };
  return {
    add({ floats, shorts }, n) {
      for (let i = 0; i < n; i++) {
        const duration = floats[i * INTS + DURATION] as number;
        if (!(duration >= 0)) continue;
        const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.floor((Math.log(duration) - FIRST) / STEP)));
        const route = shorts[i * SHORTS + ROUTE] as number;
        let sums = routes[route];
        if (sums === undefined) {
          sums = newSums();
          routes[route] = sums;
        }
        record(sums, duration, bucket);
        record(all, duration, bucket);
      }
    },
    result: () => ({
      of: (route) => figures(routes[route]),
      all: figures(all),
    }),
  };
}

function newSums(): Sums {
  return { n: 0, total: 0, buckets: new Uint32Array(BUCKETS) };
}

function figures(sums: Sums | undefined): Latency | undefined {
  if (sums === undefined || sums.n === 0) return undefined;
  return {
    n: sums.n,
    meanMs: sums.total / sums.n,
    quantileMs(p) {
      const wanted = p * sums.n;
      let seen = 0;
      for (let i = 0; i < BUCKETS; i++) {
        seen += sums.buckets[i] as number;
        if (seen >= wanted) return Math.exp(FIRST + (i + 0.5) * STEP);
      }
      return Math.exp(FIRST + BUCKETS * STEP);
    },
  };
}
