import { describe, expect, it } from 'vitest';
import type { LoadTest } from '../../../lib/plan/load-test.ts';
import { browse, checkout, shopPlan as plan, SHOP_MIX, shop, shopSuite } from '../../support/shop.ts';

describe('a plan that cannot be', () => {
  it.each([
    [{ CACHE: 'tepid' }, 'CACHE=tepid is not valid: give one of cold, warm'],
    [{ THRESHOLDS: 'defualt' }, 'THRESHOLDS=defualt is not valid: give one of default, smoke, cold, warm, ci'],
    [{ CACHE: 'cold', WARMUP: '5s' }, 'CACHE=cold and WARMUP=5s exclude each other'],
    [{ THRESHOLDS: '__proto__' }, 'THRESHOLDS=__proto__ is not valid: give one of'],
    [{ THRESHOLDS: 'constructor' }, 'THRESHOLDS=constructor is not valid'],
    [{ THRESHOLDS: 'toString' }, 'THRESHOLDS=toString is not valid'],
    [{ SHARES: 'toString=1' }, 'SHARES=toString=1 is not valid'],
    [{ WARMUP: '1ms' }, 'WARMUP=1ms is not valid: give 0s for none, or at least 1s'],
    [{ SEED: 'a\nb' }, 'SEED=a\\u000ab is not valid'],
    [{ MAX_VUS: '2' }, 'MAX_VUS=2 is not valid: the run has 3 flows'],
    // A variable that this scenario does not read is checked as well.
    [{ VUS: '0' }, 'VUS=0 is not valid'],
  ])('%o ends in a sentence', (env, sentence) => {
    expect(() => plan(env as unknown as Record<string, string>)).toThrow(sentence);
  });

  it.each([
    [{ PAGES: '10' }, 'PAGES=10 is not valid: give a whole number from 1 to 9'],
    [{ KIND: 'old' }, 'KIND=old is not valid: give one of new'],
    [{ TENANT: 'a\nb' }, 'TENANT=a\\u000ab is not valid'],
    [{ POPULARITY: 'single:1000' }, 'popularity single: asks for item 1001 of 1000: give another POPULARITY'],
  ])('%o, which is the suite’s own, ends in a sentence', (env, sentence) => {
    expect(() => plan(env as unknown as Record<string, string>)).toThrow(sentence);
  });

  it('a flow that calls or picks what the suite does not have is refused', () => {
    const test = (flow: LoadTest['flows'][string]): LoadTest => ({ name: 'x', flows: { browse: flow } });
    expect(() =>
      plan(
        {},
        test(({ call }) => call('lost', {})),
      ),
    ).toThrow('the flow browse cannot be counted (the suite has no endpoint "lost": did you mean "list"?)');
    expect(() =>
      plan(
        {},
        test(({ pick }) => pick('lost')),
      ),
    ).toThrow('the suite has no pool "lost"');
    const { users: _, ...rest } = shop.pools;
    expect(() => plan({}, SHOP_MIX, shopSuite({ ...shop, pools: { ...rest, lost: shop.pools.users } }))).toThrow(
      'pool lost: the build has no rows of it; build the suite again',
    );
  });

  it('plans no session: refused before any load', () => {
    // 0.01/s over 5 s is a twentieth of a session; over 100 s it is one, which may fall to a flow or not.
    expect(() => plan({ RATE: '0.01', DURATION: '5s' })).toThrow(
      'the run plans no session: 0.01 a second for 5 s; raise RATE or DURATION',
    );
    expect(() => plan({ RATE: '0.01', DURATION: '5s', WARMUP: '1h' })).toThrow('the run plans no session');
    expect(() => plan({ RATE: '0.01', DURATION: '100s' })).not.toThrow();
    expect(() => plan({ RATE: '0.01', DURATION: '5s', ARRIVALS: 'metronome' })).not.toThrow();
  });

  it('names a think time that the workload lacks', () => {
    const test: LoadTest = { name: 'x', flows: { browse }, own: { browse: { share: 1, thinkTimes: {} } } };
    expect(() => plan({}, test)).toThrow('no think time "list->item" for the flow browse');
  });
  it('names a flow that the workload lacks', () => {
    expect(() => plan({}, { name: 'x', flows: { buy: checkout } })).toThrow('no flow "buy"');
  });
});
