/**
 * Gaps per cluster of sessions: those that ask for the same set of routes are one cluster. Where flows are discovered, each has
 * its own think times, although two may share a transition.
 */
import { type Reservoir, reservoir } from '../events/reservoir.ts';
import type { Transition } from './transitions.ts';

export interface ClusterGaps {
  /** The routes asked for, in rising order. */
  readonly routes: readonly number[];
  readonly transitions: readonly Transition[];
}

/** Sums over all sessions, also those too long for a sequence. */
export interface SessionEnds {
  readonly sessions: number;
  readonly requests: number;
  /** Sessions whose last request went to a route. */
  readonly ends: ReadonlyMap<number, number>;
}

export interface ClusterGapRecorder {
  /**
   * A whole session: `count` routes in `steps` from `at` on, and the gap before each in `gaps` from `gapAt` on, s.
   */
  add(steps: Uint16Array, at: number, count: number, gaps: Float32Array, gapAt: number): void;
  /** A session of `count` requests whose steps are no longer known but for the last. */
  addLong(last: number, count: number): void;
  result(): { clusterGaps: ClusterGaps[]; ends: SessionEnds };
}

/** Clusters and gaps that are kept; common clusters come early, and a workload takes the twenty most frequent. */
const MAX_CLUSTERS = 500;
const MAX_TRANSITIONS = 100;
const SAMPLES = 5_000;

export function clusterGapRecorder(): ClusterGapRecorder {
  const clusters = new Map<
    string,
    { routes: number[]; gaps: Map<number, { from: number; to: number; gaps: Reservoir }> }
  >();
  const ends = new Map<number, number>();
  const sums = { sessions: 0, requests: 0 };
  function ended(last: number, count: number): void {
    sums.sessions++;
    sums.requests += count;
    ends.set(last, (ends.get(last) ?? 0) + 1);
  }
  return {
    addLong: ended,
    add(steps, at, count, gaps, gapAt) {
      ended(steps[at + count - 1] as number, count);
      const routes = [...new Set(steps.subarray(at, at + count))].sort((a, b) => a - b);
      const key = routes.join();
      let cluster = clusters.get(key);
      if (cluster === undefined) {
        if (clusters.size >= MAX_CLUSTERS) return;
        cluster = { routes, gaps: new Map() };
        clusters.set(key, cluster);
      }
      for (let i = 1; i < count; i++) {
        const from = steps[at + i - 1] as number;
        const to = steps[at + i] as number;
        const name = from * 65_536 + to;
        let transition = cluster.gaps.get(name);
        if (transition === undefined) {
          if (cluster.gaps.size >= MAX_TRANSITIONS) continue;
          transition = { from, to, gaps: reservoir(SAMPLES, `${key} ${name}`) };
          cluster.gaps.set(name, transition);
        }
        transition.gaps.add(gaps[gapAt + i] as number);
      }
    },
    result: () => ({
      clusterGaps: [...clusters.values()].map(({ routes, gaps }) => ({ routes, transitions: [...gaps.values()] })),
      ends: { ...sums, ends },
    }),
  };
}
