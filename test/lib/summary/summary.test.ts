import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../lib/plan/planned.ts';
import type { SummaryData } from '../../../lib/summary/data.ts';
import { junitXml } from '../../../lib/summary/junit.ts';
import { neededFor, populationsOf, requestRows, sessionRows, thresholdRows } from '../../../lib/summary/populations.ts';
import { summarise } from '../../../lib/summary/report.ts';
import { remarks as remarksWith, textSummary } from '../../../lib/summary/text.ts';
import { counter, data, NAME, PLAN, trend } from '../../support/summary-data.ts';

const remarks = (given: SummaryData, plan: Plan) => remarksWith(given, plan, {});
/** Files and text of a run against `http://h`. */
const summaryOf = (given: SummaryData, plan: Plan, env: Readonly<Record<string, string>> = {}) =>
  summarise(given, { plan, env, baseUrl: 'http://h', counters: {} });

describe('percentiles', () => {
  it('need ten samples beyond them', () => {
    expect(neededFor('p(90)')).toBe(100);
    expect(neededFor('p(95)')).toBe(200);
    expect(neededFor('p(99)')).toBe(1000);
    expect(neededFor('p(99.9)')).toBe(10_000);
  });

  it('are printed beside n, or refused with the n they need', () => {
    const key = `duration_2xx{name:${NAME},phase:measure}`;
    const line = (n: number) =>
      textSummary(data({ [key]: trend(n) }), PLAN, [])
        .split('\n')
        .find((one) => one.includes('2xx'))
        ?.trim()
        .split(/ {2,}/);
    expect(line(1000)).toEqual([NAME, '2xx', '1000', '1.50', '3', '4.25', '123', '200']);
    expect(line(999)).toEqual([NAME, '2xx', '999', '1.50', '3', '4.25', 'n<1000', '200']);
    expect(line(7)).toEqual([NAME, '2xx', '7', '1.50', 'n<100', 'n<200', 'n<1000', '200']);
  });

  it('of a population without samples are no row', () => {
    expect(populationsOf(data({ [`duration_5xx{name:${NAME},phase:measure}`]: trend(0) }), PLAN)).toEqual([]);
  });
});

describe('sessions', () => {
  const rows = (finished: number, dropped: number) =>
    sessionRows(
      data({
        'iterations{flow:browse,phase:measure}': counter(finished),
        'dropped_iterations{scenario:browse}': counter(dropped),
      }),
      PLAN,
    )[0];
  it('that neither finished nor were dropped are cut off; one is k6’s last tick', () => {
    expect(rows(90, 4)).toMatchObject({ planned: 100, finished: 90, dropped: 4, unaccounted: 6 });
    expect(rows(99, 0)?.unaccounted).toBe(0);
    expect(rows(101, 0)?.unaccounted).toBe(0);
  });
  it('that were dropped are the fault of the test', () => {
    const lines = remarks(data({ 'dropped_iterations{scenario:browse}': counter(3) }), PLAN);
    expect(lines.join('\n')).toContain(
      '3 of 100 sessions never started because no VU was free: the test, not the system, is at fault',
    );
    expect(remarks(data({}), PLAN)).toEqual([]);
  });
});

describe('a run that was stopped early', () => {
  // 10 sessions/s from second 2 on, for ten seconds.
  const k6 = { executor: 'constant-arrival-rate', rate: 10, timeUnit: '1s', startTime: '2s' };
  const plan = { ...PLAN, scenarios: PLAN.scenarios.map((one) => ({ ...one, k6 })) } as unknown as Plan;
  const run = (milliseconds: number, setupSeconds = 0): SummaryData => ({
    ...data(
      { 'iterations{flow:browse,phase:measure}': counter(20), 'http_reqs{phase:measure}': counter(60) },
      milliseconds,
    ),
    setup_data: { setupSeconds },
  });

  it('owes what was due by then, not what was planned for later', () => {
    expect(sessionRows(run(5000), plan)[0]).toMatchObject({ planned: 100, due: 30, unaccounted: 10 });
    expect(sessionRows(run(6000, 1), plan)[0]).toMatchObject({ due: 30 });
    expect(sessionRows(run(1000), plan)[0]).toMatchObject({ due: 0, unaccounted: 0 });
    expect(sessionRows(run(12_000), plan)[0]).toMatchObject({ due: 100, unaccounted: 80 });
  });
  it('says so', () => {
    expect(remarks(run(5000), plan).join()).toContain('stopped early at 5 of 12 s');
    expect(textSummary(run(5000), plan, [])).toMatch(/planned +due +finished/);
    expect(remarks(run(12_000), plan).join()).not.toContain('stopped');
  });
});

describe('the head of the summary', () => {
  const pool = (law: unknown, popular = true) => ({ name: 'projects', from: 0, rows: 9, law, popular });
  const head = (...pools: object[]) => summaryOf(data({}), { ...PLAN, pools } as unknown as Plan)['stdout'];
  it('names the pool that follows the workload’s popularity, and its law', () => {
    expect(head(pool({ law: 'uniform' }))).toContain('projects by uniform');
    expect(head(pool({ law: 'power', g: 3 }))).toContain('projects by power law g=3');
    expect(head(pool('once'))).toContain('projects by each one once');
  });
  it('is silent about popularity where no pool follows it', () => {
    expect(head(pool({ law: 'uniform' }, false))).not.toContain('projects');
    expect(head()).toContain('think time x');
  });
});

