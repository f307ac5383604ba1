import { describe, expect, it } from 'vitest';
import { POOL_ENTRY, type PoolSettings, type SessionSettings } from '../../../lib/model/session-settings.ts';
import type { LoadTest } from '../../../lib/plan/load-test.ts';
import { makePlan } from '../../../lib/plan/plan.ts';
import {
  browse,
  NO_OBJECTIVES,
  shopPlan as plan,
  SHOP_MIX,
  shop,
  shopSuite,
  shopWorkload,
} from '../../support/shop.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, h: 3600 };
/** A plan's durations have one unit each. */
const seconds = (text: string) => Number.parseFloat(text) * (UNITS[text.replace(/^[\d.]+/, '')] as number);
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** What the VUs of a scenario are told. */
const settings = (k6: Readonly<Record<string, unknown>> = {}): SessionSettings =>
  JSON.parse((k6['env'] as Record<string, string>)['SESSION_SETTINGS'] as string);

interface Stage {
  readonly target: number;
  readonly duration: string;
}
/** Integral of a stepped `ramping-arrival-rate`, in sessions: each flat stage holds target per timeUnit. k6 starts the whole part of it. */
function ticks(k6: Readonly<Record<string, unknown>>): number {
  const unit = seconds(k6['timeUnit'] as string);
  let rate = k6['startRate'] as number;
  let total = 0;
  for (const { target, duration } of k6['stages'] as Stage[]) {
    const length = seconds(duration);
    if (length > 0) {
      expect(rate, 'a step holds one rate').toBe(target);
      total += (target * length) / unit;
    }
    rate = target;
  }
  return total;
}

describe('the default plan', () => {
  it('splits 20 sessions/s over the flows by session share', () => {
    const { scenarios } = plan();
    expect(scenarios.map(({ name, rate, sessions }) => [name, +rate.toFixed(9), sessions])).toEqual([
      ['browse', 14, 2520],
      ['search', 4, 720],
      ['checkout', 2, 360],
    ]);
    for (const { k6, sessions } of scenarios) expect(Math.floor(ticks(k6))).toBe(sessions);
  });

  it('has VUs for the degraded system by Little’s law, and twice as many at most', () => {
    // 20/s x (8.43 s thinking + 0.5 s mean shift + 2.9 requests x 1 s) = 236.6 busy VUs on average, thinking weighted by flow.
    const { scenarios } = plan();
    const preallocated = sum(scenarios.map((one) => one.preallocatedVus));
    expect(preallocated).toBeGreaterThan(237);
    expect(sum(scenarios.map((one) => one.maxVus))).toBe(2 * preallocated);
  });

  it('gives each of several workers VUs for its share, which chance makes more together than one needs', () => {
    const alone = plan().scenarios;
    const shared = plan({ WORKERS: '4' }).scenarios;
    for (const [i, { preallocatedVus, sessions }] of shared.entries()) {
      expect(preallocatedVus % 4).toBe(0);
      // A quarter of the rate in one process is what one of four has to do.
      const quarter = plan({ RATE: '5' }).scenarios[i];
      expect(preallocatedVus).toBe(4 * (quarter?.preallocatedVus ?? 0));
      expect(preallocatedVus).toBeGreaterThan(alone[i]?.preallocatedVus ?? Number.POSITIVE_INFINITY);
      expect(sessions).toBe(alone[i]?.sessions);
    }
  });

  it('tags samples with what the cache said where CACHE or CACHE_TAG ask for it, and else not', () => {
    const tag = (env: Record<string, string>) => plan(env).scenarios.map(({ k6 }) => settings(k6).cacheTag);
    expect(tag({})).toEqual(['', '', '']);
    expect(tag({ CACHE: 'cold' })).toEqual(['on', 'on', 'on']);
    expect(tag({ CACHE: 'cold', CACHE_TAG: 'item' })).toEqual(['item', 'item', 'item']);
  });

  it('waits at the end longer than the longest session can last', () => {
    // browse: shift 1 s, thinking at most 5 + 8 s, three requests of at most 60 s.
    const browse = plan().scenarios[0]?.k6;
    expect(Number.parseInt(browse?.['gracefulStop'] as string, 10)).toBeGreaterThan(1 + 13 + 180);
  });

  it('waits for endpoints with a time-out of their own, and for the redirects that they follow', () => {
    const item = { request: 'GET /items/{sku}', timeout: 200, redirects: 2 };
    const suite = shopSuite({ ...shop, endpoints: { ...shop.endpoints, item } });
    const stop = plan({ TIMEOUT: '10s' }, SHOP_MIX, suite).scenarios[0]?.k6['gracefulStop'] as string;
    // A shift of 1 s, thinking of at most 13 s, one list of 10 s, two items of three requests with 200 s each.
    expect(Number.parseInt(stop, 10)).toBeGreaterThan(1 + 13 + 10 + 2 * 3 * 200 - 1);
    expect(Number.parseInt(stop, 10)).toBeLessThan(1 + 13 + 10 + 2 * 3 * 200 + 3);
  });

  it('tags each scenario with flow and phase and tells its VUs what they need', () => {
    const k6 = plan({ THINK: '0.5', TRACE: 'on', BASE_URL: 'http://127.0.0.1:1/' }).options.scenarios['browse'] ?? {};
    expect(k6).toMatchObject({ exec: 'browse', tags: { flow: 'browse', phase: 'measure' }, startTime: '0s' });
    expect(settings(k6)).toMatchObject({ think: 0.5, traced: true, baseUrl: 'http://127.0.0.1:1' });
    // Two steps of half a second, less the short rest that closes the run.
    expect(settings(k6).shift).toBeCloseTo(1, 1);
    const env = plan({ POPULARITY: 'once' }).options.scenarios['browse']?.['env'] as Record<string, string>;
    const once = JSON.parse(env[`${POOL_ENTRY}items`] as string) as PoolSettings;
    expect(once.stripe).toEqual({ scenario: 0, scenarios: 3, rowsPerSession: 2 });
  });
});

