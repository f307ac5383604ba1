/** One side of a comparison: one run or several repetitions, with its samples in time order. */
import { optional } from '../../base/optional.ts';
import { UserError } from '../../base/user-error.ts';
import { type Analysis, withSamples } from '../analyse.ts';
import { CACHE_METRICS, CACHE_TAGS, TOUCHED_SQL } from '../cache-touches.ts';
import type { Database } from '../database.ts';
import { MEASURED_SQL } from '../populations.ts';
import type { BinnedSamples } from '../statistics/blocks.ts';

export interface SidePopulation {
  readonly endpoint: string;
  readonly samples: BinnedSamples;
  readonly n: number;
}

export const TOUCHES = ['all', 'first touch', 'repeat'] as const;
export type Touch = (typeof TOUCHES)[number];

export interface TouchPopulation extends SidePopulation {
  /** Requests and hits per bin. */
  readonly hits: readonly { readonly n: number; readonly total: number }[];
}

export interface Side {
  readonly paths: readonly string[];
  readonly analyses: readonly Analysis[];
  /**
   * Timed answers that were expected (by the script where it says so, else 2xx and 3xx) in the measured phase, by endpoint; those of
   * another class than 2xx apart, as `name 3xx`.
   */
  readonly populations: ReadonlyMap<string, SidePopulation>;
  /** Requests and failures per bin over all endpoints. */
  readonly failures: readonly { readonly requests: number; readonly failed: number }[];
  /** What a tag `cache` (HIT, MISS) says: all such requests, and apart the first for an item and later ones where a tag `item` tells. */
  readonly touches: ReadonlyMap<Touch, TouchPopulation>;
  /** State of the cache that its runs declare. */
  readonly declared?: string;
  /** Seconds of load in the measured phase, all repetitions together. */
  readonly seconds: number;
}

/** Bins a run is cut into: a second each where there are enough, never more than this. */
const MOST_BINS = 600;
const FEWEST_BINS = 60;

/** Reads one side; `paths` are its repetitions. */
export async function readSide(paths: readonly string[]): Promise<Side> {
  const analyses: Analysis[] = [];
  const populations = new Map<string, SidePopulation>();
  const failures: { requests: number; failed: number }[] = [];
  const touches = new Map<Touch, TouchPopulation>();
  let seconds = 0;
  for (const path of paths) {
    await withSamples({ paths: [path], tags: CACHE_TAGS, metrics: CACHE_METRICS }, async (database, analysis) => {
      if (database === undefined)
        throw new UserError(`${path}: a summary cannot be compared; give raw samples (--out csv=samples.csv)`, 3);
      analyses.push(analysis);
      const rows = await database.connection.runAndReadAll(
        `SELECT name, class, coalesce(expected, status BETWEEN 100 AND 399, false) AS good, t, v FROM samples JOIN series USING (h) WHERE metric = 'http_req_duration' AND ${MEASURED_SQL} ORDER BY t`,
      );
      const [names = [], classes = [], good = [], times = [], values = []] = rows.getColumnsJS();
      const n = names.length;
      if (n === 0) throw new UserError(`${path}: no measured request to compare`, 3);
      const from = Number(times[0]);
      const span = Math.max(1, Number(times[n - 1]) - from);
      seconds += analysis.facts.window.loadSeconds || span / 1e6;
      const bins = Math.max(FEWEST_BINS, Math.min(MOST_BINS, Math.floor(span / 1e6)));
      const binOf = (time: unknown) => Math.min(bins - 1, Math.floor(((Number(time) - from) / span) * bins));
      const collected = new Map<string, number[][]>();
      const failed = Array.from({ length: bins }, () => ({ requests: 0, failed: 0 }));
      for (let i = 0; i < n; i++) {
        const bin = binOf(times[i]);
        const count = failed[bin];
        if (count !== undefined) {
          count.requests += 1;
          if (good[i] !== true) count.failed += 1;
        }
        if (good[i] !== true || classes[i] === 'none') continue;
        const name = classes[i] === '2xx' ? String(names[i]) : `${String(names[i])} ${String(classes[i])}`;
        let own = collected.get(name);
        if (own === undefined) {
          own = Array.from({ length: bins }, () => []);
          collected.set(name, own);
        }
        own[bin]?.push(Number(values[i]));
      }
      failures.push(...failed);
      await addTouches(touches, database, bins, binOf);
      for (const [name, own] of collected) {
        const added = own.map((bin) => Float64Array.from(bin));
        const known = populations.get(name);
        populations.set(name, {
          endpoint: name,
          samples: { bins: [...(known?.samples.bins ?? []), ...added] },
          n: (known?.n ?? 0) + own.reduce((sum, bin) => sum + bin.length, 0),
        });
      }
    });
  }
  const declared = analyses[0]?.facts.run?.cache;
  return { paths, analyses, populations, failures, touches, seconds, ...optional('declared', declared) };
}

async function addTouches(
  touches: Map<Touch, TouchPopulation>,
  database: Database,
  bins: number,
  binOf: (time: unknown) => number,
): Promise<void> {
  const rows = await database.connection.runAndReadAll(`SELECT t, v, hit, first FROM (${TOUCHED_SQL}) ORDER BY t`);
  const [times = [], values = [], hits = [], firsts = []] = rows.getColumnsJS();
  for (const touch of TOUCHES) {
    const own = Array.from({ length: bins }, () => [] as number[]);
    const counts = Array.from({ length: bins }, () => ({ n: 0, total: 0 }));
    let n = 0;
    for (let i = 0; i < times.length; i++) {
      if (touch !== 'all' && firsts[i] !== (touch === 'first touch')) continue;
      const bin = Math.max(0, binOf(times[i]));
      n += 1;
      own[bin]?.push(Number(values[i]));
      const count = counts[bin];
      if (count === undefined) continue;
      count.n += 1;
      if (hits[i] === true) count.total += 1;
    }
    if (n === 0) continue;
    const known = touches.get(touch);
    touches.set(touch, {
      endpoint: touch,
      samples: { bins: [...(known?.samples.bins ?? []), ...own.map((bin) => Float64Array.from(bin))] },
      hits: [...(known?.hits ?? []), ...counts],
      n: (known?.n ?? 0) + n,
    });
  }
}
