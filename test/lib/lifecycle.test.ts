import { expect, it } from 'vitest';
import workloadJson from '../../data/workload.json' with { type: 'json' };
import { segmentShare } from '../../lib/k6/segment.ts';
import { ownPart } from '../../lib/lifecycle.ts';
import type { Workload } from '../../lib/model/workload.ts';
import { makePlan } from '../../lib/plan/plan.ts';
import type { SummaryData } from '../../lib/summary/data.ts';
import { sessionRows } from '../../lib/summary/populations.ts';
import { browse, checkout, searching } from '../../scenarios/bookstore/flows.ts';

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
