/** Facts that a summary alone can give: counts, no populations. Most rules then say what they miss. */

import { parseMetricKey } from '../../lib/k6/metric-key.ts';
import { METRICS } from '../../lib/model/names.ts';
import { optional } from '../base/optional.ts';
import type { Facts, SummaryCounts } from './facts.ts';
import type { Summary } from './summary.ts';

const SUITE_COUNTERS = [METRICS.noResponse, METRICS.rateLimited, METRICS.dataExhausted];

export function factsOfSummary(summary: Summary): Omit<Facts, 'objectives'> {
  const value = (key: string, name: string) => summary.metrics[key]?.values[name];
  const n = value('http_reqs', 'count') ?? 0;
  const finished = value('iterations', 'count') ?? 0;
  const seconds = lengthOf(summary);
  const counters: Record<string, number> = {};
  for (const [key, metric] of Object.entries(summary.metrics)) {
    if (key.includes('{')) continue;
    if (metric.type === 'counter') counters[key] = metric.values['count'] ?? 0;
    if (metric.type === 'rate' && !['checks', 'http_req_failed'].includes(key))
      counters[key] = metric.values['passes'] ?? 0;
  }
  // k6 leaves out a counter that nothing was added to: of this suite that is none.
  if (summary.suite !== undefined) for (const key of SUITE_COUNTERS) counters[key] ??= 0;
  return {
    files: [],
    window: { startMs: 0, endMs: seconds * 1000, seconds },
    requests: {
      n,
      // For http_req_failed "passes" counts the samples that are true: the failures.
      failed: value('http_req_failed', 'passes') ?? 0,
      failedByScript: summary.metrics['http_req_failed'] !== undefined,
      // k6 itself counts none of them apart; this suite does.
      ...optional('noAnswer', counters[METRICS.noResponse]),
      statuses: [],
    },
    endpoints: [],
    endpointCount: 0,
    populations: [],
    byStatus: [],
    blends: [],
    failures: [],
    scenarios: [],
    // An absent dropped_iterations means that nothing was dropped.
    iterations: { finished, dropped: value('dropped_iterations', 'count') ?? 0 },
    vus: [],
    vusMax: [],
    seconds: [],
    bins: [],
    checks: { passed: value('checks', 'passes') ?? 0, failed: value('checks', 'fails') ?? 0 },
    counters,
    tagKeys: [],
    ambiguousRows: 0,
    notFinite: 0,
    workers: [],
    summaryOnly: true,
  };
}

/** How long the run lasted, s: as told, or by a number and its rate, of which k6 makes one the other over that time; else 0. */
function lengthOf({ runMs, metrics }: Summary): number {
  if (runMs !== undefined) return runMs / 1000;
  for (const key of ['http_reqs', 'iterations', 'data_sent']) {
    const { count = 0, rate = 0 } = metrics[key]?.values ?? {};
    if (count > 0 && rate > 0) return count / rate;
  }
  return 0;
}

/** What must agree with the samples of the same run. */
export function countsOfSummary({ path, metrics, runMs }: Summary): SummaryCounts {
  const count = (key: string) => metrics[key]?.values['count'];
  const names = Object.entries(metrics).flatMap(([key, { values }]) => {
    const parsed = parseMetricKey(key);
    if ('fault' in parsed || parsed.metric !== 'http_reqs' || (values['count'] ?? 0) === 0) return [];
    return parsed.tags['name'] === undefined ? [] : [parsed.tags['name']];
  });
  return {
    path,
    ...optional('requests', count('http_reqs')),
    ...optional('iterations', count('iterations')),
    ...optional('dropped', count('dropped_iterations')),
    ...optional('seconds', runMs === undefined ? undefined : runMs / 1000),
    names: [...new Set(names)],
  };
}
