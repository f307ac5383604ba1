/** Counts what a rehearsal sends, from its samples. */
import { METRICS, statusClassOf, TAGS } from '../../lib/model/names.ts';
import type { RouteObserver } from '../engine/metrics/registry.ts';
import type { Route } from '../engine/metrics/types.ts';

export interface Tally {
  /** Requests by endpoint and status class (`none` without an answer). */
  readonly requests: Map<string, Map<string, number>>;
  /** Finished sessions by scenario. */
  readonly finished: Map<string, number>;
  readonly dropped: Map<string, number>;
  /** Session times by flow: number and sum, seconds. */
  readonly sessions: Map<string, { n: number; seconds: number }>;
  /** Samples of each sub-metric that has a threshold. */
  readonly populations: Map<string, number>;
  /** VUs in an iteration at every full second. */
  readonly busy: number[];
  readonly rows: number;
  /** Length of the rows in k6's CSV, bytes. */
  readonly bytes: number;
  /** Values that k6 keeps for its Trends, sub-metrics included. */
  readonly trendValues: number;
}

/** Separators, time stamp, value and quotes of a CSV row; its names and tags are counted one by one. */
const ROW_BYTES = 46;

/** @returns what to run with, and the counts so far */
export function tallyObserver(): { readonly observer: RouteObserver; readonly tally: () => Tally } {
  const routes: Route[] = [];
  const finished = new Map<string, number>();
  const dropped = new Map<string, number>();
  const sessions = new Map<string, { n: number; seconds: number }>();
  const busy: number[] = [];
  const observer: RouteObserver = {
    opened(route) {
      routes.push(route);
      return WATCHED.has(route.metric.name);
    },
    sampled({ metric, tags: { tags } }, value) {
      switch (metric.name) {
        case 'vus':
          busy.push(value);
          break;
        case 'iterations':
          add(finished, tags['scenario'] ?? '', value);
          break;
        case 'dropped_iterations':
          add(dropped, tags['scenario'] ?? '', value);
          break;
        case METRICS.sessionDuration: {
          const flow = tags[TAGS.flow] ?? '';
          const sum = sessions.get(flow) ?? { n: 0, seconds: 0 };
          sessions.set(flow, { n: sum.n + 1, seconds: sum.seconds + value / 1000 });
          break;
        }
      }
    },
  };
  return { observer, tally: () => ({ finished, dropped, sessions, busy, ...counted(routes) }) };
}

/** Metrics of which the value counts, or the moment. */
const WATCHED: ReadonlySet<string> = new Set(['vus', 'iterations', 'dropped_iterations', METRICS.sessionDuration]);

/** What follows from the number of samples of each kind alone. */
function counted(routes: readonly Route[]) {
  const requests = new Map<string, Map<string, number>>();
  const populations = new Map<string, number>();
  let rows = 0;
  let bytes = 0;
  let trendValues = 0;
  for (const {
    metric,
    tags: { tags },
    submetrics,
    samples,
  } of routes) {
    rows += samples;
    const length = Object.values(tags).reduce((sum, text) => sum + text.length + 1, ROW_BYTES);
    bytes += samples * (length + metric.name.length);
    for (const { name } of submetrics) add(populations, name, samples);
    if (metric.type === 'trend') trendValues += samples * (1 + submetrics.length);
    if (metric.name !== 'http_reqs') continue;
    const name = tags['name'] ?? '';
    const byClass = requests.get(name) ?? new Map<string, number>();
    requests.set(name, byClass);
    add(byClass, statusClassOf(Number(tags['status'])) ?? 'none', samples);
  }
  return { requests, populations, rows, bytes, trendValues };
}

const add = (map: Map<string, number>, key: string, n: number) => map.set(key, (map.get(key) ?? 0) + n);