describe('variables', () => {
  it('THINK=0 leaves no thinking to size for', () => {
    // 20/s x (0.5 + 2.9) = 68 busy VUs.
    const preallocated = sum(plan({ THINK: '0' }).scenarios.map((one) => one.preallocatedVus));
    expect(preallocated).toBeGreaterThan(68);
    expect(preallocated).toBeLessThan(160);
  });

  it.each(['3', '50', '51', '1000'])('PREALLOCATED_VUS=%s is spread over the flows without loss', (total) => {
    const { scenarios } = plan({ PREALLOCATED_VUS: total });
    expect(sum(scenarios.map((one) => one.preallocatedVus))).toBe(Number(total));
    expect(Math.min(...scenarios.map((one) => one.preallocatedVus))).toBeGreaterThan(0);
    // The ceiling stays where Little's law puts it, so that VUs can be grown.
    expect(sum(scenarios.map((one) => one.maxVus))).toBeGreaterThan(400);
  });

  it('more preallocated VUs than may exist are refused', () => {
    expect(() => plan({ PREALLOCATED_VUS: '60', MAX_VUS: '50' })).toThrow(
      'PREALLOCATED_VUS=60 is more than MAX_VUS=50',
    );
    expect(() => plan({ PREALLOCATED_VUS: '50', MAX_VUS: '50' })).not.toThrow();
  });

  it('MAX_VUS alone also caps what is preallocated', () => {
    const { scenarios } = plan({ MAX_VUS: '50' });
    expect(sum(scenarios.map((one) => one.maxVus))).toBe(50);
    for (const one of scenarios) expect(one.preallocatedVus).toBeLessThanOrEqual(one.maxVus);
  });

  it('percentiles that objectives name stand in the summary, so that it can say what they were judged on', () => {
    const objectives = {
      ...NO_OBJECTIVES,
      endpoints: { '*': { '2xx': ['p(99.99)<300', 'p(0)>1', 'avg<9'], all: ['p(33.3) < 2'] } },
    };
    const { options } = makePlan(SHOP_MIX, shopSuite(), shopWorkload, {}, { default: objectives });
    expect(options.summaryTrendStats).toEqual(
      expect.arrayContaining(['count', 'p(95)', 'p(99.99)', 'p(0)', 'p(33.3)']),
    );
    expect(new Set(options.summaryTrendStats).size).toBe(options.summaryTrendStats.length);
  });

  it('THINK_LAW=fixed leaves each think time its mean', () => {
    const { thinkTimes } = settings(plan({ THINK_LAW: 'fixed' }).options.scenarios['browse']);
    expect(thinkTimes).toEqual({
      'list->item': { law: 'fixed', value: 3.5 },
      'item->item': { law: 'fixed', value: 5.5 },
    });
  });

  it('a day of arrivals is still a handful of options', () => {
    const { scenarios } = plan({ PROFILE: 'soak', DURATION: '24h' });
    expect(JSON.stringify(scenarios).length).toBeLessThan(10e6);
    // 20/s x 86,400 s
    expect(sum(scenarios.map((one) => one.sessions ?? 0))).toBe(1_728_000);
  });

  it('SHARES are normalised and leave out what they do not name', () => {
    expect(plan({ SHARES: 'browse=3,checkout=1' }).scenarios.map(({ name, rate }) => [name, +rate.toFixed(9)])).toEqual(
      [
        ['browse', 15],
        ['checkout', 5],
      ],
    );
  });

  it.each([
    'browse',
    'browse=',
    'browse=0',
    'browse=1,browse=2',
    'brose=1',
    'browse=-1',
    '=1',
    'browse=0.5;search=0.5',
  ])('refuses SHARES=%s', (text) => expect(() => plan({ SHARES: text })).toThrow(`SHARES=${text} is not valid`));

  it('CACHE=warm puts 90 s of warm-up before the measured phase, with scenarios of its own', () => {
    const { scenarios, thresholdsName, options } = plan({ CACHE: 'warm' });
    expect(thresholdsName).toBe('warm');
    expect(scenarios.map(({ name, phase }) => `${name} ${phase}`)).toEqual([
      'browse_warmup warmup',
      'search_warmup warmup',
      'checkout_warmup warmup',
      'browse measure',
      'search measure',
      'checkout measure',
    ]);
    expect(options.scenarios['browse']).toMatchObject({ startTime: '90s' });
  });

  it('the same seed gives the same arrivals, another one others', () => {
    const stages = (seed: string) => plan({ SEED: seed }).scenarios[0]?.k6['stages'];
    expect(stages('1')).toEqual(stages('1'));
    expect(stages('1')).not.toEqual(stages('2'));
  });

  it('evenly spaced arrivals are whole sessions per fitting unit', () => {
    const { scenarios } = plan({ ARRIVALS: 'metronome', RATE: '5' });
    // 3.5, 1 and 0.5 sessions/s.
    for (const { k6, rate } of scenarios) {
      expect(k6['executor']).toBe('constant-arrival-rate');
      expect(Number.isInteger(k6['rate'])).toBe(true);
      expect(((k6['rate'] as number) * 1000) / Number.parseFloat(k6['timeUnit'] as string)).toBeCloseTo(rate, 5);
    }
  });
});

