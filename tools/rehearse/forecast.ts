/** What a rehearsal says about the run to come, as plain data. */

import { thresholdOf } from '../../lib/k6/threshold.ts';
import { largest } from '../../lib/model/extremes.ts';
import { popularityCdf } from '../../lib/model/popularity.ts';
import { MIN_BEYOND, samplesToDecide } from '../../lib/model/samples-needed.ts';
import type { ModelledStock } from '../../lib/model/server-model.ts';
import { poissonCeiling } from '../../lib/model/sizing.ts';
import type { PopularityLaw } from '../../lib/model/workload.ts';
import { coldHitRatio, sharesOf, steadyHitRatio } from '../engine/model/cache.ts';
import type { Scenario } from '../engine/scenarios.ts';
import { regularDuration, vusOf } from '../engine/scenarios.ts';
import { type ObjectiveForecast, REHEARSAL_SCHEMA_VERSION, type RehearsalForecast } from './forecast-types.ts';
import type { Rehearsal } from './rehearse.ts';
import { warningsOf } from './warnings.ts';

/** Expected drops of a whole run that VUs are sized for. */
const RISK = 0.001;

export interface ForecastInput {
  readonly rehearsal: Rehearsal;
  readonly scenarios: readonly Scenario[];
  readonly cacheTtlSeconds: number;
  /** Names of the endpoints that the cache may answer. */
  readonly cacheable: readonly string[];
  /** Rows of the pool that follows the popularity. */
  readonly items: number;
  /** Undefined when sessions do not pick by a law. */
  readonly popularity: PopularityLaw | undefined;
  /** Mean time of a request, ms: rehearsed, and when the system is degraded. */
  readonly healthyMs: number;
  readonly degradedMs: number;
}

export function forecastOf(input: ForecastInput): RehearsalForecast {
  const { rehearsal, scenarios } = input;
  const { result, tally, server } = rehearsal;
  const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);
  const finished = sum(tally.finished.values());
  const dropped = sum(tally.dropped.values());
  const load = largest(scenarios.map((s) => s.startTime + regularDuration(s))) / 1000;
  const requests = requestForecast(tally.requests);
  // Looked at every second of the load, apart from what Little's law makes of the sessions' number and length.
  const seen = tally.busy.slice(0, Math.max(1, Math.floor(load)));
  const busyMean = seen.length === 0 ? 0 : sum(seen) / seen.length;
  const perSession = finished === 0 ? 0 : result.vuSeconds / finished;
  const extra = (requests.total / Math.max(1, finished)) * ((input.degradedMs - input.healthyMs) / 1000);
  const started = finished + dropped;
  const demand = (started / load) * perSession;
  const ceiling = (mean: number) => (started === 0 ? 0 : poissonCeiling(mean, started, RISK));
  const forecast: Omit<RehearsalForecast, 'warnings'> = {
    schemaVersion: REHEARSAL_SCHEMA_VERSION,
    engine: 'rehearsal',
    exitCode: result.exitCode,
    seconds: rehearsal.seconds,
    sessions: {
      finished,
      dropped,
      meanSeconds: Object.fromEntries([...tally.sessions].sort().map(([flow, { n, seconds }]) => [flow, seconds / n])),
    },
    requests,
    vus: {
      busyMean,
      busyMost: result.mostActiveVus,
      busyByLittle: (finished / load) * perSession,
      preallocated: sum(scenarios.map((s) => vusOf(s).planned)),
      limit: sum(scenarios.map((s) => vusOf(s).most)),
      recommended: ceiling(demand),
      recommendedDegraded: ceiling(demand + (started / load) * Math.max(0, extra)),
    },
    objectives: objectiveForecasts(rehearsal, load),
    cache: cacheForecast(input, load),
    ...(server.stock !== undefined && { stock: stockForecast(server.stock) }),
    cost: { rows: tally.rows, csvBytes: tally.bytes, trendBytes: tally.trendValues * 8 },
  };
  return { ...forecast, warnings: warningsOf(forecast, server.stock?.item) };
}

