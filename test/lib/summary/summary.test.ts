import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../lib/plan.ts';
import { junitXml } from '../../../lib/summary/junit.ts';
import { populationsOf, type SummaryData, sessionRows, thresholdRows } from '../../../lib/summary/populations.ts';
import { remarks, samplesNeeded, textSummary } from '../../../lib/summary/text.ts';

const NAME = 'GET /api/books/{isbn}';
const PLAN = {
  spec: { name: 'test', flows: {} },
  scope: { endpoints: [NAME], flows: ['browse'], scenarios: ['browse'], narrowed: true, warmsUp: false },
  scenarios: [{ name: 'browse', flow: 'browse', phase: 'measure', sessions: 100, rate: 10, seconds: 10 }],
} as unknown as Plan;

function data(metrics: SummaryData['metrics']): SummaryData {
  return { metrics, state: { testRunDurationMs: 1500 } };
}
const trend = (count: number) => ({
  type: 'trend',
  values: { count, avg: 2, med: 1.5, 'p(90)': 3, 'p(95)': 4.25, 'p(99)': 123.4, max: 200 },
});
const counter = (count: number) => ({ type: 'counter', values: { count } });

describe('percentiles', () => {
  it('need ten samples beyond them', () => {
    expect(samplesNeeded('p(90)')).toBe(100);
    expect(samplesNeeded('p(95)')).toBe(200);
    expect(samplesNeeded('p(99)')).toBe(1000);
    expect(samplesNeeded('p(99.9)')).toBe(10_000);
  });

  it('are printed beside n, or refused with the n they need', () => {
    const key = `duration_2xx{name:${NAME},phase:measure}`;
    const line = (n: number) =>
      textSummary(data({ [key]: trend(n), iterations: counter(n) }), PLAN, [])
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

describe('a run that ended before any load', () => {
  it('says so and shows no empty tables', () => {
    const text = textSummary(data({ http_reqs: counter(1) }), PLAN, ['head']);
    expect(text.trim().split('\n\n')).toEqual([
      'head',
      'Nothing was measured: the run ended before any load was sent.',
    ]);
  });
  it('is not one whose sessions were all dropped', () => {
    expect(textSummary(data({ 'dropped_iterations{scenario:browse}': counter(5) }), PLAN, [])).toContain('SESSIONS');
  });
});

describe('thresholds', () => {
  const crossed = data({
    'm{name:a "b" <c>}': {
      type: 'trend',
      values: { 'p(95)': 400, max: 0 },
      thresholds: { 'p(95)<300': { ok: false }, 'max>0': { ok: false } },
    },
    iterations: counter(1),
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
    expect(textSummary(crossed, PLAN, [])).toMatch(/1 met .* 2 crossed/);
    expect(textSummary(crossed, PLAN, [])).toMatch(/CROSSED m\{name:a "b" <c>\} +max>0 +no samples/);
  });
  it('over an empty population are neither met nor given a value, although k6 calls them green', () => {
    const empty = data({
      t: { type: 'trend', values: { count: 0, 'p(95)': 0 }, thresholds: { 'p(95)<300': { ok: true } } },
      r: { type: 'rate', values: { rate: 0, passes: 0, fails: 0 }, thresholds: { 'rate>0.99': { ok: true } } },
      c: { ...counter(0), thresholds: { 'count==0': { ok: true } } },
      iterations: counter(1),
    });
    const text = textSummary(empty, PLAN, []);
    expect(text).toMatch(/1 met .* 0 crossed, 2 without samples to judge/);
    expect(text).toMatch(/unseen +t +p\(95\)<300 +no samples/);
    expect(text).toMatch(/ok +c +count==0 +was 0/);
    expect(junitXml(empty, 'x').match(/<skipped /g)).toHaveLength(2);
  });
  it('become JUnit cases with everything escaped', () => {
    const xml = junitXml(crossed, 'x & \u0001y');
    expect(xml).toContain('tests="3" failures="2" skipped="0" time="1.500"');
    expect(xml).toContain('classname="m{name:a &quot;b&quot; &lt;c&gt;}" name="p(95)&lt;300"');
    expect(xml).toContain('<failure message="crossed: was 400">');
    expect(xml).toContain('name="x &amp; \uFFFDy"');
    expect(xml.match(/<testcase /g)).toHaveLength(3);
  });
});
