import { describe, expect, it } from 'vitest';
import workloadJson from '../../../data/workload.json' with { type: 'json' };
import { compareFractions, fractionText, parseSegment, segmentShare } from '../../../lib/k6/segment.ts';
import { ownPart } from '../../../lib/lifecycle.ts';
import type { Workload } from '../../../lib/model/workload.ts';
import { makePlan } from '../../../lib/plan/plan.ts';
import type { SummaryData } from '../../../lib/summary/data.ts';
import { sessionRows } from '../../../lib/summary/populations.ts';
import { browse, checkout, searching } from '../../../scenarios/bookstore/flows.ts';

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
    ['nonsense', 1],
    [0.25, 1],
    [undefined, 1],
  ])('%s is %d', (segment, share) => expect(segmentShare(segment)).toBeCloseTo(share, 12));
});

describe('the borders of a segment', () => {
  it('are exact fractions in lowest terms', () => {
    const borders = ['2/8:75%', '0.5']
      .map((text) => parseSegment(text))
      .flatMap((one) => (one ? [one.from, one.to] : []));
    expect(borders.map(fractionText)).toEqual(['1/4', '3/4', '0', '1/2']);
  });

  it('are compared exactly, where doubles cannot tell them apart', () => {
    // 1/3 and its first fifteen digits differ by 3e-16.
    const [third, digits] = [
      { top: 1, bottom: 3 },
      { top: 333333333333333, bottom: 1_000_000_000_000_000 },
    ];
    expect(compareFractions(third, digits)).toBe(1);
    expect(compareFractions(digits, third)).toBe(-1);
    expect(compareFractions(third, { top: 2, bottom: 6 })).toBe(0);
  });
});

it('one of two workers that ran its half has nothing cut off', () => {
  const plan = makePlan(
    { name: 't', flows: { browse, search: searching, checkout } },
    workloadJson as unknown as Workload,
    { DURATION: '10s', RATE: '20' },
    { default: { schemaVersion: 1, purpose: 'test', endpoints: {} } },
  );
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
