/** A small plan and k6's summary of it, for tests of the summary. */
import type { Plan } from '../../lib/plan/planned.ts';
import type { SummaryData } from '../../lib/summary/data.ts';

export const NAME = 'GET /api/books/{isbn}';
export const PLAN = {
  test: { name: 'test', flows: {} },
  pools: [],
  scope: { endpoints: [NAME], flows: ['browse'], scenarios: ['browse'], narrowed: true, warmsUp: false },
  scenarios: [{ name: 'browse', flow: 'browse', phase: 'measure', sessions: 100, rate: 10, seconds: 10, k6: {} }],
} as unknown as Plan;

export function data(metrics: SummaryData['metrics'], milliseconds = 10_500): SummaryData {
  return { metrics, state: { testRunDurationMs: milliseconds } };
}
export const trend = (count: number) => ({
  type: 'trend',
  values: { count, avg: 2, med: 1.5, 'p(90)': 3, 'p(95)': 4.25, 'p(99)': 123.4, max: 200 },
});
export const counter = (count: number) => ({ type: 'counter', values: { count } });
