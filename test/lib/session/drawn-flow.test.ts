import { beforeEach, describe, expect, it } from 'vitest';
import { drawnRows } from '../../../lib/model/drawn-rows.ts';
import type { Session } from '../../../lib/model/flow.ts';
import type { Workload } from '../../../lib/model/workload.ts';
import { makePlan } from '../../../lib/plan/plan.ts';
import { defineSuite } from '../../../lib/plan/suite-definition.ts';
import { suiteOf } from '../../../lib/plan/suite-facts.ts';
import { type DrawnRequests, drawnFlow } from '../../../lib/session/drawn-flow.ts';
import { enter, runSession, valuesOf } from '../../support/fake-k6/session.ts';
import { fake, resetFake } from '../../support/fake-k6/state.ts';

beforeEach(resetFake);

/** Every session does the same: look, see twice, leave by a step that is no request, buy. */
const STEPS = ['list', 'thing', 'review', 'star', 'buy'];
const flow = {
  share: 1,
  thinkTimes: { 'list->thing': { law: 'uniform', min: 1, max: 3 }, '*->*': { law: 'fixed', value: 5 } },
  sessions: { forms: [{ share: 1, steps: STEPS }] },
} as const;
const workload: Workload = {
  schemaVersion: 1,
  provenance: { source: 'made up' },
  arrivals: { rate: 1, process: 'metronome' },
  endpoints: {
    list: 'GET /things',
    thing: 'GET /things/{id}',
    review: 'GET /things/{id}/{page}',
    star: 'OPTIONS *',
    buy: 'POST /buy/{id}',
  },
  flows: { shop: flow },
  popularity: { law: 'uniform' },
  latency: { healthyMs: 10, degradedMs: 100 },
  cdnShare: 0,
};
const { star: _star, ...endpoints } = workload.endpoints as Record<string, string>;
const ROWS = 1000;
const pool = (file: string) => ({ file, columns: { [file]: 'text' as const }, law: { law: 'uniform' as const } });
const definition = defineSuite({ endpoints, pools: { id: pool('id'), page: pool('page') } });
const suite = suiteOf(definition, {
  pools: {
    id: { from: 0, rows: ROWS, column: 'id', example: { id: '1' } },
    page: { from: ROWS, rows: 10, column: 'page', example: { page: '1' } },
  },
  drawnRows: { workload: { shop: ROWS + 10 } },
});

/** Paths that session `iteration` sends. */
function pathsOf(requests: DrawnRequests, iteration = 0, env: Readonly<Record<string, string>> = {}): string[] {
  const drawn = drawnFlow(requests);
  const objectives = { default: { schemaVersion: 1, purpose: 'test', endpoints: {} } } as const;
  const plan = makePlan({ name: 'test', flows: { shop: drawn } }, suite, workload, env, objectives);
  fake.rows = [
    ...Array.from({ length: ROWS }, (_, i) => `i${i}`),
    ...Array.from({ length: 10 }, (_, i) => `p${i}`),
    ...drawnRows(flow),
  ];
  enter(plan, 'shop');
  fake.sent = [];
  fake.slept = [];
  runSession(drawn, iteration);
  expect(valuesOf('flow_errors').at(-1)).toBe(false);
  return fake.sent.map(({ method, url }) => `${method} ${url.replace('http://127.0.0.1:8080', '')}`);
}

describe('a drawn flow', () => {
  it('sends the steps of its workload, with the values of a session, and the same for the same session', () => {
    const sent = pathsOf({});
    const id = /^GET \/things\/(i\d+)$/.exec(sent[1] as string)?.[1];
    expect(id).toBeDefined();
    expect(sent).toEqual([
      'GET /things',
      `GET /things/${id}`,
      expect.stringMatching(new RegExp(`^GET /things/${id}/p\\d$`)),
      `POST /buy/${id}`,
    ]);
    expect(pathsOf({})).toEqual(sent);
    expect(pathsOf({}, 1)).not.toEqual(sent);
  });

  it('thinks before each step but the first, also before one that is no request', () => {
    pathsOf({});
    const [first, ...others] = fake.slept as [number, ...number[]];
    expect(first).toBeGreaterThanOrEqual(1);
    expect(first).toBeLessThan(3);
    expect(others).toEqual([5, 5, 5]);
    pathsOf({}, 0, { THINK_LAW: 'fixed', THINK: '0.5' });
    expect(fake.slept).toEqual([1, 2.5, 2.5, 2.5]);
  });

  it('takes new values for each request when it is to', () => {
    const ids = (sent: readonly string[]) => new Set(sent.flatMap((one) => /\/(i\d+)/.exec(one)?.[1] ?? []));
    // Three draws of a thousand rows.
    expect(ids(pathsOf({ keepsValues: () => false })).size).toBe(3);
    expect(ids(pathsOf({ keepsValues: () => true })).size).toBe(1);
  });

  it('asks the suite for values, bodies and headers', () => {
    const asked: string[] = [];
    const sent = pathsOf({
      parameter: (_session: Session, name) => {
        asked.push(name);
        return `${name}/1`;
      },
      options: (_session, key) => (key === 'buy' ? { json: { n: 1 }, headers: { 'X-Key': 'a' } } : undefined),
    });
    expect(sent).toEqual(['GET /things', 'GET /things/id%2F1', 'GET /things/id%2F1/page%2F1', 'POST /buy/id%2F1']);
    // Counting the flow has asked as often.
    expect(asked).toEqual(['id', 'page', 'id', 'page']);
    expect(fake.sent.map(({ body }) => body)).toEqual([null, null, null, '{"n":1}']);
    expect(fake.sent[3]?.params.headers).toMatchObject({ 'X-Key': 'a', 'Content-Type': 'application/json' });
  });
});
