import { describe, expect, it } from 'vitest';
import { segmentShare } from '../../../lib/k6/segment.ts';
import { ownPart } from '../../../lib/lifecycle.ts';
import type { SummaryData } from '../../../lib/summary/data.ts';
import { sessionRows } from '../../../lib/summary/populations.ts';
import { shopPlan } from '../../support/shop.ts';

describe('the share of a segment', () => {
  it.each([
    ['0:1/4', 0.25],
    ['1/4:1/2', 0.25],
    ['2/3:1', 1 / 3],
    ['1/2', 0.5],
    ['50%:75%', 0.25],
    ['0.25', 0.25],
    ['0:1', 1],
    ['', 1],
    [null, 1],
    [undefined, 1],
  ])('%s is %d', (segment, share) => expect(segmentShare(segment)).toBeCloseTo(share, 12));
});

it('one of two workers that ran its half has nothing cut off', () => {
  const plan = shopPlan({ DURATION: '10s', RATE: '20' });
  // 14, 4 and 2 sessions/s for 10 s; the worker ran half of each.
  const counter = (count: number) => ({ type: 'counter', values: { count } });
  const metrics = Object.fromEntries(
    Object.entries({ browse: 70, search: 20, checkout: 10 }).map(([flow, n]) => [
      `iterations{flow:${flow},phase:measure}`,
      counter(n),
    ]),
  );
  const data: SummaryData = { metrics, state: { testRunDurationMs: 12_000 } };
  const rows = sessionRows(data, ownPart(plan, segmentShare('1/2:1')));
  expect(rows.map(({ planned, unaccounted }) => [planned, unaccounted])).toEqual([[70, 0], [20, 0], [10, 0]]); // biome-ignore format: table
  expect(sessionRows(data, plan).map(({ unaccounted }) => unaccounted)).toEqual([70, 20, 10]);
});
