/** k6's threshold grammar, and judging: what is undefined (a Rate without samples) passes, as in k6. */

import {
  AGGREGATES,
  aggregateName,
  faultText,
  holds,
  type MetricType,
  parseThreshold,
  type ThresholdExpression,
} from '../../../lib/k6/threshold.ts';
import { durationOption } from '../duration-option.ts';
import { EngineError } from '../engine-error.ts';
import { trendAggregate, trendQuantile } from './sinks.ts';
import type { Sink, Threshold } from './types.ts';

/**
 * Thresholds of one key as the options hold them: strings or objects with `threshold`.
 * @throws EngineError (exit code 104) when an entry is no expression
 */
export function parseThresholds(key: string, entries: unknown): Threshold[] {
  const list = Array.isArray(entries) ? entries : [entries];
  return list.map((entry: unknown) => {
    const detailed = entry !== null && typeof entry === 'object' ? (entry as Record<string, unknown>) : undefined;
    const source = detailed === undefined ? entry : detailed['threshold'];
    if (typeof source !== 'string') {
      throw EngineError.config(`invalid threshold defined on ${key}; reason: "${String(source)}" is no expression`);
    }
    const parsed = parseThreshold(source);
    if ('fault' in parsed) {
      throw EngineError.config(
        `invalid threshold defined on ${key}; reason: failed parsing threshold expression "${source}": ${faultText(parsed)}`,
      );
    }
    return {
      ...parsed,
      source,
      abortOnFail: detailed?.['abortOnFail'] === true,
      delayAbortEval: durationOption(detailed?.['delayAbortEval'] ?? 0, `delayAbortEval of ${key}`),
      ok: true,
    };
  });
}

/** @throws EngineError (exit code 104) when a metric of this type has no such aggregate */
export function checkAggregates(key: string, type: MetricType, thresholds: readonly Threshold[]): void {
  for (const threshold of thresholds) {
    if (AGGREGATES[type].includes(threshold.aggregate)) continue;
    const known = AGGREGATES[type].map((name) => (name === 'p' ? 'p(N)' : name)).join(', ');
    throw EngineError.config(
      `invalid threshold defined on ${key}; reason: the expression "${threshold.source}" asks for ${aggregateName(threshold)}, but a ${type} has ${known}`,
    );
  }
}

/**
 * Value that a threshold speaks of; `undefined` where k6 has none.
 * @param seconds run time so far, which Counter rates refer to
 */
export function thresholdValue(
  sink: Sink,
  { aggregate, percentile }: Pick<ThresholdExpression, 'aggregate' | 'percentile'>,
  seconds: number,
): number | undefined {
  switch (sink.type) {
    case 'counter':
      return aggregate === 'count' ? sink.count : seconds > 0 ? sink.count / seconds : 0;
    case 'gauge':
      return sink.value;
    case 'rate':
      return sink.samples === 0 ? undefined : sink.trues / sink.samples;
    case 'trend':
      return percentile === undefined ? trendAggregate(sink, aggregate) : trendQuantile(sink, percentile / 100);
  }
}

/** Judges and remembers; true when it passes. */
export function evaluateThreshold(threshold: Threshold, sink: Sink, seconds: number): boolean {
  const value = thresholdValue(sink, threshold, seconds);
  threshold.ok = value === undefined || holds(value, threshold.operator, threshold.limit);
  return threshold.ok;
}
