/** What the summary remarks on answers: those that were not expected, and those that were and never came. */
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../lib/plan/planned.ts';
import type { SummaryData } from '../../../lib/summary/data.ts';
import { remarks as remarksWith } from '../../../lib/summary/text.ts';
import { counter, data, NAME, PLAN, trend } from '../../support/summary-data.ts';

const remarks = (given: SummaryData, plan: Plan) => remarksWith(given, plan, {});

describe('answers that are not expected', () => {
  it('are named by endpoint with how many of how many', () => {
    const lines = remarks(
      data({
        [`http_reqs{name:${NAME},phase:measure}`]: counter(40),
        [`http_req_failed{name:${NAME},phase:measure}`]: {
          type: 'rate',
          values: { rate: 0.275, passes: 11, fails: 29 },
        },
        [`no_response{name:${NAME},phase:measure}`]: counter(1),
        [`duration_5xx{name:${NAME},phase:measure}`]: trend(10),
      }),
      PLAN,
    ).join('\n');
    expect(lines).toContain(`${NAME}: 10 of 40 requests got an answer that is not expected (25.0 %)`);
    expect(lines).toContain('10 5xx');
  });
});

it('an expected 304 that never comes is named: the requests do not ask for it', () => {
  const plan = { ...PLAN, scope: { ...PLAN.scope, classes: { [NAME]: ['2xx', '3xx'] } } } as Plan;
  const requests = (n: number, others = {}) =>
    remarks(data({ [`http_reqs{name:${NAME},phase:measure}`]: counter(n), ...others }), plan).join();
  expect(requests(40)).toContain(`${NAME}: none of 40 answers was a 3xx, which it expects`);
  expect(requests(9)).not.toContain('3xx');
  expect(requests(40, { [`duration_3xx{name:${NAME},phase:measure}`]: trend(1) })).not.toContain('3xx');
  expect(
    requests(40, { [`http_req_failed{name:${NAME},phase:measure}`]: { type: 'rate', values: { passes: 35 } } }),
  ).not.toContain('3xx');
});
