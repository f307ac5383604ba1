/** Counts what a rehearsal sends, from its samples. */
import { METRICS, statusClassOf, TAGS } from '../../../lib/names.ts';
import type { SampleSink } from '../metrics/registry.ts';
import type { Metric, TagSet } from '../metrics/types.ts';

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
  rows: number;
  /** Length of the rows in k6's CSV, bytes. */
  bytes: number;
  /** Values that k6 keeps for its Trends, sub-metrics included. */
  trendValues: number;
}

/** Separators, time stamp, value and quotes of a CSV row; its names and tags are counted one by one. */
const ROW_BYTES = 46;

export function tallyObserver(): { observer: SampleSink; tally: Tally } {
  const tally: Tally = {
    requests: new Map(),
    finished: new Map(),
    dropped: new Map(),
    sessions: new Map(),
    populations: new Map(),
    busy: [],
    rows: 0,
    bytes: 0,
    trendValues: 0,
  };
  const matching: string[][][] = [];
  const lengths: number[] = [];
  const add = (map: Map<string, number>, key: string, n: number) => map.set(key, (map.get(key) ?? 0) + n);
  const matches = (metric: Metric, tags: TagSet): string[] => {
    const cache = matching[metric.id] ?? [];
    matching[metric.id] = cache;
    let names = cache[tags.id];
    if (names === undefined) {
      names = metric.submetrics
        .filter((sub) => Object.keys(sub.tags).every((key) => sub.tags[key] === tags.tags[key]))
        .map((sub) => sub.name);
      cache[tags.id] = names;
    }
    return names;
  };
  const observer: SampleSink = {
    sample(metric, _, value, tags) {
      tally.rows++;
      let length = lengths[tags.id];
      if (length === undefined) {
        length = Object.values(tags.tags).reduce((sum, text) => sum + text.length + 1, ROW_BYTES);
        lengths[tags.id] = length;
      }
      tally.bytes += length + metric.name.length;
      const subs = metric.submetrics.length === 0 ? [] : matches(metric, tags);
      for (const name of subs) add(tally.populations, name, 1);
      if (metric.type === 'trend') tally.trendValues += 1 + subs.length;
      switch (metric.name) {
        case 'http_reqs': {
          const name = tags.tags['name'] ?? '';
          const byClass = tally.requests.get(name) ?? new Map<string, number>();
          tally.requests.set(name, byClass);
          add(byClass, statusClassOf(Number(tags.tags['status'])) ?? 'none', 1);
          break;
        }
        case 'vus':
          tally.busy.push(value);
          break;
        case 'iterations':
          add(tally.finished, tags.tags['scenario'] ?? '', value);
          break;
        case 'dropped_iterations':
          add(tally.dropped, tags.tags['scenario'] ?? '', value);
          break;
        case METRICS.sessionDuration: {
          const flow = tags.tags[TAGS.flow] ?? '';
          const sum = tally.sessions.get(flow) ?? { n: 0, seconds: 0 };
          tally.sessions.set(flow, { n: sum.n + 1, seconds: sum.seconds + value / 1000 });
          break;
        }
      }
    },
  };
  return { observer, tally };
}
