/** Each rule on facts with one thing broken: it fires with the severity that its limits ask for, and the rest stays silent. */
import { describe, expect, it } from 'vitest';
import { judge, RULES } from '../../../../tools/verdict/judge.ts';
import { DEFAULT_VALIDITY, limitsOf } from '../../../../tools/verdict/limits.ts';
import { redact } from '../../../../tools/verdict/redact.ts';
import { itemOf } from '../../../../tools/verdict/rules/popularity-collapse.ts';
import { withSuite } from '../../../../tools/verdict/run-folder.ts';
import { ran } from './breakage.ts';
import { BROKEN_LOAD } from './broken-load.ts';
import { BROKEN_RESULTS } from './broken-results.ts';
import { healthy } from './facts.ts';

const limits = limitsOf();

const BREAKAGES = [...BROKEN_LOAD, ...BROKEN_RESULTS];

it('popularity is judged also of a suite none of whose pools follows the workload', () => {
  const isJudged = (suite: Readonly<Record<string, unknown>>) => {
    const run = withSuite(undefined, { popularity: null, ...suite });
    return judge({ ...healthy(), ...(run !== undefined && { run }) }, limits).fine.includes('popularity-collapse');
  };
  expect(
    isJudged({
      pools: [
        { name: 'tenants', rows: 3, law: { law: 'single' } },
        { name: 'keys', rows: 9, law: 'once' },
      ],
    }),
  ).toBe(true);
  expect(isJudged({ pools: [] })).toBe(true);
  expect(isJudged({})).toBe(false);
});

describe('rules', () => {
  it('say nothing of a healthy run, and all are judged', () => {
    const verdict = judge(healthy(), limits);
    expect(verdict.reasons).toEqual([]);
    expect(verdict.notJudged).toEqual([]);
    expect(verdict.status).toBe('VALID');
  });

  it.each(BREAKAGES.map(([rule, severity, what, broken]) => ({ rule, severity, what, broken })))(
    '$rule ($severity): $what',
    ({ rule, severity, broken }) => {
      const facts = healthy();
      const verdict = judge({ ...facts, ...broken(facts) }, limits);
      const own = verdict.reasons.filter((reason) => reason.rule === rule);
      expect(own.length).toBeGreaterThan(0);
      expect(own[0]?.severity).toBe(severity);
      expect(own[0]?.remedy.length).toBeGreaterThan(10);
      expect(own[0]?.limit.length).toBeGreaterThan(3);
      if (severity === 'invalid') expect(verdict.status).toBe('INVALID');
      if (severity === 'suspect') expect(verdict.status).not.toBe('VALID');
    },
  );

  it('each has a breakage here and its limits, reason and source as data', () => {
    const broken = new Set(BREAKAGES.map(([rule]) => rule));
    expect(RULES.map((rule) => rule.id).filter((id) => !broken.has(id))).toEqual([]);
    expect(Object.keys(DEFAULT_VALIDITY.rules).sort()).toEqual(RULES.map((rule) => rule.id).sort());
  });

  it('without plan, manifest or log say what they miss instead of guessing', () => {
    const { plan: _plan, run: _run, log: _log, ...facts } = healthy();
    const verdict = judge(facts, limits);
    expect(verdict.status).toBe('UNPROVEN');
    // Every rule that could have made it INVALID and lacks a fact that can be given is named by what is missing.
    expect(verdict.missing.flatMap((one) => one.rules)).toEqual(
      expect.arrayContaining([
        'run-ended',
        'stopped-early',
        'rate-achieved',
        'accounting',
        'options-ignored',
        'samples-whole',
      ]),
    );
    for (const { bring } of verdict.missing) expect(bring).toMatch(/^--(log|plan)/);
    expect(verdict.notJudged.map((one) => one.rule)).toEqual(
      expect.arrayContaining(['vu-ceiling', 'rate-achieved', 'generator-cpu', 'options-ignored', 'same-host']),
    );
    for (const { why } of verdict.notJudged) expect(why.length).toBeGreaterThan(15);
  });

  it('201 of 200 iterations is the tick at 0, not a finding', () => {
    const facts = healthy();
    const scenarios = facts.scenarios.map((one) => ({ ...one, finished: one.finished + 1 }));
    expect(judge({ ...facts, scenarios }, limits).reasons).toEqual([]);
  });
});

describe('CPU of the generator', () => {
  /** Watched once a second from four seconds before the load on; busy in the seconds given. */
  const judged = (busy: readonly number[], loadSeconds = 20) => {
    const facts = healthy();
    const from = facts.window.startMs;
    const seconds = Array.from({ length: 30 }, (_, i) => i - 4);
    const cpuCores = seconds.map((second) => (busy.includes(second) ? 2 : 0.2));
    const timeMs = seconds.map((second) => from + 500 + second * 1000);
    const generator = { cores: 2, memoryBytes: 8e9, timeMs, cpuCores, machineCores: cpuCores, rssBytes: [1] };
    const window = { ...facts.window, loadFromMs: from, loadToMs: from + loadSeconds * 1000 };
    const verdict = judge({ ...facts, window, run: ran(facts, { generator }) }, limits);
    const own = (found: readonly { rule: string }[]) => found.filter(({ rule }) => rule === 'generator-cpu');
    return { reasons: own(verdict.reasons), notJudged: own(verdict.notJudged) };
  };

  it('counts while load is sent, not while VUs start or results are written', () => {
    const idle = { reasons: [], notJudged: [] };
    expect(judged([-4, -3, -2, -1, 0, 20, 21, 22, 23, 24])).toEqual(idle);
    expect(judged([5])).toEqual(idle);
    expect(judged([5, 6]).reasons).toMatchObject([{ severity: 'invalid', numbers: { timeAbove: 2 / 19 } }]);
  });

  it('is not judged by load of two seconds', () => {
    const { reasons, notJudged } = judged([0, 1, 2], 3);
    expect(reasons).toEqual([]);
    expect(notJudged).toMatchObject([{ why: "load was sent during 2 samples of the generator's CPU; it takes 3" }]);
  });
});

describe('helpers of rules', () => {
  it('an item is a number or a GUID at the end of the path', () => {
    expect([
      itemOf('GET /books/9781234567897'),
      itemOf('/carts/0f8fad5b-d9cb-469f-a165-70867728950e?x=1'),
      itemOf('GET /books/{isbn}'),
      itemOf('search'),
    ]).toEqual(['9781234567897', '0f8fad5b-d9cb-469f-a165-70867728950e', undefined, undefined]);
  });

  it('query values are hidden, templates stay', () => {
    expect(redact('GET /a?token=abc&q=1#x')).toBe('GET /a?token=…&q=…#x');
    expect(redact('GET /api/books?search=')).toBe('GET /api/books?search=');
    expect(redact('GET /a?id={id}')).toBe('GET /a?id={id}');
  });
});