describe('profiles', () => {
  it('smoke is two sessions a second for half a minute, judged as such', () => {
    const { scenarios, thresholdsName } = plan({ PROFILE: 'smoke' });
    expect(sum(scenarios.map((one) => one.sessions ?? 0))).toBe(60);
    expect(thresholdsName).toBe('smoke');
  });

  it.each(['poisson', 'metronome'])('stress rises from one to five times the rate in equal steps (%s)', (arrivals) => {
    const { scenarios } = plan({ PROFILE: 'stress', DURATION: '50s', ARRIVALS: arrivals });
    const browse = scenarios[0];
    // 14/s x 10 s x (1 + 2 + 3 + 4 + 5)
    expect(browse?.sessions).toBe(2100);
    expect(browse?.rate).toBeCloseTo(70, 9);
    expect(Math.floor(ticks(browse?.k6 ?? {}))).toBe(2100);
  });

  it.each(['stress', 'spike'])('%s in a few seconds keeps its length and its sessions', (profile) => {
    for (const [rate, length] of [
      ['1', 1],
      ['1', 3],
      ['7', 2.5],
      ['300', 1],
    ] as const) {
      // biome-ignore format: table
      for (const arrivals of ['poisson', 'metronome']) {
        const env = { PROFILE: profile, RATE: rate, DURATION: `${length}s`, ARRIVALS: arrivals };
        for (const { k6, sessions } of plan(env).scenarios) {
          expect(sum((k6['stages'] as Stage[]).map((stage) => seconds(stage.duration)))).toBeCloseTo(length, 2);
          expect(Math.floor(ticks(k6) + 1e-6)).toBe(sessions);
        }
      }
    }
  });

  it('spike is five times the rate for a quarter of the time', () => {
    // 20/s x (25 + 5 x 25 + 50) s
    const { scenarios } = plan({ PROFILE: 'spike', DURATION: '100s' });
    expect(sum(scenarios.map((one) => one.sessions ?? 0))).toBe(4000);
  });

  it('evenly spaced: the first session is due at once, so the shortest run has one a flow', () => {
    const planned = (rate: string, duration: string) =>
      plan({ ARRIVALS: 'metronome', RATE: rate, DURATION: duration }).scenarios.map(({ sessions }) => sessions);
    // 0.7, 0.2 and 0.1 sessions/s.
    expect(planned('1', '1s')).toEqual([1, 1, 1]);
    expect(planned('1', '10s')).toEqual([7, 2, 1]);
    expect(planned('1', '11s')).toEqual([8, 3, 2]);
    expect(planned('0.001', '1s')).toEqual([1, 1, 1]);
  });

  it('a ramp starts at a tenth, reaches the rate and comes down', () => {
    const ramp: LoadTest = { name: 'ramp', flows: { browse }, rate: 500, seconds: 480, shape: 'ramp' };
    const { k6 } = plan({}, ramp).scenarios[0] ?? {};
    expect(k6).toMatchObject({ executor: 'ramping-arrival-rate', startRate: 3000, timeUnit: '60s' });
    expect(k6?.['stages']).toEqual([
      { target: 30_000, duration: '120000ms' },
      { target: 30_000, duration: '300000ms' },
      { target: 3000, duration: '60000ms' },
    ]);
  });
});
