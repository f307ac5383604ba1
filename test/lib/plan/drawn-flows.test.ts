/** How a run of flows that are data is planned. */
import { describe, expect, it } from 'vitest';
import { type DrawnFlow, drawnRows } from '../../../lib/model/drawn-rows.ts';
import type { AnyFlow } from '../../../lib/model/flow.ts';
import { hashSeed } from '../../../lib/model/random.ts';
import { DRAWN_ENTRY, SESSION_SETTINGS } from '../../../lib/model/session-settings.ts';
import type { Workload } from '../../../lib/model/workload.ts';
import type { Objectives } from '../../../lib/plan/objectives.ts';
import { makePlan } from '../../../lib/plan/plan.ts';
import type { PlannedScenario } from '../../../lib/plan/planned.ts';
import { defineSuite } from '../../../lib/plan/suite-definition.ts';
import { suiteOf } from '../../../lib/plan/suite-facts.ts';

/** Two steps in three quarters of the sessions, one in the others; then a with a geometric number of b. */
const WORKLOAD: Workload = {
  schemaVersion: 1,
  provenance: { source: 'made up' },
  arrivals: {
    rate: 10,
    process: 'poisson',
    stages: [
      { duration: '100s', target: 1 },
      { duration: '100s', target: 0 },
      { duration: '70s', target: 3 },
    ],
  },
  endpoints: { a: 'GET /a', b: 'POST /b/{id}', rare: 'GET /rare', star: 'OPTIONS *' },
  flows: {
    forms: {
      share: 0.5,
      thinkTimes: { 'a->b': { law: 'fixed', value: 60 } },
      sessions: {
        forms: [
          { share: 0.75, steps: ['a', 'b'] },
          { share: 0.2499, steps: ['a'] },
          { share: 0.0001, steps: ['rare', 'star'] },
        ],
      },
    },
    chain: {
      share: 0.5,
      thinkTimes: { '*->*': { law: 'fixed', value: 2 } },
      sessions: { forms: [], chain: { starts: { a: 1 }, next: { a: { b: 1 }, b: { b: 0.75 } } } },
    },
  },
  popularity: { law: 'uniform' },
  latency: { healthyMs: 10, degradedMs: 1000 },
  cdnShare: 0,
};
const definition = defineSuite({
  endpoints: { a: 'GET /a', b: 'POST /b/{id}', rare: 'GET /rare' },
  pools: { id: { file: 'id.csv', columns: { id: 'text' }, law: 'workload' } },
});
const FORMS_FROM = 10;
const CHAIN_FROM = FORMS_FROM + 5;
const SUITE = suiteOf(definition, {
  pools: { id: { from: 0, rows: 10, column: 'id', example: { id: '1' } } },
  drawnRows: { workload: { forms: FORMS_FROM, chain: CHAIN_FROM } },
});
const OBJECTIVES: Readonly<Record<string, Objectives>> = {
  default: { schemaVersion: 1, purpose: 'test', endpoints: { '*': { failed: ['rate<0.01'] } } },
};

/** What `drawnFlow` does while it is counted. */
const drawn: AnyFlow = (session) => {
  const counted = session as unknown as { countedSteps(): [string, string[]][]; call(...step: unknown[]): void };
  for (const [key] of counted.countedSteps()) counted.call(key, { id: '1' });
  session.pick('id');
};
const plan = (env: Readonly<Record<string, string>> = {}, workload = WORKLOAD) =>
  makePlan({ name: 'shop', flows: { forms: drawn, chain: drawn } }, SUITE, workload, env, OBJECTIVES);
/** An entry of what the VUs of a scenario are told. */
const entry = (scenario: PlannedScenario | undefined, name: string): unknown =>
  JSON.parse((scenario?.k6 as { env?: Record<string, string> } | undefined)?.env?.[name] ?? 'null');

