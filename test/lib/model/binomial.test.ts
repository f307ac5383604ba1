import { describe, expect, it } from 'vitest';
import { binomial } from '../../../lib/model/binomial.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { chiSquareTest, lnGamma } from '../../support/statistics.ts';

/** Exact probabilities of 0..n. */
const law = (n: number, p: number) =>
  Array.from({ length: n + 1 }, (_, k) =>
    Math.exp(lnGamma(n + 1) - lnGamma(k + 1) - lnGamma(n - k + 1) + k * Math.log(p) + (n - k) * Math.log1p(-p)),
  );

describe('binomial numbers', () => {
  it.each([
    [5, 0.5],
    [29, 1 / 3],
    [30, 1 / 3],
    [31, 0.5],
    [40, 0.9],
    [1000, 0.004],
    [1000, 0.45],
    [20_000, 0.5],
  ])('n = %d, p = %d: chi-square against the exact law', (n, p) => {
    const draws = 20_000;
    const random = sessionRandom(hashSeed(`binomial/${n}/${p}`), 0);
    const exact = law(n, p);
    // Outcomes that are expected less than 20 times are pooled with their neighbours.
    const cellOf = new Int32Array(n + 1);
    const cells = [0];
    exact.forEach((q, k) => {
      if ((cells.at(-1) as number) * draws >= 20 && exact.slice(k).reduce((a, b) => a + b, 0) * draws >= 20)
        cells.push(0);
      cellOf[k] = cells.length - 1;
      cells[cells.length - 1] = (cells.at(-1) as number) + q;
    });
    const seen = new Float64Array(cells.length);
    for (let i = 0; i < draws; i++) {
      const cell = cellOf[binomial(n, p, random)] as number;
      seen[cell] = (seen[cell] as number) + 1;
    }
    expect(chiSquareTest(seen, (cell) => cells[cell] as number).p).toBeGreaterThan(0.001);
  });

  it('of 60 thousand million: mean and variance', () => {
    const [n, p, draws] = [6e10, 0.5, 4_000];
    const random = sessionRandom(7, 0);
    const z = Array.from({ length: draws }, () => (binomial(n, p, random) - n * p) / Math.sqrt(n * p * (1 - p)));
    const mean = z.reduce((a, b) => a + b, 0) / draws;
    const variance = z.reduce((a, b) => a + b * b, 0) / draws;
    // Four standard errors: 1 / sqrt(draws) and sqrt(2 / draws).
    expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(draws));
    expect(Math.abs(variance - 1)).toBeLessThan(4 * Math.sqrt(2 / draws));
  });

  it('certainties', () => {
    const random = sessionRandom(1, 0);
    expect([binomial(0, 0.5, random), binomial(9, 0, random), binomial(9, 1, random)]).toEqual([0, 0, 9]);
  });
});
