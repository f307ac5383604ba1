/** Objectives judged from a summary alone: k6's aggregates, no intervals; what was not recorded is not decided. */
import { isEmptyMetric, type Summary } from '../summary.ts';
import { decide, type ObjectiveResult } from './decide.ts';
import { canonicalKey, type Objective } from './parse.ts';

/** Counters whose absence means 0. */
export function judgeBySummary(objective: Objective, summary: Summary): ObjectiveResult {
  const wanted = canonicalKey(objective.key);
  const key = Object.keys(summary.metrics).find((candidate) => canonicalKey(candidate) === wanted);
  const metric = key === undefined ? undefined : summary.metrics[key];
  const counts = objective.aggregate === 'count' || metric?.type === 'counter';
  if (key === undefined || metric === undefined) {
    // A metric without samples is left out of summaries: for a counter of the whole run that is 0.
    if (counts && Object.keys(objective.tags).length === 0) return decide(objective, { n: 0, value: 0, exact: true });
    return decide(objective, { n: 0, value: undefined, exact: false });
  }
  if (isEmptyMetric(summary, key)) return decide(objective, { n: 0, value: undefined, exact: false });
  const { values } = metric;
  const n = values['count'] ?? (values['passes'] ?? 0) + (values['fails'] ?? 0);
  const value = values[aggregateName(objective, values)];
  if (value === undefined) {
    if (objective.k6Crossed !== undefined) {
      const outcome = objective.k6Crossed ? 'crossed' : 'passed';
      return { key: objective.key, expression: objective.expression, limit: objective.limit, n, outcome, k6: outcome };
    }
    return {
      key: objective.key,
      expression: objective.expression,
      limit: objective.limit,
      n,
      outcome: 'undecided',
      why: `not recorded in this summary; add it to summaryTrendStats, or give the raw samples`,
    };
  }
  return decide(objective, { n, value, exact: true });
}

/** Name under which a summary holds the aggregate; `p(95)` may be written `p(95.0)`. */
function aggregateName(objective: Objective, values: Readonly<Record<string, number>>): string {
  if (objective.aggregate !== 'p') return objective.aggregate;
  const percent = (objective.p ?? 0) * 100;
  const named = Object.keys(values).find((name) => {
    const found = /^p\(([0-9.]+)\)$/.exec(name)?.[1];
    return found !== undefined && Math.abs(Number(found) - percent) < 1e-9;
  });
  return named ?? (Math.abs(percent - 50) < 1e-9 ? 'med' : percent === 100 ? 'max' : `p(${percent})`);
}
