import { beforeEach, describe, expect, it, vi } from 'vitest';
import { segmentShare } from '../../lib/k6/segment.ts';
import { createLifecycle, type LifecycleInput, ownPart, type SetupData } from '../../lib/lifecycle.ts';
import type { SuiteDefinition } from '../../lib/plan/suite-definition.ts';
import type { SummaryData } from '../../lib/summary/data.ts';
import { sessionRows } from '../../lib/summary/populations.ts';
import { NO_OBJECTIVES, SHOP_MIX, SHOP_POOLS, shop, shopPlan, shopWorkload } from '../support/shop.ts';

const DOCUMENTS: Readonly<Record<string, unknown>> = {
  suite: { schemaVersion: 1, pools: SHOP_POOLS },
  workload: shopWorkload,
  thresholds: { default: NO_OBJECTIVES },
  environments: { staging: { BASE_URL: 'http://127.0.0.9/base/', TENANT: 'test' } },
};
const requests: unknown[][] = [];
const aborted: string[] = [];
const counters: string[] = [];
let status = 200;
beforeEach(() => {
  for (const list of [requests, aborted, counters]) list.length = 0;
  status = 200;
});

function lifecycle(
  env: Readonly<Record<string, string>> = {},
  suite: SuiteDefinition = shop,
  rest: Partial<LifecycleInput> = {},
) {
  return createLifecycle({
    test: SHOP_MIX,
    suite,
    env: { PASSWORD: 'hunter2', ...env },
    readData: (name) => DOCUMENTS[name],
    rowAt: (index) => (index < 1000 ? `sku-${index}` : { name: `user-${index - 1000}`, age: 30 }),
    request: (...words) => {
      requests.push(words);
      return { status, body: '{}' };
    },
    options: () => ({}),
    makeCounter: (name) => counters.push(name),
    abort: (sentence) => aborted.push(sentence),
    warn: vi.fn(),
    say: vi.fn(),
    text: undefined,
    ...rest,
  });
}