function stockForecast({ perItem, sold }: ModelledStock): NonNullable<RehearsalForecast['stock']> {
  const [tightest, most] = [...sold].reduce<[string | null, number]>(
    (best, [id, n]) => (n > best[1] ? [id, n] : best),
    [null, 0],
  );
  return { perBook: perItem, tightest, left: perItem - most };
}

function requestForecast(byName: Rehearsal['tally']['requests']): RehearsalForecast['requests'] {
  const counts = [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, classes]) => {
      const n = [...classes.values()].reduce((a, b) => a + b, 0);
      return { name, n, classes: Object.fromEntries([...classes].sort()) };
    });
  const total = counts.reduce((a, { n }) => a + n, 0);
  const byEndpoint = Object.fromEntries(counts.map(({ name, n, classes }) => [name, { n, share: n / total, classes }]));
  return { total, byEndpoint };
}

/** Highest percentile (two digits after the point) that `samples` earn. */
export function earnedPercentile(samples: number): number | null {
  if (samples < 2 * MIN_BEYOND) return null;
  return Math.floor((1 - MIN_BEYOND / samples) * 10_000) / 100;
}

function objectiveForecasts({ result, tally }: Rehearsal, load: number): ObjectiveForecast[] {
  const forecasts: ObjectiveForecast[] = [];
  for (const [name, metric] of Object.entries(result.summary?.metrics ?? {})) {
    for (const [threshold, { ok }] of Object.entries(metric.thresholds ?? {})) {
      const wished = thresholdOf(threshold);
      if (wished === undefined) continue;
      const { aggregate, percentile, operator, limit } = wished;
      const needed = samplesToDecide(aggregate, percentile, operator, limit);
      // A count, a maximum or the rate of a Counter is a fact.
      if (needed === 1 || (aggregate === 'rate' && metric.type !== 'rate')) continue;
      const samples = tally.populations.get(name) ?? 0;
      const decidable = samples >= needed;
      const secondsNeeded = samples === 0 ? null : Math.ceil((needed / samples) * load);
      forecasts.push({ name, threshold, samples, earned: earnedPercentile(samples), decidable, secondsNeeded, ok });
    }
  }
  return forecasts;
}

function cacheForecast(input: ForecastInput, load: number): RehearsalForecast['cache'] {
  const minutes = input.rehearsal.server.cacheByMinute;
  const ratio = (from: number, to: number) => {
    const span = minutes.slice(from, to).filter((minute) => minute !== undefined);
    const asked = span.reduce((sum, minute) => sum + minute.asked, 0);
    return asked === 0 ? null : span.reduce((sum, minute) => sum + minute.hits, 0) / asked;
  };
  const asked = input.cacheable
    .map((name) => [...(input.rehearsal.tally.requests.get(name)?.values() ?? [])].reduce((a, b) => a + b, 0))
    .reduce((a, b) => a + b, 0);
  const measured = { cold: ratio(0, 1), steady: minutes.length > 3 ? ratio(2, minutes.length - 1) : null };
  if (input.popularity === undefined || input.items === 0 || asked === 0 || input.cacheTtlSeconds === 0) {
    return { ...measured, coldTheory: null, steadyTheory: null };
  }
  const rate = asked / load;
  const shares = [...sharesOf(popularityCdf(input.popularity, input.items), input.items)];
  // The first minute as simulated: sessions are still coming in, so its own number of requests counts.
  const first = minutes[0]?.asked ?? 0;
  const cold = Math.min(60, load);
  return {
    ...measured,
    coldTheory: first === 0 || input.cacheTtlSeconds < cold ? null : coldHitRatio(first / cold, cold, shares),
    steadyTheory: steadyHitRatio(rate, input.cacheTtlSeconds, shares),
  };
}
