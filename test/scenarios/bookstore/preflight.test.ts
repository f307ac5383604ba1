import { describe, expect, it } from 'vitest';
import { isbnOf } from '../../../bookstore/catalogue/books.ts';
import { ownValues } from '../../../lib/plan/own-variables.ts';
import { browse } from '../../../scenarios/bookstore/flows.ts';
import { plannedOrders, preflight, type TargetStatus } from '../../../scenarios/bookstore/preflight.ts';
import { variables } from '../../../scenarios/bookstore/variables.ts';
import { bookstorePlan, FLOWS } from '../../support/bookstore-suite.ts';
import { HEALTHY } from '../../support/fake-bookstore.ts';

/** Asks a target that answers `status` and knows the books that `has` says. */
function ask(
  status: Partial<TargetStatus> | number | string,
  env: Readonly<Record<string, string>> = {},
  has: (isbn: string) => boolean = () => true,
  flows: Partial<typeof FLOWS> = FLOWS,
) {
  const warnings: string[] = [];
  const asked: string[] = [];
  const result = preflight({
    plan: bookstorePlan(env, flows),
    env,
    baseUrl: 'http://127.0.0.1:1',
    variables: ownValues(variables, env),
    rows: () => 40_000,
    row: (_, index) => ({ isbn: isbnOf(index) }),
    request: (method, path) => {
      asked.push(`${method} ${path}`);
      const isbn = /^\/api\/books\/(\d+)$/.exec(path)?.[1];
      if (isbn) return has(isbn) ? { status: 200, body: `{"isbn":"${isbn}"}` } : { status: 404, body: '{}' };
      if (path !== '/api/status') return { status: 204, body: null };
      if (typeof status === 'number') return { status, body: null };
      return { status: 200, body: typeof status === 'string' ? status : JSON.stringify({ ...HEALTHY, ...status }) };
    },
    warn: (sentence) => warnings.push(sentence),
  });
  return { result, warnings, asked };
}

describe('pre-flight', () => {
  it('lets a healthy target pass and asks for the head, the middle and the tail of the catalogue', () => {
    const { result, warnings, asked } = ask({});
    expect(result).toEqual({
      line: 'payments stub, rate limiter off, output cache 60 s, 40000 books',
      ...HEALTHY,
    });
    expect(warnings).toEqual([]);
    expect(asked).toEqual(['GET /api/status', ...[0, 20_000, 39_999].map((n) => `GET /api/books/${isbnOf(n)}`)]);
  });

  it('says how to start a target that is down', () => {
    expect(() => ask(0)).toThrow(/no answer from .* start the system under test/);
  });
  it.each([404, 500, '<html>', '[]', 'null', '{"books":"many"}'])('refuses a target that answers as %j', (status) => {
    expect(() => ask(status)).toThrow('PREFLIGHT=off');
  });
  it.each([
    [{ rateLimit: undefined }, 'lacks "rateLimit"'],
    [{ rateLimit: 5 as never }, 'says "rateLimit": 5, which must be null or { "perSecond": a number }'],
    [{ rateLimit: {} as never }, 'says "rateLimit": {}'],
    [{ minimumStock: undefined }, 'lacks "minimumStock"'],
    [{ minimumStock: 'lots' as never }, 'says "minimumStock": "lots", which must be a number from 0'],
    [{ payments: undefined }, 'lacks "payments"'],
    [{ books: -1 }, 'says "books": -1'],
    [{ admin: 'no' as never }, 'says "admin": "no"'],
    [{ cacheTtlSeconds: null as never }, 'says "cacheTtlSeconds": null'],
  ])('names the field that is wrong: %o', (status, sentence) => {
    const ask1 = () => ask(status as Partial<TargetStatus>);
    expect(ask1).toThrow(sentence);
    expect(ask1).toThrow('PREFLIGHT=off');
  });
  it('says that redirects are not followed', () => {
    expect(() => ask(307)).toThrow('answers 307 (redirects are not followed)');
  });
  it('refuses another size of catalogue', () => {
    expect(() => ask({ books: 100 })).toThrow('the target has 100 books and the data file 40000');
  });
  it('refuses a catalogue that lacks the last book', () => {
    expect(() => ask({}, {}, (isbn) => isbn !== isbnOf(39_999))).toThrow(`answers 404 for book ${isbnOf(39_999)}`);
  });
  it('refuses a rate limiter unless it is declared', () => {
    expect(() => ask({ rateLimit: { perSecond: 10 } })).toThrow('RATE_LIMITER=declared');
    ask({ rateLimit: { perSecond: 10 } }, { RATE_LIMITER: 'declared' });
  });
  it('refuses a real payment provider unless declared, but only when the run orders', () => {
    expect(() => ask({ payments: 'provider' })).toThrow('PAYMENTS=declared');
    ask({ payments: 'provider' }, { PAYMENTS: 'declared' });
    ask({ payments: 'provider' }, {}, () => true, { browse });
  });

  it('takes only what it knows for free of charge', () => {
    expect(() => ask({ payments: 'live' as never })).toThrow('charges by "live"');
    ask({ payments: 'none' });
  });
  it('refuses a provider for a single evenly spaced order and in a closed loop', () => {
    const env = { ARRIVALS: 'metronome', RATE: '0.01', DURATION: '1s' };
    expect(() => ask({ payments: 'provider' }, env)).toThrow('PAYMENTS=declared');
    // One session, of the largest flow: no order is planned, and still it is refused.
    expect(() => ask({ payments: 'provider' }, { RATE: '1', DURATION: '1s' })).toThrow('PAYMENTS=declared');
    // One order at 0 and perhaps one at the very end.
    expect(() => ask({ minimumStock: 0 }, env)).toThrow('2 orders are planned');
  });

  it('warns when nothing takes the charges', () => {
    expect(ask({ paymentsAnswer: false }).warnings[0]).toContain('orders will stay PaymentPending');
    expect(ask({ paymentsAnswer: true }).warnings).toEqual([]);
  });

  it('refuses stock that will not last, and warns when that is declared', () => {
    // 20/s x 10 % x 180 s = 360 orders; the first of 40,000 books gets (1/40,000)^(1/3) = 2.92 % of them, 10.5 on average,
    // and with three standard deviations 10.5 + 3 x 3.24 = 20.3.
    expect(() => ask({ minimumStock: 20 })).toThrow(/360 orders are planned, about 11 .* top it up to 21/);
    ask({ minimumStock: 21 });
    const { warnings } = ask({ minimumStock: 5 }, { STOCK: 'declared' });
    expect(warnings[0]).toContain('stock will not last');
    // Always the same book: all orders are its.
    expect(() => ask({ minimumStock: 359 }, { POPULARITY: 'single' })).toThrow('stock will not last');
    ask({ minimumStock: 360 }, { POPULARITY: 'single' });
  });

  it('purges the cache for a cold run where it may, and else says what to do', () => {
    expect(ask({ admin: true }, { CACHE: 'cold' }).asked).toContain('POST /admin/cache/purge');
    const { asked, warnings } = ask({}, { CACHE: 'cold' });
    expect(asked.join()).not.toContain('purge');
    expect(warnings[0]).toContain('restart the target');
  });

  it('counts the orders of the warm-up too', () => {
    const orders = (env: Readonly<Record<string, string>>) => plannedOrders(bookstorePlan(env));
    expect(orders({ DURATION: '100s' })).toBe(200);
    expect(orders({ DURATION: '100s', WARMUP: '50s' })).toBe(300);
  });
});
