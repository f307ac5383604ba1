/** What a rehearsal finds that would spoil the run, each with its remedy. */
import { thresholdOf } from '../../lib/k6/threshold.ts';
import type { RehearsalForecast } from './forecast-types.ts';

/** Objectives named one by one; a long list is summed up. */
const SHOWN = 5;

/** @param item what the server sells is called */
export function warningsOf(forecast: Omit<RehearsalForecast, 'warnings'>, item = 'item'): string[] {
  const warnings: string[] = [];
  const { sessions, vus, stock, cost, objectives } = forecast;
  if (sessions.finished === 0) warnings.push('no session finished: look at the log above');
  if (sessions.dropped > 0) {
    warnings.push(
      `${sessions.dropped} of ${sessions.finished + sessions.dropped} sessions would be dropped for want of VUs: preallocate ${vus.recommended} instead of ${vus.preallocated} (PREALLOCATED_VUS)`,
    );
  }
  const undecidable = objectives.filter(({ decidable }) => !decidable);
  for (const { name, threshold, samples, earned, secondsNeeded } of undecidable.slice(0, SHOWN)) {
    const best = earned === null ? 'not even a median' : `at most p(${earned})`;
    const short = thresholdOf(threshold)?.percentile === undefined ? 'cannot decide it' : `earn ${best}`;
    const remedy = secondsNeeded === null ? 'nothing is sampled there' : `run for ${secondsNeeded} s`;
    warnings.push(`${name} ${threshold}: ${samples} samples ${short}; ${remedy}`);
  }
  if (undecidable.length > SHOWN)
    warnings.push(`${undecidable.length - SHOWN} more objectives cannot be decided by so short a run`);
  const crossed = objectives.filter(({ ok }) => !ok);
  for (const { name, threshold } of crossed.slice(0, SHOWN)) {
    warnings.push(`${name} ${threshold} would be crossed if the server behaved like this model`);
  }
  if (stock !== undefined && stock.left <= 0) {
    warnings.push(`${item} ${stock.tightest} sells out: top the stock of ${stock.perBook} a ${item} up`);
  }
  if (cost.trendBytes > 1e9) {
    warnings.push(
      `k6 will keep ${(cost.trendBytes / 1e9).toFixed(1)} GB of Trend values: shorten the run or split it over workers`,
    );
  }
  return warnings;
}
