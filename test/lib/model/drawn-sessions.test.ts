import { describe, expect, it } from 'vitest';
import { type DrawnFlow, stratum } from '../../../lib/model/drawn-sessions.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { runOptions, sessionOf, stagePieces } from '../../../lib/sampling.ts';

const FIXED: DrawnFlow = {
  name: 'fixed',
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
  name: 'chain',
  thinkTimes: { '*->*': { law: 'fixed', value: 1 } },
  sessions: { forms: [], chain: { starts: { a: 1 }, next: { a: { b: 1 }, b: { b: 0.9 } } } },
};

function run(flows: readonly DrawnFlow[], shares: readonly number[], n: number, seed = 's') {
  return {
    pieces: [{ seconds: n / 10, rate: 10 }],
    process: 'poisson' as const,
    seed,
    shares,
    flowAt: (i: number) => flows[i] as DrawnFlow,
    think: 1,
    latencySeconds: 1,
    timeoutSeconds: 60,
  };
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

  it('have flows and forms as often as is due, and are the same again', () => {
    const load = run([FIXED, CHAIN], [0.7, 0.3], 200);
    const sessions = Array.from({ length: 200 }, (_, i) => sessionOf(load, i));
    const fixed = sessions.filter(({ flow }) => flow === 'fixed');
    expect(fixed).toHaveLength(140);
    expect(fixed.filter(({ steps }) => steps.length === 2)).toHaveLength(105);
    expect(sessionOf(load, 17).steps).toEqual(sessions[17]?.steps);
    expect(fixed.find(({ steps }) => steps.length === 2)?.waits).toEqual([0, 63]);
  });

  it('of a chain have the length and the spread of the law that it is', () => {
    const n = 20_000;
    const load = run([CHAIN], [1], n);
    const lengths = Array.from({ length: n }, (_, i) => sessionOf(load, i).steps.length - 1);
    const mean = lengths.reduce((sum, x) => sum + x, 0) / n;
    const variance = lengths.reduce((sum, x) => sum + (x - mean) ** 2, 0) / n;
    // Geometric with q = 0.1: mean 1/q, variance (1 - q)/q^2, P(one b) = q. Four standard errors of independent draws.
    expect(Math.abs(mean - 10)).toBeLessThan(4 * Math.sqrt(90 / n));
    expect(Math.abs(variance / 90 - 1)).toBeLessThan(0.1);
    expect(Math.abs(lengths.filter((x) => x === 1).length / n - 0.1)).toBeLessThan(4 * Math.sqrt(0.09 / n));
  });

  it('of a chain scatter less from run to run than independent ones', () => {
    const means = Array.from({ length: 60 }, (_, seed) => {
      const load = run([CHAIN], [1], 200, String(seed));
      return Array.from({ length: 200 }, (_, i) => sessionOf(load, i).steps.length).reduce((a, b) => a + b, 0) / 200;
    });
    const mean = means.reduce((sum, x) => sum + x, 0) / means.length;
    const variance = means.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (means.length - 1);
    expect(variance).toBeLessThan(0.7 * (90 / 200));
  });
});

describe('the run', () => {
  it('waits for its longest session', () => {
    const { gracefulStop } = runOptions(run([FIXED], [1], 100)) as { gracefulStop: string };
    // 63 s of thinking, two requests of 60 s each at most, and the shift of Poisson arrivals.
    expect(Number.parseFloat(gracefulStop)).toBeGreaterThanOrEqual(183);
    expect(Number.parseFloat(gracefulStop)).toBeLessThan(190);
  });

  it('follows stages, in their time or another one', () => {
    const stages = [
      { duration: '100s', target: 1 },
      { duration: '100s', target: 0 },
      { duration: '100s', target: 3 },
    ];
    expect(stagePieces(stages)).toEqual(stages.map(({ target }) => ({ seconds: 100, rate: target })));
    const pieces = stagePieces(stages, 30, 40);
    expect(pieces.map(({ rate }) => rate)).toEqual([30, 0, 90]);
    const {
      stages: made,
      timeUnit,
      startRate,
    } = runOptions({ ...run([FIXED], [1], 1), pieces }) as {
      stages: { target: number; duration: string }[];
      timeUnit: string;
      startRate: number;
    };
    // k6 goes from target to target in a straight line; jumps last no time.
    const unit = Number.parseFloat(timeUnit) / 1000;
    const thirds = [0, 0, 0];
    let [at, rate] = [0, startRate];
    for (const { target, duration } of made) {
      const seconds = Number.parseFloat(duration) / 1000;
      const third = Math.min(2, Math.floor((at + seconds / 2) / (29.8 / 3)));
      thirds[third] = (thirds[third] as number) + (((rate + target) / 2) * seconds) / unit;
      [at, rate] = [at + seconds, target];
    }
    expect(at).toBeCloseTo(30, 3);
    // 300 + 0 + 900 sessions, given their sum; five standard deviations of a binomial number.
    expect(Math.abs((thirds[0] as number) - 300)).toBeLessThan(5 * Math.sqrt(1200 * 0.25 * 0.75) + 5);
    expect(thirds[1]).toBeLessThan(6);
    expect(thirds.reduce((a, b) => a + b, 0)).toBeGreaterThan(1199);
  });
});
