/** How long a test decides what these samples leave undecided. */
import { expect, it } from 'vitest';
import type { ObjectiveResult } from '../../../../tools/verdict/objectives/decide.ts';
import { secondsToDecide, withLength } from '../../../../tools/verdict/objectives/length.ts';
import { parseObjective } from '../../../../tools/verdict/objectives/parse.ts';

const p95 = parseObjective('http_req_duration', 'p(95)<40', 'test');
const result = (more: Partial<ObjectiveResult>): ObjectiveResult => ({
  key: p95.key,
  expression: p95.expression,
  outcome: 'undecided',
  limit: 40,
  n: 1000,
  ...more,
});

it('waits for ten samples beyond the percentile: 200 for a p95', () => {
  // 50 samples in 30 s are 200 in 120 s.
  expect(secondsToDecide(p95, result({ n: 50, value: 20, low: 10 }), 30)).toBeCloseTo(120);
});

it('waits for an interval that leaves the limit out: its width falls with the root of the number', () => {
  // 2 below the limit with a bound 6 above the value: a third of the width is nine times the samples.
  expect(secondsToDecide(p95, result({ value: 38, low: 35, high: 44 }), 60)).toBeCloseTo(9 * 60);
  expect(secondsToDecide(p95, result({ value: 42, low: 38, high: 50 }), 60)).toBeCloseTo(4 * 60);
});

it('says none where the value lies on the limit, or nothing was measured', () => {
  expect(secondsToDecide(p95, result({ value: 40, low: 39, high: 41 }), 60)).toBeUndefined();
  expect(secondsToDecide(p95, result({ n: 0 }), 60)).toBeUndefined();
});

it('stands in the reason of what is undecided alone', () => {
  const open = withLength(p95, result({ value: 38, low: 35, high: 44, why: 'so' }), 60);
  expect(open).toMatchObject({ why: 'so; about 9 min of this load would decide' });
  expect(open.needSeconds).toBeCloseTo(540);
  const kept = result({ outcome: 'kept', value: 20, low: 19, high: 21 });
  expect(withLength(p95, kept, 60)).toBe(kept);
});
