import { describe, expect, it } from 'vitest';
import { logGamma } from '../../../../lib/model/log-gamma.ts';
import { rateInterval, wilson } from '../../../../tools/traffic/fit/intervals.ts';
import { nnls, solveLinear } from '../../../../tools/traffic/fit/nnls.ts';
import { nelderMead } from '../../../../tools/traffic/fit/optimise.ts';
import { chiSquareTail, gammaP } from '../../../../tools/traffic/fit/special.ts';

describe('special functions', { timeout: 120_000 }, () => {
  it('log gamma: factorials and the half', () => {
    expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 10);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(logGamma(0.25)).toBeCloseTo(1.2880225246980774, 11);
  });

  it('incomplete gamma: closed forms for shape 1 and 2', () => {
    for (const x of [0.01, 0.5, 1, 3, 20]) {
      expect(gammaP(1, x)).toBeCloseTo(1 - Math.exp(-x), 13);
      expect(gammaP(2, x)).toBeCloseTo(1 - (1 + x) * Math.exp(-x), 13);
    }
  });

  it('chi-square tail: the 5 % points of the tables', () => {
    for (const [x, df] of [
      [3.841, 1],
      [5.991, 2],
      [18.307, 10],
      [124.342, 100],
    ] as const) {
      expect(chiSquareTail(x, df)).toBeCloseTo(0.05, 4);
    }
  });
});

describe('intervals', { timeout: 120_000 }, () => {
  it("Wilson's interval of 1 in 10 is the published 1.8 % to 40.4 %", () => {
    const [low, high] = wilson(1, 10);
    expect(low).toBeCloseTo(0.0179, 3);
    expect(high).toBeCloseTo(0.4042, 3);
  });

  it('a rate of 100 events is near the exact Poisson limits 81.4 and 121.6', () => {
    const [low, high] = rateInterval(100, 1);
    expect(low).toBeCloseTo(81.4, 0);
    expect(high).toBeCloseTo(121.6, 0);
  });
});

describe('solvers', { timeout: 120_000 }, () => {
  it('NNLS gives the solution when it is positive and holds the rest at zero when it is not', () => {
    const a = [
      [1, 0],
      [1, 1],
      [0, 2],
    ];
    expect(nnls(a, [2, 5, 6]).x.map((v) => Math.round(v * 1e9) / 1e9)).toEqual([2, 3]);
    // Unconstrained the second would be negative; alone the first is (1*2 + 1*1) / 2.
    const held = nnls(a, [2, 1, -1]);
    expect(held.x[0]).toBeCloseTo(1.5, 9);
    expect(held.x[1]).toBe(0);
    expect(held.separation).toBeGreaterThan(0.1);
  });

  it('NNLS says when columns are the same', () => {
    expect(
      nnls(
        [
          [1, 2],
          [2, 4],
          [3, 6],
        ],
        [1, 2, 3],
      ).separation,
    ).toBeLessThan(1e-9);
    expect(
      solveLinear(
        [
          [1, 2],
          [2, 4],
        ],
        [1, 2],
      ),
    ).toBeUndefined();
  });

  it('Nelder-Mead finds the maximum of a bent valley (Rosenbrock) at (1, 1)', () => {
    const f = ([x = 0, y = 0]: readonly number[]): number => -((1 - x) ** 2) - 100 * (y - x * x) ** 2;
    const { x } = nelderMead(f, [-1.2, 1], [0.5, 0.5], 1e-14);
    expect(x[0]).toBeCloseTo(1, 4);
    expect(x[1]).toBeCloseTo(1, 4);
  });
});
