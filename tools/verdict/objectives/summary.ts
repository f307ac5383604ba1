/** Objectives judged from a summary alone: k6's aggregates; what was not recorded, or rests on too little, is not decided. */

import { canonicalKey } from '../../../lib/k6/metric-key.ts';
import { holds } from '../../../lib/k6/threshold.ts';
import { samplesNeeded } from '../../../lib/model/samples-needed.ts';
import { samplesBeyond } from '../statistics/quantile.ts';
import { isEmptyMetric, type Summary, type SummaryMetric } from '../summary.ts';
import { decide, type ObjectiveResult } from './decide.ts';
import type { ParsedObjective } from './parse.ts';
import { builtInType } from './types.ts';

/** Judges one objective by the aggregates of a summary. */
export function judgeBySummary(objective: ParsedObjective, summary: Summary): ObjectiveResult {
  const wanted = canonicalKey(objective.key);
  const key = Object.keys(summary.metrics).find((candidate) => canonicalKey(candidate) === wanted);
  const metric = key === undefined ? undefined : summary.metrics[key];
  if (key === undefined || metric === undefined) {
    // A metric without samples is left out of summaries: for a counter of k6's own over the whole run that is 0.
    const isZero = builtInType(objective.metric) === 'counter' && Object.keys(objective.tags).length === 0;
    return decide(objective, { n: 0, value: isZero ? 0 : undefined, exact: isZero });
  }
  if (isEmptyMetric(summary, key)) return decide(objective, { n: 0, value: undefined, exact: false });
  const { values } = metric;
  const n = countOf(summary, key, metric);
  const value = values[aggregateName(objective, values)];
  if (value === undefined) {
    const base = { key: objective.key, expression: objective.expression, limit: objective.limit, n };
    if (objective.k6Crossed !== undefined) {
      const outcome = objective.k6Crossed ? 'crossed' : 'kept';
      return { ...base, outcome, k6: outcome };
    }
    return {
      ...base,
      outcome: 'undecided',
      why: 'not recorded in this summary; add it to summaryTrendStats, or give the raw samples',
    };
  }
  // A summary holds no spread: a value stands for itself.
  const result = decide(objective, { n, value, exact: true });
  const why = result.outcome === 'kept' ? tooLittle(objective, values, n) : undefined;
  return why === undefined ? result : { ...result, outcome: 'undecided', why };
}

/** Samples of a metric: its own count, else that of the requests (iterations) with the same tags or of the whole run. */
function countOf(summary: Summary, key: string, { values }: SummaryMetric): number {
  if (values['count'] !== undefined) return values['count'];
  if (values['passes'] !== undefined) return values['passes'] + (values['fails'] ?? 0);
  const counter = key.startsWith('http_req_') ? 'http_reqs' : 'iterations';
  if (counter === 'iterations' && !key.startsWith('iteration_duration')) return 0;
  const sibling = canonicalKey(key.replace(/^[^{]*/, counter));
  const found = Object.keys(summary.metrics).find((candidate) => canonicalKey(candidate) === sibling);
  return summary.metrics[found ?? counter]?.values['count'] ?? 0;
}

/** Chance up to which "every sample kept the limit" is taken for the quantile keeping it. */
const ALL_KEPT_BY_CHANCE = 0.1;

/**
 * Why a percentile of a summary cannot carry a pass: fewer than ten samples beyond it. The exception: every single sample
 * kept the limit (the maximum did), and were the quantile beyond it, that would happen with the chance p^n only.
 */
function tooLittle(
  objective: ParsedObjective,
  values: Readonly<Record<string, number>>,
  n: number,
): string | undefined {
  const { p, operator, limit } = objective;
  if (p === undefined || p <= 0 || p >= 1 || n === 0 || samplesBeyond(n, p) >= 10) return undefined;
  const upward = operator.startsWith('<');
  const extreme = upward ? values['max'] : values['min'];
  const chance = (upward ? p : 1 - p) ** n;
  if (extreme !== undefined && holds(extreme, operator, limit) && chance <= ALL_KEPT_BY_CHANCE) return undefined;
  return `only ${samplesBeyond(n, p)} of ${n} samples lie beyond it; it needs ${samplesNeeded(p)} samples (ten beyond)`;
}

/** Name under which a summary holds the aggregate; `p(95)` may be written `p(95.0)`. */
function aggregateName(objective: ParsedObjective, values: Readonly<Record<string, number>>): string {
  if (objective.aggregate !== 'p') return objective.aggregate;
  const percent = (objective.p ?? 0) * 100;
  const named = Object.keys(values).find((name) => {
    const found = /^p\(([0-9.]+)\)$/.exec(name)?.[1];
    return found !== undefined && Math.abs(Number(found) - percent) < 1e-9;
  });
  return named ?? (Math.abs(percent - 50) < 1e-9 ? 'med' : percent === 100 ? 'max' : `p(${percent})`);
}
