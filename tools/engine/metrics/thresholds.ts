/** k6's threshold grammar, and judging: what is undefined (a Rate without samples) passes, as in k6. */

import { holds } from '../../../lib/k6/comparison.ts';
import { durationMs } from '../duration.ts';
import { EngineError } from '../engine-error.ts';
import { percentOf, trendAggregate } from './sinks.ts';
import type { MetricType, Sink, Threshold } from './types.ts';

const EXPRESSION =
  /^\s*([a-z]+(?:\([^)]*\))?)\s*(===|==|!=|<=|>=|<|>)\s*([+-]?[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)\s*$/;

const AGGREGATES: Readonly<Record<MetricType, readonly string[]>> = {
  counter: ['count', 'rate'],
  gauge: ['value'],
  rate: ['rate'],
  trend: ['avg', 'min', 'max', 'med', 'p(N)'],
};

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
    const match = EXPRESSION.exec(source);
    const aggregate = (match?.[1] ?? '').replace(/\s/g, '');
    if (match === null || !isAggregate(aggregate)) {
      throw EngineError.config(
        `invalid threshold defined on ${key}; reason: failed parsing threshold expression "${source}"`,
      );
    }
    return {
      source,
      aggregate,
      operator: match[2] as Threshold['operator'],
      limit: Number(match[3]),
      abortOnFail: detailed?.['abortOnFail'] === true,
      delayAbortEval: durationMs(detailed?.['delayAbortEval'] ?? 0, `delayAbortEval of ${key}`),
      ok: true,
    };
  });
}

const isAggregate = (name: string) =>
  ['avg', 'min', 'max', 'med', 'count', 'rate', 'value'].includes(name) || !Number.isNaN(percentOf(name));

/** @throws EngineError (exit code 104) when a metric of this type has no such aggregate */
export function checkAggregates(key: string, type: MetricType, thresholds: readonly Threshold[]): void {
  for (const { source, aggregate } of thresholds) {
    const kind = Number.isNaN(percentOf(aggregate)) ? aggregate : 'p(N)';
    if (AGGREGATES[type].includes(kind)) continue;
    const known = AGGREGATES[type].join(', ');
    throw EngineError.config(
      `invalid threshold defined on ${key}; reason: the expression "${source}" asks for ${aggregate}, but a ${type} has ${known}`,
    );
  }
}

/**
 * Value that a threshold speaks of; `undefined` where k6 has none.
 * @param seconds run time so far, which Counter rates refer to
 */
export function thresholdValue(sink: Sink, aggregate: string, seconds: number): number | undefined {
  switch (sink.type) {
    case 'counter':
      return aggregate === 'count' ? sink.count : seconds > 0 ? sink.count / seconds : 0;
    case 'gauge':
      return sink.value;
    case 'rate':
      return sink.samples === 0 ? undefined : sink.trues / sink.samples;
    case 'trend':
      return trendAggregate(sink, aggregate);
  }
}

/** Judges and remembers; true when it passes. */
export function evaluateThreshold(threshold: Threshold, sink: Sink, seconds: number): boolean {
  const value = thresholdValue(sink, threshold.aggregate, seconds);
  threshold.ok = value === undefined || holds(value, threshold.operator, threshold.limit);
  return threshold.ok;
}
