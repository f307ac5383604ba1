/** Facts that a summary alone can give: counts, no populations. Most rules then say what they miss. */
import type { Facts } from './facts.ts';
import type { Summary } from './summary.ts';

export function factsOfSummary(summary: Summary): Omit<Facts, 'objectives'> {
  const value = (key: string, name: string) => summary.metrics[key]?.values[name];
  const n = value('http_reqs', 'count') ?? 0;
  const finished = value('iterations', 'count') ?? 0;
  const counters: Record<string, number> = {};
  for (const [key, metric] of Object.entries(summary.metrics)) {
    if (key.includes('{')) continue;
    if (metric.type === 'counter') counters[key] = metric.values['count'] ?? 0;
    if (metric.type === 'rate' && !['checks', 'http_req_failed'].includes(key))
      counters[key] = metric.values['passes'] ?? 0;
  }
  return {
    files: [],
    window: { startMs: 0, endMs: summary.runMs ?? 0, seconds: (summary.runMs ?? 0) / 1000 },
    requests: {
      n,
      // For http_req_failed "passes" counts the samples that are true: the failures.
      failed: value('http_req_failed', 'passes') ?? 0,
      failedByScript: summary.metrics['http_req_failed'] !== undefined,
      noAnswer: 0,
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
