import { describe, expect, it } from 'vitest';
import { drawDelay } from '../../../bookstore/faults/delay.ts';
import type { DelayLaw } from '../../../bookstore/faults/schema.ts';

/** Equally spaced points of [0,1): the mean over them is the midpoint rule for the law's quantile function. */
function draws(law: DelayLaw, n = 20_000): number[] {
  const values: number[] = [];
  for (let i = 0; i < n; i++) values.push(drawDelay(law, 0, () => (i + 0.5) / n));
  return values;
}
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('delay laws', () => {
  it('fixed and uniform', () => {
    expect(drawDelay({ law: 'fixed', ms: 40 }, 0, () => 0.9)).toBe(40);
    const uniform = draws({ law: 'uniform', minMs: 100, maxMs: 300 });
    expect(mean(uniform)).toBeCloseTo(200, 6);
    expect([Math.min(...uniform), Math.max(...uniform)]).toEqual([expect.closeTo(100, 1), expect.closeTo(300, 1)]);
  });

  it('exponential has its mean, and the mean of its cut form is m(1 - e^(-c/m))', () => {
    expect(mean(draws({ law: 'exponential', meanMs: 50 }))).toBeCloseTo(50, 1);
    // E[min(X, c)] = m (1 - e^(-c/m)); at c = m that is 50 (1 - 1/e) = 31.606.
    expect(mean(draws({ law: 'exponential', meanMs: 50, capMs: 50 }))).toBeCloseTo(50 * (1 - Math.exp(-1)), 2);
  });

  it('lognormal has its median and sigma', () => {
    // Two independent halton sequences (bases 2 and 3) for the two uniforms of a normal variate.
    const halton = (index: number, base: number): number => {
      let result = 0;
      for (let f = 1 / base, i = index; i > 0; i = Math.floor(i / base), f /= base) result += f * (i % base);
      return result;
    };
    const logs: number[] = [];
    for (let i = 1; i <= 20_000; i++) {
      const uniforms = [halton(i, 2), halton(i, 3)];
      logs.push(Math.log(drawDelay({ law: 'lognormal', medianMs: 80, sigma: 0.5 }, 0, () => uniforms.shift() ?? 0)));
    }
    expect(Math.exp(mean(logs))).toBeCloseTo(80, 0);
    expect(Math.sqrt(mean(logs.map((value) => (value - Math.log(80)) ** 2)))).toBeCloseTo(0.5, 2);
  });

  it('a ramp rises in a straight line and then stays', () => {
    const law: DelayLaw = { law: 'ramp', fromMs: 10, toMs: 110, overSeconds: 20 };
    expect([0, 5_000, 20_000, 60_000].map((ms) => drawDelay(law, ms, () => 0.5))).toEqual([10, 35, 110, 110]);
  });
});
