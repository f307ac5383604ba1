import { describe, expect, it } from 'vitest';
import { type DrawnFlow, type DrawnThink, drawnRows } from '../../../lib/model/drawn-rows.ts';
import { drawSteps, stratum } from '../../../lib/model/drawn-sessions.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';

const FORMS: DrawnFlow = {
  thinkTimes: { 'a->b': { law: 'fixed', value: 63 } },
  sessions: {
    forms: [
      { share: 0.75, steps: ['a', 'b'] },
      { share: 0.25, steps: ['a'] },
    ],
  },
};
/** a, then b again and again: 1 + 1/q requests on average, each further b with chance 1 - q. */
const CHAIN: DrawnFlow = {
  thinkTimes: { '*->*': { law: 'uniform', min: 1, max: 3 } },
  sessions: { forms: [], chain: { starts: { a: 1 }, next: { a: { b: 1 }, b: { b: 0.9 } } } },
};
/** A third of the sessions in a form, the others as the chain has it. */
const BOTH: DrawnFlow = {
  thinkTimes: { 'a->b': { law: 'fixed', value: 5 } },
  sessions: { forms: [{ share: 1 / 3, steps: ['c'] }], chain: CHAIN.sessions.chain },
} as DrawnFlow;

/** Sessions of a run as they are drawn from rows that were written as JSON. */
function sessionsOf(flow: DrawnFlow, n: number, seed = 's') {
  const rows = JSON.parse(JSON.stringify(drawnRows(flow))) as unknown[];
  const base = hashSeed(seed);
  return Array.from({ length: n }, (_, i) => {
    const { steps, thinks } = drawSteps({ row: (place) => rows[place], n, base }, i, sessionRandom(base, i));
    return { steps, laws: thinks.map((place) => (place === 0 ? undefined : (rows[place] as DrawnThink))) };
  });
}

describe('sessions of a run', () => {
  it('each stand in a part of [0, 1) of their own', () => {
    for (const n of [1, 2, 7, 64, 1000]) {
      const random = sessionRandom(hashSeed('x'), 0);
      const parts = Array.from({ length: n }, (_, i) => Math.floor(stratum(i, n, hashSeed('base'), random) * n));
      expect(new Set(parts).size).toBe(n);
      // Not in their own order.
      if (n === 1000) expect(parts.filter((part, i) => Math.abs(part - i) < 10).length).toBeLessThan(60);
    }
  });

  it('have each form as often as is due, and are the same again', () => {
    const sessions = sessionsOf(FORMS, 200);
    expect(sessions.filter(({ steps }) => steps.length === 2)).toHaveLength(150);
    expect(sessionsOf(FORMS, 200)).toEqual(sessions);
    expect(sessionsOf(FORMS, 200, 'other')).not.toEqual(sessions);
    const both = sessionsOf(BOTH, 300);
    expect(both.filter(({ steps }) => steps[0] === 'c')).toHaveLength(100);
  });

  it('beyond those that were planned have the same shares', () => {
    const rows = drawnRows(FORMS);
    const base = hashSeed('more');
    let long = 0;
    for (let i = 0; i < 4000; i++) {
      const { steps } = drawSteps({ row: (place) => rows[place], n: 0, base }, i, sessionRandom(base, i));
      if (steps.length === 2) long++;
    }
    // Four standard errors of a binomial share.
    expect(Math.abs(long / 4000 - 0.75)).toBeLessThan(4 * Math.sqrt((0.75 * 0.25) / 4000));
  });

  it('think by the law of their pair of steps, by that of all others, or not at all', () => {
    const [form] = sessionsOf(FORMS, 8).filter(({ steps }) => steps.length === 2);
    expect(form?.laws).toEqual([{ law: { law: 'fixed', value: 63 }, mean: 63 }]);
    const any = { law: { law: 'uniform', min: 1, max: 3 }, mean: 2 };
    for (const { steps, laws } of sessionsOf(CHAIN, 20)) expect(laws).toEqual(steps.slice(1).map(() => any));
    const [chained] = sessionsOf(BOTH, 60).filter(({ steps }) => steps.length > 2);
    expect(chained?.laws.map((one) => one?.mean)).toEqual([
      5,
      ...new Array((chained?.steps.length ?? 2) - 2).fill(undefined),
    ]);
  });

  it('of a chain have the length and the spread of the law that it is', () => {
    const n = 20_000;
    const lengths = sessionsOf(CHAIN, n).map(({ steps }) => steps.length - 1);
    const mean = lengths.reduce((sum, x) => sum + x, 0) / n;
    const variance = lengths.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n;
    // Geometric with q = 0.1: mean 1/q, variance (1 - q)/q^2, P(one b) = q. Four standard errors of independent draws.
    expect(Math.abs(mean - 10)).toBeLessThan(4 * Math.sqrt(90 / n));
    expect(Math.abs(variance / 90 - 1)).toBeLessThan(0.1);
    expect(Math.abs(lengths.filter((x) => x === 1).length / n - 0.1)).toBeLessThan(4 * Math.sqrt(0.09 / n));
  });

  it('of a chain scatter less from run to run than independent ones', () => {
    const means = Array.from({ length: 60 }, (_, seed) => {
      return sessionsOf(CHAIN, 200, String(seed)).reduce((sum, { steps }) => sum + steps.length, 0) / 200;
    });
    const mean = means.reduce((sum, x) => sum + x, 0) / means.length;
    const variance = means.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (means.length - 1);
    expect(variance).toBeLessThan(0.7 * (90 / 200));
  });
});
