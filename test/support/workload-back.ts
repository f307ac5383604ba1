/** What a model read back from a log must agree with when `data/workload.json` made the log: the limits of the closed loop. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { requestShares, type Workload } from '../../lib/model/workload.ts';
import { parseWorkload } from '../../tools/schemas/workload.ts';
import { flowRequests, ownFlows } from '../../tools/traffic/model/flow-shapes.ts';
import type { TrafficModel } from '../../tools/traffic/model/model.ts';

export const WORKLOAD: Workload = parseWorkload(readFileSync('data/workload.json', 'utf8'), 'data/workload.json');
/** Share of sessions by flow. */
export const SHARES = Object.fromEntries(Object.entries(WORKLOAD.flows).map(([name, { share }]) => [name, share]));

/** Endpoint shares within 1 point, session shares within 1.5 points. */
export function expectShares(model: TrafficModel): void {
  const expected = requestShares(SHARES, flowRequests(ownFlows()));
  expect(model.endpoints.map(({ name }) => name).sort()).toEqual(Object.keys(expected).sort());
  for (const { name, share } of model.endpoints)
    expect(Math.abs(share - (expected[name] ?? 0)), name).toBeLessThan(0.01);
  expect(model.flows.flows.map(({ name }) => name).sort()).toEqual(Object.keys(SHARES).sort());
  for (const { name, share } of model.flows.flows)
    expect(Math.abs(share - (SHARES[name] ?? 0)), name).toBeLessThan(0.015);
}

/** Both ends of every uniform think time within `tolerance` s. */
export function expectThinkTimes(model: TrafficModel, tolerance: number): void {
  let checked = 0;
  for (const flow of Object.values(WORKLOAD.flows)) {
    for (const [step, law] of Object.entries(flow.thinkTimes)) {
      if (law.law !== 'uniform') continue;
      const found = model.thinkTimes.find((one) => one.step === step)?.fit?.law;
      if (found?.law !== 'uniform') throw new Error(`${step}: ${found?.law ?? 'no law'}`);
      expect(Math.abs(found.min - law.min), `${step} min`).toBeLessThan(tolerance);
      expect(Math.abs(found.max - law.max), `${step} max`).toBeLessThan(tolerance);
      checked++;
    }
  }
  expect(checked).toBe(6);
}

/** The power law with g = 3 inside an interval narrower than 0.3. */
export function expectPopularity({ popularity }: TrafficModel): void {
  if ('refused' in popularity) throw new Error(popularity.refused);
  expect(popularity.family).toBe('power');
  const [low, high] = popularity.families[0]?.interval ?? [0, 0];
  expect(low).toBeLessThan(3);
  expect(high).toBeGreaterThan(3);
  expect(high - low).toBeLessThan(0.3);
}
