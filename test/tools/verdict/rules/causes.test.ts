/** A run that ended badly gives one cause, with a remedy that its reader can follow. */
import { expect, it } from 'vitest';
import { exitMeaningLater, K6_EXIT_CODES } from '../../../../lib/k6/exit-codes.ts';
import type { Facts } from '../../../../tools/verdict/facts.ts';
import { judge } from '../../../../tools/verdict/judge.ts';
import { limitsOf } from '../../../../tools/verdict/limits.ts';
import { baseLog, ran } from './breakage.ts';
import { healthy } from './facts.ts';

/** Killed before the first session: nothing but the plan, and an objective on a count, which is crossed. */
function nothing(exitCode: number): Facts {
  const facts = healthy();
  return {
    ...facts,
    run: ran(facts, { exitCode }),
    window: { startMs: 0, endMs: 0, seconds: 0 },
    requests: { ...facts.requests, n: 0, failed: 0, statuses: [] },
    endpoints: [],
    populations: [],
    scenarios: [],
    iterations: { finished: 0, dropped: 0 },
    seconds: [],
    bins: [],
    vus: [],
    objectives: [
      { key: 'http_reqs', expression: 'count>0', outcome: 'crossed', limit: 0, n: 0, value: 0 },
      { key: 'http_req_duration', expression: 'p(95)<1', outcome: 'no samples', limit: 1, n: 0, why: 'nothing' },
    ],
  };
}

/** Everything that is said, in one string. */
const said = (facts: Facts) => {
  const { reasons } = judge(facts, limitsOf());
  return {
    rules: [...new Set(reasons.filter(({ severity }) => severity !== 'note').map(({ rule }) => rule))],
    text: JSON.stringify(reasons),
  };
};

it('a killed run says that it measured nothing and how it ended, and none of what follows from that', () => {
  const { rules, text } = said(nothing(141));
  expect(rules).toEqual(['nothing-measured', 'run-ended']);
  expect(text).not.toMatch(/abortOnFail|mend what the message says/);
  const { notJudged, status } = judge(nothing(141), limitsOf());
  expect(status).toBe('INVALID');
  for (const rule of ['stopped-early', 'rate-achieved', 'accounting', 'threshold-without-samples'])
    expect(notJudged).toContainEqual({ rule, why: expect.stringContaining('follows from nothing-measured') });
});

it('does not call thresholds green beside crossed ones', () => {
  expect(said(nothing(141)).text).not.toContain('green');
  const uncrossed = nothing(107);
  expect(said({ ...uncrossed, objectives: uncrossed.objectives.slice(1) }).text).toContain('green');
});

it.each([
  [105, undefined, /let the run come to its end/, /abortOnFail/],
  [99, undefined, /drop abortOnFail/, /said beside this/],
])('a run stopped early with exit code %i gets the remedy of that', (exitCode, _, remedy, never) => {
  const facts = healthy();
  const reasons = judge(
    { ...facts, run: ran(facts, { exitCode }), window: { ...facts.window, seconds: 60 } },
    limitsOf(),
  ).reasons;
  const early = reasons.find(({ rule }) => rule === 'stopped-early');
  expect(early?.remedy).toMatch(remedy);
  expect(early?.remedy).not.toMatch(never);
});

it('no share of what was planned is above all of it, whatever the plan', () => {
  for (const iterations of [0.6, 1.5, 360.5, 720.51, 2520.9]) {
    const facts = nothing(0);
    const [scenario] = facts.plan?.scenarios ?? [];
    if (facts.plan === undefined || scenario === undefined) throw new Error('no plan');
    const plan = { ...facts.plan, scenarios: [{ ...scenario, iterations }] };
    // Sessions of another scenario, so that something was measured and nothing is folded.
    const other = { ...facts, plan, iterations: { finished: 1, dropped: 0 }, window: healthy().window };
    const found = judge(other, limitsOf()).reasons.filter(({ rule }) => rule === 'accounting');
    for (const { numbers, message } of found) {
      expect(numbers['share']).toBeLessThanOrEqual(1);
      expect(message).not.toMatch(/\(1\d\d\.\d %\)/);
    }
    if (iterations > 100) expect(found).toHaveLength(1);
  }
});

it('what k6 printed is not said to stand above for those who read later: it is quoted, or its file named', () => {
  for (const code of Object.keys(K6_EXIT_CODES).map(Number)) {
    for (const [quote, log] of [
      ['pre-flight: no such book.', 'r/k6.log'],
      [undefined, 'r/k6.log'],
      [undefined, undefined],
    ] as const) {
      const meaning = exitMeaningLater(code, quote, log);
      expect(meaning).not.toMatch(/above/);
      if (/above/.test(K6_EXIT_CODES[code] ?? '')) expect(meaning).toContain(quote?.slice(0, -1) ?? log ?? 'not here');
    }
  }
  const log = {
    ...baseLog,
    path: 'r/k6.log',
    lines: 3,
    endedBy: 'test aborted: no details endpoint at setup (file://x.js:1:1)',
  };
  expect(said({ ...nothing(108), log }).text).toContain('no details endpoint');
});

it('one worker of several says that the others are missing, and is a valid test of its part', () => {
  const facts = healthy();
  if (facts.plan === undefined) throw new Error('no plan');
  const { status, reasons } = judge({ ...facts, plan: { ...facts.plan, segment: 0.5 } }, limitsOf());
  expect(status).toBe('VALID');
  expect(reasons.find(({ rule }) => rule === 'workers')?.message).toMatch(
    /50 % of the run: the other segments are not here/,
  );
  expect(judge(facts, limitsOf()).reasons.map(({ rule }) => rule)).not.toContain('workers');
});