describe('the start of a run', () => {
  it('plans the load test and makes the suite’s counters', () => {
    expect(Object.keys(lifecycle().options.scenarios)).toEqual(['browse', 'search', 'checkout']);
    expect(counters).toEqual(['sold_out']);
  });

  it.each([
    [{ BASE_URL: 'http://shop.example' }, 'BASE_URL names shop.example, which is not this machine'],
    [{ ENVIRONMENT: 'prod' }, 'ENVIRONMENT=prod: there are staging'],
    [{ PAGES: '0' }, 'PAGES=0 is not valid'],
    [{ RAET: '5' }, 'did you mean RATE?'],
    [{ TENATN: '5' }, 'did you mean TENANT?'],
    [{ SUMMARY_JSON: 'stdout' }, 'SUMMARY_JSON=stdout is no file name to k6'],
  ])('%o ends it in a thrown sentence, not an error with a stack', (env, sentence) => {
    let thrown: unknown;
    try {
      lifecycle(env as unknown as Record<string, string>);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeTypeOf('string');
    expect(thrown).toContain(sentence);
  });
});

describe('set-up', () => {
  it('of a suite that asks nothing itself asks whether the target answers, at the root of BASE_URL', () => {
    const { target, setupSeconds } = lifecycle({ BASE_URL: 'http://127.0.0.1:1/api/' }).setup() as SetupData;
    expect(requests).toEqual([['GET', 'http://127.0.0.1:1/api/', null, { 'X-Tenant': 'acme' }, 'pre-flight']]);
    expect(target?.line).toContain('GET / gives 200');
    expect(setupSeconds).toBeGreaterThanOrEqual(0);
  });

  it('ends the run in a sentence when the target does not answer', () => {
    status = 0;
    const say = vi.fn();
    expect(lifecycle({}, shop, { say }).setup()).toBeUndefined();
    const sentence =
      'pre-flight: no answer from http://127.0.0.1:8080: start the system under test or correct BASE_URL';
    expect(aborted).toEqual([sentence]);
    expect(say).toHaveBeenCalledWith(sentence);
  });

  it('asks nothing with PREFLIGHT=off, and still lets the suite prepare', () => {
    expect(lifecycle({ PREFLIGHT: 'off' }).setup()).toEqual({ setupSeconds: expect.any(Number) });
    const suite = { ...shop, setup: () => ({ token: 't' }) };
    expect(lifecycle({ PREFLIGHT: 'off' }, suite).setup()).toMatchObject({ shared: { token: 't' } });
    expect(requests).toEqual([]);
  });

  it('asks what the suite asks, with its variables, rows and place', () => {
    const preflight: SuiteDefinition['preflight'] = ({ variables, rows, row, baseUrl, request, warn, plan }) => {
      warn('take care');
      expect([rows('items'), row('items', 999), row('users', 0)]).toEqual([
        ...[1000, { sku: 'sku-999' }, { name: 'user-0', age: 30 }],
      ]);
      expect([variables['TENANT'], baseUrl, plan.flows.length]).toEqual(['test', 'http://127.0.0.9/base', 3]);
      request('GET', '/health');
      return { line: 'well' };
    };
    const warn = vi.fn();
    const { setup } = lifecycle({ ENVIRONMENT: 'staging' }, { ...shop, preflight }, { warn });
    expect((setup() as SetupData).target).toEqual({ line: 'well' });
    expect(aborted).toEqual([]);
    expect(warn).toHaveBeenCalledWith('pre-flight: take care');
    expect(requests).toEqual([['GET', 'http://127.0.0.9/base/health', null, { 'X-Tenant': 'test' }, 'pre-flight']]);
  });

  it('hands to sessions what the suite’s set-up gives, made with requests of its own', () => {
    const setup: SuiteDefinition['setup'] = ({ request, variables, rows }) => {
      request('POST', '/login', { json: { word: variables['PASSWORD'] }, headers: { 'X-A': '1' } });
      request('PUT', '/plain', { body: 'text' });
      return { tokens: rows('users') };
    };
    const data = lifecycle({ PASSWORD: 'hunter2' }, { ...shop, setup }).setup() as SetupData;
    expect(data.shared).toEqual({ tokens: 10 });
    const base = 'http://127.0.0.1:8080';
    const own = { 'X-Tenant': 'acme' };
    const json = { 'Content-Type': 'application/json', 'X-A': '1', ...own };
    expect(requests.slice(1)).toEqual([
      ['POST', `${base}/login`, '{"word":"hunter2"}', json, 'set-up'],
      ['PUT', `${base}/plain`, 'text', own, 'set-up'],
    ]);
  });

  it('asks for paths only, which cannot name another host', () => {
    lifecycle({}, { ...shop, setup: ({ request }) => request('GET', '@127.0.0.2/x') }).setup();
    expect(aborted).toEqual(['pre-flight: set-up asks for "@127.0.0.2/x": a path begins with /']);
  });

  it('refuses a secret that is not set', () => {
    lifecycle({ PASSWORD: '' }).setup();
    expect(aborted).toEqual([
      expect.stringContaining('PASSWORD is a secret of the suite and not set: export PASSWORD='),
    ]);
    expect(requests).toEqual([]);
  });

  it('that asks for a pool that is not there says so', () => {
    lifecycle({}, { ...shop, setup: ({ rows }) => rows('lost') }).setup();
    expect(aborted).toEqual(['pre-flight: the suite has no pool "lost"']);
  });

  it('refuses an option hosts that leads elsewhere, also with PREFLIGHT=off', () => {
    const options = () => ({ hosts: { '127.0.0.1': '127.0.0.2' } });
    for (const env of [{}, { PREFLIGHT: 'off' }]) lifecycle(env as Record<string, string>, shop, { options }).setup();
    expect(aborted).toEqual(Array(2).fill(expect.stringContaining('to 127.0.0.2, which nobody named')));
    expect(requests).toEqual([]);
  });
});

describe('set-up with redirects that k6 would follow', () => {
  it('ends the run', () => {
    lifecycle({ PREFLIGHT: 'off' }, shop, { options: () => ({ maxRedirects: 10 }) }).setup();
    expect(aborted).toEqual([expect.stringContaining('k6 is told to follow 10 redirects')]);
  });
});

describe('the end of a run', () => {
  it('has a summary with what the suite’s counters counted', () => {
    const metrics = {
      'http_reqs{phase:measure}': { type: 'counter', values: { count: 9 } },
      iterations: { type: 'counter', values: { count: 3 } },
      'sold_out{phase:measure}': { type: 'counter', values: { count: 2 } },
    };
    const files = lifecycle().handleSummary({ metrics, state: { testRunDurationMs: 200_000 } });
    expect(Object.keys(files)).toEqual(['stdout']);
    expect(files['stdout']).toContain('2 orders found nothing to buy');
    expect(files['stdout']).toContain('shop-mix: 20 sessions/s for 180 s');
    expect(files['stdout']).toContain('items by power law g=3');
  });
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
