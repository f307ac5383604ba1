/** The end-of-test data in k6's two shapes: what handleSummary receives, and what --summary-export writes. */

import type { MetricType } from '../../../lib/k6/threshold.ts';
import type { MetricRegistry } from '../metrics/registry.ts';
import { sinkValues } from '../metrics/sinks.ts';
import type { MetricContents, Sink, Threshold } from '../metrics/types.ts';
import type { GroupResult } from './groups.ts';

export interface SummaryMetric {
  readonly type: MetricType;
  readonly contains: MetricContents;
  readonly values: Record<string, number>;
  /** By source; ok true is fine. */
  thresholds?: Record<string, { ok: boolean }>;
}

/** handleSummary's `data`. */
export interface SummaryData {
  readonly root_group: GroupResult;
  readonly options: {
    readonly summaryTrendStats: readonly string[];
    readonly summaryTimeUnit: string;
    readonly noColor: boolean;
  };
  readonly state: {
    readonly isStdOutTTY: boolean;
    readonly isStdErrTTY: boolean;
    readonly testRunDurationMs: number;
  };
  readonly metrics: Record<string, SummaryMetric>;
  setup_data?: unknown;
}

export function summaryData(input: {
  readonly registry: MetricRegistry;
  readonly root: GroupResult;
  readonly trendStats: readonly string[];
  readonly timeUnit: string;
  readonly durationMs: number;
  readonly setupData: string | undefined;
}): SummaryData {
  const seconds = input.durationMs / 1000;
  const metrics: Record<string, SummaryMetric> = {};
  const add = (
    name: string,
    type: MetricType,
    contains: MetricContents,
    sink: Sink,
    thresholds: readonly Threshold[],
  ) => {
    const metric: SummaryMetric = { type, contains, values: sinkValues(sink, input.trendStats, seconds) };
    if (thresholds.length > 0) {
      metric.thresholds = Object.fromEntries(thresholds.map(({ source, ok }) => [source, { ok }]));
    }
    metrics[name] = metric;
  };
  for (const metric of input.registry.metrics) {
    const { name, type, contains, sink, thresholds, submetrics } = metric;
    // A threshold makes its metric appear, samples or not; one on a sub-metric also the metric above it.
    const judged = submetrics.filter((sub) => sub.thresholds.length > 0);
    if (sink.samples > 0 || thresholds.length > 0 || judged.length > 0) add(name, type, contains, sink, thresholds);
    for (const sub of submetrics) {
      if (sub.sink.samples > 0 || sub.thresholds.length > 0) add(sub.name, type, contains, sub.sink, sub.thresholds);
    }
  }
  return {
    root_group: input.root,
    options: { summaryTrendStats: input.trendStats, summaryTimeUnit: input.timeUnit, noColor: false },
    state: {
      isStdOutTTY: process.stdout.isTTY === true,
      isStdErrTTY: process.stderr.isTTY === true,
      testRunDurationMs: input.durationMs,
    },
    metrics,
    ...(input.setupData === undefined ? {} : { setup_data: JSON.parse(input.setupData) as unknown }),
  };
}

/** The export: values directly under the metric, a Rate's under `value`, and thresholds with true for crossed. */
export function exportData(data: SummaryData): unknown {
  const metrics = Object.entries(data.metrics).map(([name, { type, values, thresholds }]) => {
    const { rate, ...rest } = values;
    const flat = type === 'rate' ? { ...rest, value: rate } : values;
    const crossed =
      thresholds === undefined
        ? {}
        : { thresholds: Object.fromEntries(Object.entries(thresholds).map(([source, { ok }]) => [source, !ok])) };
    return [name, { ...flat, ...crossed }];
  });
  return { root_group: keyed(data.root_group), metrics: Object.fromEntries(metrics) };
}

/** Groups and checks by name, as the export has them. */
function keyed(group: GroupResult): unknown {
  return {
    name: group.name,
    path: group.path,
    id: group.id,
    groups: Object.fromEntries(group.groups.map((child) => [child.name, keyed(child)])),
    checks: Object.fromEntries(group.checks.map((check) => [check.name, check])),
  };
}
