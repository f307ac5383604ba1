/** One side of a comparison: one run or several repetitions, with its samples in time order. */
import { DURATION_METRICS, TAGS } from '../../../lib/model/names.ts';
import { UserError } from '../../base/user-error.ts';
import { type Analysis, withSamples } from '../analyse.ts';
import { text } from '../database.ts';
import { MEASURED_SQL } from '../populations.ts';
import type { BinnedSamples } from '../statistics/blocks.ts';

export interface SidePopulation {
  readonly endpoint: string;
  readonly samples: BinnedSamples;
  readonly n: number;
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
  /** Share of answers that came from a cache, where a tag `cache` (HIT, MISS) says it. */
  readonly hitRatio?: number;
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
  let seconds = 0;
  let hits = 0;
  let looked = 0;
  for (const path of paths) {
    await withSamples(
      { paths: [path], by: [TAGS.cache], metrics: [DURATION_METRICS['2xx']] },
      async (database, analysis) => {
        if (database === undefined)
          throw new UserError(`${path}: a summary cannot be compared; give raw samples (--out csv=samples.csv)`, 3);
        analyses.push(analysis);
        const rows = await database.connection.runAndReadAll(
          `SELECT name, class, coalesce(expected, status BETWEEN 100 AND 399, false) AS good, t, v FROM samples JOIN series USING (h) WHERE metric = 'http_req_duration' AND ${MEASURED_SQL} ORDER BY t`,
        );
        const [names = [], classes = [], good = [], times = [], values = []] = rows.getColumnsJS();
        // The suite tags its own Trends, since an answer is known only after k6 has written its samples.
        const [cache] = await database.query<{ hits: number; looked: number }>(
          `SELECT count(*) FILTER (tag_cache = 'HIT') AS hits, count(*) AS looked FROM samples JOIN series USING (h)
         WHERE metric IN ('http_req_duration', ${text(DURATION_METRICS['2xx'])}) AND tag_cache IN ('HIT', 'MISS') AND ${MEASURED_SQL}`,
        );
        hits += cache?.hits ?? 0;
        looked += cache?.looked ?? 0;
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
        for (const [name, own] of collected) {
          const added = own.map((bin) => Float64Array.from(bin));
          const known = populations.get(name);
          populations.set(name, {
            endpoint: name,
            samples: { bins: [...(known?.samples.bins ?? []), ...added] },
            n: (known?.n ?? 0) + own.reduce((sum, bin) => sum + bin.length, 0),
          });
        }
      },
    );
  }
  return { paths, analyses, populations, failures, seconds, ...(looked === 0 ? {} : { hitRatio: hits / looked }) };
}