describe('counters of the suite’s own', () => {
  const counters = {
    sold_out: { means: 'exhausted', says: '{n} orders found nothing to buy' },
    noted: { means: 'note', says: '{n} things' },
  } as const;
  const counted = data({ 'sold_out{phase:measure}': counter(7), 'noted{phase:measure}': counter(0) });
  it('stand in the remarks with their count when they counted anything, and as rows in JSON', () => {
    expect(remarksWith(counted, PLAN, counters)).toEqual(['', 'REMARKS', '  7 orders found nothing to buy']);
    const run = { plan: PLAN, env: { SUMMARY_JSON: 'j' }, baseUrl: 'http://h', counters };
    expect(JSON.parse(summarise(counted, run)['j'] as string).bookstoreLoad.counters).toEqual([
      { metric: 'sold_out', means: 'exhausted', n: 7, says: '7 orders found nothing to buy' },
    ]);
  });
  it('are joined by logins that were renewed, which are no failures', () => {
    expect(remarks(data({ logins_renewed: counter(3) }), PLAN).join()).toContain('3 logins had run out');
  });
});

describe('a step of another protocol', () => {
  it('is a row of the requests like an endpoint', () => {
    const plan = { ...PLAN, scope: { ...PLAN.scope, endpoints: [NAME, 'WS /stream'], steps: ['WS /stream'] } };
    const given = data({
      [`http_reqs{name:${NAME},phase:measure}`]: counter(30),
      'steps{name:WS /stream,phase:measure}': counter(10),
      'no_response{name:WS /stream,phase:measure}': counter(2),
    });
    expect(requestRows(given, plan)).toEqual([
      { endpoint: NAME, requests: 30, share: 0.75, noResponse: 0, failed: 0 },
      { endpoint: 'WS /stream', requests: 10, share: 0.25, noResponse: 2, failed: 0 },
    ]);
  });
});

describe('a run that was stopped before its time', () => {
  const plan = {
    ...PLAN,
    scenarios: PLAN.scenarios.map((one) => ({ ...one, k6: { rate: 10 } })),
  } as unknown as Plan;
  const stopped = data(
    {
      iterations: counter(3),
      'http_reqs{phase:measure}': { ...counter(3), thresholds: { 'count>0': { ok: true } } },
      'http_reqs{name:late,phase:measure}': { ...counter(0), thresholds: { 'count>0': { ok: false } } },
      'dropped_iterations{scenario:browse}': { ...counter(2), thresholds: { 'count==0': { ok: false } } },
    },
    2_000,
  );
  it('does not fail guards of what had no time to come, and keeps what was crossed', () => {
    const text = textSummary(stopped, plan, []);
    expect(text).toContain(
      'THRESHOLDS: 1 kept (1 of them guards against empty populations), 1 crossed, 1 without samples',
    );
    const xml = summaryOf(stopped, plan, { JUNIT_XML: 'j' })['j'];
    expect(xml).toContain('tests="3" failures="1" errors="0" skipped="1"');
    expect(junitXml(stopped, 'x')).toContain('tests="3" failures="2" errors="0" skipped="0"');
  });
});

describe('a run that sent nothing', () => {
  const idle = data(
    {
      http_reqs: counter(1),
      'http_reqs{phase:measure}': { ...counter(0), thresholds: { 'count>0': { ok: false } } },
      'no_response{phase:measure}': { ...counter(0), thresholds: { 'count==0': { ok: true } } },
    },
    30,
  );
  it('has a short summary in which nothing is met', () => {
    const text = textSummary(idle, PLAN, ['head']);
    expect(text.trim().split('\n')).toHaveLength(2);
    expect(text).toContain('NOTHING WAS SENT');
    expect(text).not.toContain('met');
    expect(sessionRows(idle, PLAN)[0]).toMatchObject({ due: 0, unaccounted: 0 });
  });
  it('judges no objective in JUnit and is red all the same', () => {
    const xml = junitXml(idle, 'x');
    expect(xml).toContain('tests="1" failures="0" errors="1" skipped="0"');
    expect(xml.match(/<testcase /g)).toHaveLength(1);
    expect(xml).toContain('<error message="nothing was sent: no objective was judged"/>');
  });
  it('was asked unless PREFLIGHT=off', () => {
    const text = (env: Readonly<Record<string, string>>) => summaryOf(idle, PLAN, env)['stdout'];
    expect(text({})).toContain('the pre-flight did not get through');
    expect(text({})).not.toContain('not asked');
    expect(text({ PREFLIGHT: 'off' })).toContain('the target was not asked');
  });
});