describe('a run of drawn flows', () => {
  it('sends requests in the mean of its forms and of its chain', () => {
    const [forms, chain] = plan().flows;
    expect(forms?.requests['GET /a']).toBeCloseTo(0.9999, 9);
    expect(forms?.requests['POST /b/{id}']).toBeCloseTo(0.75, 9);
    expect(chain?.requests['POST /b/{id}']).toBeCloseTo(4, 9);
    expect(forms?.drawn?.thinkSeconds).toBeCloseTo(0.75 * 60, 9);
    expect(chain?.drawn?.thinkSeconds).toBeCloseTo(4 * 2, 9);
    expect(forms?.picks).toEqual({ id: 1 });
  });

  it('has VUs by Little’s law, and ends no session that takes as long as it may', () => {
    const [forms, chain] = plan().scenarios;
    // 5 sessions/s x (45 s thinking + 1.75 requests x 1 s + half a second of shift).
    expect(forms?.preallocatedVus).toBeGreaterThan(5 * 47.25);
    expect(forms?.preallocatedVus).toBeLessThan(5 * 47.25 + 6 * Math.sqrt(5 * 47.25));
    // 60 s of thinking and two requests of 60 s.
    expect(Number.parseFloat(forms?.k6['gracefulStop'] as string)).toBeGreaterThanOrEqual(180);
    // A chain of 20 b is one in 1 / 0.75^19 = 237 sessions.
    expect(Number.parseFloat(chain?.k6['gracefulStop'] as string)).toBeGreaterThan(20 * 62);
  });

  it('tells its VUs where the data lie, and nothing that is as long as they are', () => {
    const [forms] = plan({ THINK_LAW: 'fixed', SEED: 'a' }).scenarios;
    const base = hashSeed('a/forms');
    expect(entry(forms, DRAWN_ENTRY)).toEqual({ from: FORMS_FROM, sessions: 900, base, fixed: true });
    expect(entry(forms, SESSION_SETTINGS)).toMatchObject({ thinkTimes: {} });
    expect(entry(plan().scenarios[1], DRAWN_ENTRY)).toMatchObject({ from: CHAIN_FROM, sessions: 900 });
    // The head, three forms and a think time.
    expect(drawnRows(WORKLOAD.flows['forms'] as DrawnFlow)).toHaveLength(CHAIN_FROM - FORMS_FROM);
  });

  it('asks nothing of an endpoint that may by chance get no request', () => {
    const { thresholds } = plan().options;
    expect(thresholds['http_req_failed{name:GET /a,phase:measure}']).not.toEqual([]);
    // 900 x 0.0001 requests: shown, but neither limit nor guard.
    expect(thresholds['http_req_failed{name:GET /rare,phase:measure}']).toEqual([]);
    expect(thresholds['http_reqs{name:GET /rare,phase:measure}']).toEqual([]);
  });

  it('refuses a step that the suite has no endpoint for, unless no request could be sent for it', () => {
    const { b: _b, ...endpoints } = definition.endpoints;
    const without = suiteOf({ ...definition, endpoints }, SUITE.facts);
    const test = { name: 'shop', flows: { chain: drawn } };
    expect(() => makePlan(test, without, WORKLOAD, {}, OBJECTIVES)).toThrow(/no endpoint "b": POST \/b\/\{id\}/);
  });

  it('refuses a flow of which the workload says no sessions, and one without rows', () => {
    const { forms, chain } = WORKLOAD.flows;
    const { sessions: _sessions, ...told } = forms as NonNullable<typeof forms>;
    const workload = { ...WORKLOAD, flows: { forms: told, chain } } as Workload;
    expect(() => plan({}, workload)).toThrow(/flow forms cannot be counted \(the workload has no `sessions` of it/);
    const old = { ...SUITE, facts: { pools: SUITE.facts.pools } };
    expect(() => makePlan({ name: 'x', flows: { chain: drawn } }, old, WORKLOAD, {}, OBJECTIVES)).toThrow(
      /build the suite again/,
    );
  });
});

describe('PROFILE=log', () => {
  /** Sessions of a scenario within each of the given stretches, s. */
  function sessionsWithin(k6: Readonly<Record<string, unknown>>, ends: readonly number[]): number[] {
    const { stages, timeUnit, startRate } = k6 as {
      stages: { target: number; duration: string }[];
      timeUnit: string;
      startRate: number;
    };
    const unit = Number.parseFloat(timeUnit) / 1000;
    const sums = ends.map(() => 0);
    let [at, rate] = [0, startRate];
    for (const { target, duration } of stages) {
      const length = Number.parseFloat(duration) / 1000;
      const place = ends.findIndex((end) => at + length / 2 < end);
      const index = place < 0 ? ends.length - 1 : place;
      // k6 goes from target to target in a straight line; jumps last no time.
      sums[index] = (sums[index] as number) + (((rate + target) / 2) * length) / unit;
      [at, rate] = [at + length, target];
    }
    return sums;
  }

  it('follows the stages in their time, with the rate as their mean', () => {
    const [forms] = plan({ PROFILE: 'log', RATE: '31' }).scenarios;
    expect(forms?.seconds).toBeCloseTo(270, 9);
    // 100 x 1 + 100 x 0 + 70 x 3 = 310 sessions in 270 s become 31 x 270 x 0.5 = 4,185, in the same proportion.
    const [first, second, third] = sessionsWithin(forms?.k6 ?? {}, [100, 200, 270]) as [number, number, number];
    expect(forms?.sessions).toBe(4185);
    expect(first).toBeCloseTo(1350, -1.5);
    expect(second).toBeLessThan(3);
    expect(third).toBeCloseTo(2835, -1.5);
    expect(forms?.rate).toBeCloseTo(0.5 * 31 * 3 * (270 / 310), 6);
  });

  it('is stretched by DURATION, also to stages that are shorter than a step of the arrivals', () => {
    const [forms] = plan({ PROFILE: 'log', DURATION: '27s' }).scenarios;
    const [first, , third] = sessionsWithin(forms?.k6 ?? {}, [10, 20, 27]) as [number, number, number];
    expect(forms?.sessions).toBe(135);
    expect(first + third).toBeCloseTo(135, 0);
    const many = Array.from({ length: 600 }, (_, i) => ({ duration: '60s', target: i % 2 }));
    const long = { ...WORKLOAD, arrivals: { ...WORKLOAD.arrivals, stages: many } };
    expect(plan({ PROFILE: 'log', DURATION: '30s' }, long).scenarios[0]?.sessions).toBe(150);
  });

  it('is refused for a workload without stages', () => {
    const { stages: _stages, ...arrivals } = WORKLOAD.arrivals;
    expect(() => plan({ PROFILE: 'log' }, { ...WORKLOAD, arrivals })).toThrow(
      /PROFILE=log is not possible: data\/workload\.json has no arrivals\.stages/,
    );
  });
});
