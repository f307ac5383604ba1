/** Adds what summaries of workers allow to add: counters, minimum and maximum, shares. Percentiles are refused. */
import { largest, smallest } from '../../../lib/model/extremes.ts';
import type { Summary, SummaryMetric } from '../summary.ts';

export interface MergedMetric {
  readonly type: string;
  readonly values: Readonly<Record<string, number>>;
  /** Aggregates that cannot be had from summaries. */
  readonly refused: readonly string[];
}

/** By metric key, over all summaries; a metric that one of them lacks counted nothing there. */
export function mergeSummaries(summaries: readonly Summary[]): Record<string, MergedMetric> {
  const keys = [...new Set(summaries.flatMap((summary) => Object.keys(summary.metrics)))].sort();
  return Object.fromEntries(
    keys.map((key) => {
      const metrics = summaries.map((summary) => summary.metrics[key]).filter((metric) => metric !== undefined);
      return [key, mergeMetric(metrics)];
    }),
  );
}

function mergeMetric(metrics: readonly SummaryMetric[]): MergedMetric {
  const type = metrics[0]?.type ?? 'unknown';
  const add = (name: string) => metrics.reduce((sum, metric) => sum + (metric.values[name] ?? 0), 0);
  const names = [...new Set(metrics.flatMap((metric) => Object.keys(metric.values)))];
  if (type === 'counter')
    return { type, values: { count: add('count') }, refused: names.filter((name) => name !== 'count') };
  if (type === 'rate') {
    const passes = add('passes');
    const fails = add('fails');
    return {
      type,
      values: { passes, fails, ...(passes + fails > 0 ? { rate: passes / (passes + fails) } : {}) },
      refused: [],
    };
  }
  const extreme = (name: 'min' | 'max') =>
    metrics.map((metric) => metric.values[name]).filter((value) => value !== undefined);
  const values: Record<string, number> = {};
  if (extreme('min').length > 0) values['min'] = smallest(extreme('min'));
  if (extreme('max').length > 0) values['max'] = largest(extreme('max'));
  // With a count beside each average, the average of all is exact.
  if (
    type === 'trend' &&
    metrics.every((metric) => metric.values['count'] !== undefined && metric.values['avg'] !== undefined)
  ) {
    const count = add('count');
    values['count'] = count;
    if (count > 0)
      values['avg'] =
        metrics.reduce((sum, metric) => sum + (metric.values['avg'] ?? 0) * (metric.values['count'] ?? 0), 0) / count;
  }
  return { type, values, refused: names.filter((name) => !(name in values)) };
}