describe('thresholds', () => {
  it('on percentiles say when the samples were too few, and how long a run earns them', () => {
    const key = `duration_2xx{name:${NAME},phase:measure}`;
    const judged = (n: number, ok = true) =>
      data({ [key]: { ...trend(n), thresholds: { 'p(99)<800': { ok }, 'med<9': { ok: true } } } });
    expect(textSummary(judged(1), PLAN, [])).toMatch(/kept .*p\(99\)<800 +was 123 +\(n=1, too few: needs 1000\)/);
    expect(textSummary(judged(1), PLAN, [])).toContain(
      '2 kept (0 of them guards against empty populations), 0 crossed, 1 of them on too few samples',
    );
    // 250 in ten seconds are 1000 in forty.
    expect(remarks(judged(250), PLAN).join()).toContain('the same load earns it with DURATION=40s');
    expect(junitXml(judged(250), 'x')).toMatch(/failures="0"[\s\S]*<system-out>n=250, too few: needs 1000/);
    expect(junitXml(judged(250, false), 'x')).toMatch(/<\/failure>\s*<system-out>/);
    expect(textSummary(judged(1000), PLAN, [])).not.toContain('too few');
    expect(remarks(judged(1000), PLAN)).toEqual([]);
  });

  const crossed = data({
    'm{name:a "b" <c>}': {
      type: 'trend',
      values: { 'p(95)': 400, max: 0 },
      thresholds: { 'p(95)<300': { ok: false }, 'max>0': { ok: false } },
    },
    n: { type: 'rate', values: { rate: 0, passes: 0, fails: 9 }, thresholds: { 'rate<0.01': { ok: true } } },
  });
  it('carry what was measured', () => {
    expect(thresholdRows(crossed)).toContainEqual({
      metric: 'm{name:a "b" <c>}',
      expression: 'p(95)<300',
      ok: false,
      actual: 400,
      seen: true,
    });
    expect(textSummary(crossed, PLAN, [])).toMatch(/1 kept .* 2 crossed/);
    expect(textSummary(crossed, PLAN, [])).toMatch(/CROSSED m\{name:a "b" <c>\} +max>0 +no samples/);
  });
  it('over an empty population are neither met nor given a value, although k6 calls them green', () => {
    const empty = data({
      t: { type: 'trend', values: { count: 0, 'p(95)': 0 }, thresholds: { 'p(95)<300': { ok: true } } },
      r: { type: 'rate', values: { rate: 0, passes: 0, fails: 0 }, thresholds: { 'rate>0.99': { ok: true } } },
      c: { ...counter(0), thresholds: { 'count==0': { ok: true } } },
    });
    const text = textSummary(empty, PLAN, []);
    expect(text).toMatch(/1 kept .* 0 crossed, 2 without samples to judge/);
    expect(text).toMatch(/unseen +t +p\(95\)<300 +no samples/);
    // What was kept is in the number alone.
    expect(text).not.toMatch(/count==0/);
    expect(junitXml(empty, 'x').match(/<skipped /g)).toHaveLength(2);
  });
  it("metrics of the suite's own have a line each, with n, and no percentile that is not earned", () => {
    const own = data({
      http_reqs: counter(9),
      duration_2xx: trend(9),
      'http_reqs{phase:measure}': counter(9),
      basket: trend(150),
      'basket{phase:measure}': trend(150),
      never: trend(0),
      coupon: { type: 'rate', values: { rate: 0.25, passes: 1, fails: 3 } },
      depth: { type: 'gauge', values: { value: 7, min: 1, max: 9 } },
      orders: counter(3),
    });
    const lines = textSummary(own, PLAN, [], { orders: { means: 'note', says: '{n}' } }).split('\n');
    const at = lines.indexOf('OWN METRICS, whole run');
    expect(lines.slice(at + 1, at + 4).map((line) => line.trim().replace(/ +/g, ' '))).toEqual([
      expect.stringMatching(/^basket median \S+ p90 \S+ max \S+ n=150$/),
      'coupon 25.0 % n=4',
      'depth 7',
    ]);
    expect(lines[at + 4]).toBe('');
  });
  it('become JUnit cases with everything escaped', () => {
    const xml = junitXml(crossed, 'x & \u0001y');
    expect(xml).toContain('tests="3" failures="2" errors="0" skipped="0" time="10.500"');
    expect(xml).toContain('classname="m{name:a &quot;b&quot; &lt;c&gt;}" name="p(95)&lt;300"');
    expect(xml).toContain('<failure message="crossed: was 400">');
    expect(xml).toContain('name="x &amp; \uFFFDy"');
    expect(xml.match(/<testcase /g)).toHaveLength(3);
  });
});

describe('a run whose sessions were all dropped', () => {
  it('is not one that sent nothing: it keeps its tables and says whose fault it was', () => {
    const none = { [`http_reqs{name:${NAME},phase:measure}`]: counter(0), iterations: counter(0) };
    expect(textSummary(data(none), PLAN, [])).toContain('NOTHING WAS SENT');
    const dropped = { ...none, dropped_iterations: counter(5), 'dropped_iterations{scenario:browse}': counter(5) };
    expect(textSummary(data(dropped), PLAN, [])).toMatch(/SESSIONS[\s\S]*the test, not the system, is at fault/);
  });
});
