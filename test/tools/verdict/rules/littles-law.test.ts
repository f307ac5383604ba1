/** The reasons that Little's law is given, and those for which nothing is said. */
import { expect, it } from 'vitest';
import type { Facts } from '../../../../tools/verdict/facts.ts';
import { judge } from '../../../../tools/verdict/judge.ts';
import { limitsOf } from '../../../../tools/verdict/limits.ts';
import { loadFromOptions } from '../../../../tools/verdict/planned-load.ts';
import { healthy } from './facts.ts';

/** 20 sessions a second of 3 s keep 60 VUs busy. */
const busy = (facts: Facts, value: number, options: Readonly<Record<string, unknown>> = {}): Facts => {
  const { minIterationSeconds, rps } = loadFromOptions({ scenarios: {}, ...options }, 'options.json');
  if (facts.plan === undefined) throw new Error('no plan');
  const plan = {
    ...facts.plan,
    ...(minIterationSeconds === undefined ? {} : { minIterationSeconds }),
    ...(rps === undefined ? {} : { rps }),
  };
  return { ...facts, plan, vus: facts.vus.map((point) => ({ ...point, value })) };
};
const said = (facts: Facts) => {
  const { reasons, notJudged } = judge(facts, limitsOf());
  const found = reasons.find(({ rule }) => rule === 'littles-law');
  return {
    message: found?.message,
    remedy: found?.remedy,
    why: notJudged.find(({ rule }) => rule === 'littles-law')?.why,
  };
};

it('minIterationDuration holds VUs longer than the iteration lasts', () => {
  expect(said(busy(healthy(), 120)).message).toContain('120 VUs were busy');
  // 20 a second held for 6 s are 120.
  expect(said(busy(healthy(), 120, { minIterationDuration: '6s' }))).toEqual({});
  // Shorter than the session it holds nothing.
  expect(said(busy(healthy(), 120, { minIterationDuration: '2s' })).message).toContain('says 60');
});

it('rps is the cause where it is set', () => {
  expect(said(busy(healthy(), 120, { rps: 30 }))).toMatchObject({
    message: expect.stringContaining('the option rps (30) makes requests wait'),
    remedy: expect.stringContaining('leave rps away'),
  });
  expect(said(busy(healthy(), 60, { rps: 300 }))).toEqual({});
});

it.each([
  [
    'one after the other',
    [
      [0, 100],
      [100, 200],
      [200, 300],
    ],
    'the scenarios ran one after the other',
  ],
  [
    'three at once, one of them shorter',
    [
      [0, 300],
      [0, 300],
      [0, 100],
    ],
    'the scenarios ran together only during 100 of 300 s',
  ],
  [
    'overlapping',
    [
      [0, 200],
      [150, 300],
    ],
    'the scenarios ran together only during 50 of 300 s',
  ],
] as const)('scenarios %s', (_, times, why) => {
  const facts = healthy();
  const [first] = facts.scenarios;
  if (first === undefined) throw new Error('no scenario');
  const scenarios = times.map(([firstSecond, lastSecond], i) => ({ ...first, name: `s${i}`, firstSecond, lastSecond }));
  expect(said({ ...facts, scenarios }).why).toBe(why);
});
