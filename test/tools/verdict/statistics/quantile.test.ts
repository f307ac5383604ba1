/** Quantiles and intervals against closed forms, a second method, and simulation. */
import { describe, expect, it } from 'vitest';
import { logGamma } from '../../../../lib/model/log-gamma.ts';
import { sessionRandom } from '../../../../lib/model/random.ts';
import { samplesNeeded } from '../../../../lib/model/samples-needed.ts';
import { openDatabase } from '../../../../tools/verdict/database.ts';
import { groupQuantiles } from '../../../../tools/verdict/ranks.ts';
import { binomialCdf, incompleteBeta, proportionInterval } from '../../../../tools/verdict/statistics/beta.ts';
import {
  carries,
  estimate,
  intervalBounds,
  intervalRanks,
  quantileOfSorted,
  type RankBound,
} from '../../../../tools/verdict/statistics/quantile.ts';
import { normalQuantile, studentQuantile } from '../../../../tools/verdict/statistics/student.ts';
import { mannKendall, theilSen } from '../../../../tools/verdict/statistics/trend.ts';

/** numpy's "linear" and R's type 7 in their own words: virtual index (n - 1) p, numpy's lerp with its symmetric branch. */
function numpyLinear(sorted: readonly number[], p: number): number {
  const virtual = (sorted.length - 1) * p;
  const below = sorted[Math.floor(virtual)] ?? Number.NaN;
  const above = sorted[Math.min(sorted.length - 1, Math.floor(virtual) + 1)] ?? Number.NaN;
  const gamma = virtual - Math.floor(virtual);
  return gamma >= 0.5 ? above - (above - below) * (1 - gamma) : below + (above - below) * gamma;
}

describe('quantiles', () => {
  it("1 to 10 give k6's golden values", () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    expect([0.5, 0.9, 0.95, 0.99].map((p) => Number(quantileOfSorted(values, p)?.toFixed(10)))).toEqual([
      5.5, 9.1, 9.55, 9.91,
    ]);
    expect(quantileOfSorted([], 0.5)).toBeUndefined();
    expect(quantileOfSorted([7], 0.99)).toBe(7);
  });

  it('equal numpy linear / R type 7 on 1,000 random arrays, rise with p, and end at minimum and maximum', () => {
    const random = sessionRandom(1, 1);
    let worst = 0;
    let falls = 0;
    for (let round = 0; round < 1000; round++) {
      const values = Array.from({ length: 1 + Math.floor(random() * 300) }, () => -Math.log(1 - random()) * 100).sort(
        (a, b) => a - b,
      );
      let before = Number.NEGATIVE_INFINITY;
      for (const p of [0, random(), 0.5, 0.9, 0.95, 0.99, 1].sort((a, b) => a - b)) {
        const value = quantileOfSorted(values, p) ?? Number.NaN;
        const reference = numpyLinear(values, p);
        worst = Math.max(worst, Math.abs(value - reference) / Math.max(1, reference));
        if (value < before) falls += 1;
        before = value;
      }
      if (quantileOfSorted(values, 0) !== values[0] || quantileOfSorted(values, 1) !== values[values.length - 1])
        falls += 1;
    }
    expect(worst).toBeLessThanOrEqual(1e-12);
    expect(falls).toBe(0);
  });

  it('of groups in the database are the same, with the same intervals', async () => {
    const random = sessionRandom(2, 2);
    const groups = Array.from({ length: 7 }, (_, g) =>
      Array.from({ length: 1 + Math.floor(random() * 900) + g }, () => Number((random() * 50).toFixed(6))),
    );
    const database = await openDatabase();
    try {
      await database.run(
        `CREATE TABLE t AS SELECT * FROM (VALUES ${groups.flatMap((group, g) => group.map((v) => `(${g}, ${v}::DOUBLE)`)).join(',')}) AS t(g, v)`,
      );
      const found = await groupQuantiles(database, 'SELECT g, v FROM t', [0.5, 0.95, 0.99]);
      for (const [g, group] of groups.entries()) {
        const sorted = [...group].sort((a, b) => a - b);
        expect(found.get(g)?.n).toBe(group.length);
        for (const [index, p] of [0.5, 0.95, 0.99].entries())
          expect(found.get(g)?.estimates[index]).toEqual(estimate(sorted, p));
      }
    } finally {
      database.close();
    }
  });
});

describe('what a sample carries', () => {
  it('ten samples beyond the quantile: 20 for the median, 200 for p95, 1,000 for p99', () => {
    expect([0.5, 0.9, 0.95, 0.99, 0.999].map(samplesNeeded)).toEqual([20, 100, 200, 1000, 10_000]);
    expect([carries(199, 0.95), carries(200, 0.95), carries(999, 0.99), carries(1000, 0.99), carries(8, 0.99)]).toEqual(
      [false, true, false, true, false],
    );
  });
});

/**
 * Probability that a lower bound lies above the quantile p. Only its two order statistics next to the quantile are random:
 * the largest of `rank` values below it and the smallest of the others above it; midpoint rule over both.
 */
function missesBelow({ rank, weight }: RankBound, n: number, p: number, quantile: (u: number) => number): number {
  const steps = 200;
  const at = (values: number) => Array.from({ length: steps }, (_, i) => ((i + 0.5) / steps) ** (1 / values));
  const outers = at(rank).map((u) => quantile(p * u));
  const inners = at(n - rank).map((u) => quantile(1 - (1 - p) * u));
  const q = quantile(p);
  const above = outers.flatMap((outer) => inners.filter((inner) => outer + (inner - outer) * weight > q)).length;
  const exactlyRank = binomialCdf(rank, n, p) - binomialCdf(rank - 1, n, p);
  return binomialCdf(rank - 1, n, p) + (exactlyRank * above) / steps ** 2;
}

function expectedCoverage(n: number, p: number, quantile: (u: number) => number): number {
  const { low, high } = intervalBounds(n, p);
  if (low === undefined || high === undefined) throw new Error('both sides are bounded here');
  const mirrored = { rank: n + 1 - high.rank, inner: n + 1 - high.inner, weight: high.weight };
  return 1 - missesBelow(low, n, p, quantile) - missesBelow(mirrored, n, 1 - p, (u) => -quantile(1 - u));
}

describe('order-statistic intervals', () => {
  it('have the ranks of the published tables: median of 10 at 95 %: 2nd and 9th; of 20: 6th and 15th', () => {
    // Conover, Practical Nonparametric Statistics: P(2 <= B(10, 1/2) <= 8) = 0.9785; P(6 <= B(20, 1/2) <= 14) = 0.9586.
    expect(intervalRanks(10, 0.5)).toEqual({ low: 2, high: 9 });
    expect(intervalRanks(20, 0.5)).toEqual({ low: 6, high: 15 });
  });

  it('leave a side open that no sample can bound', () => {
    expect(intervalRanks(50, 0.99).high).toBeUndefined();
    // 0.95^72 = 0.0249 is the first power below 2.5 %.
    expect(intervalRanks(71, 0.95).high).toBeUndefined();
    expect(intervalRanks(72, 0.95).high).toBe(72);
  });

  it('of whole ranks cover at least 95 % whatever n and p, and no more than the next ranks inside allow', () => {
    for (const n of [20, 50, 72, 200, 500, 1000, 3000]) {
      for (const p of [0.05, 0.25, 0.5, 0.9, 0.95, 0.99]) {
        const { low, high } = intervalRanks(n, p);
        if (low === undefined || high === undefined) continue;
        const below = binomialCdf(low - 1, n, p);
        const above = 1 - binomialCdf(high - 1, n, p);
        expect(below, `${n} ${p}`).toBeLessThanOrEqual(0.025 + 1e-12);
        expect(above, `${n} ${p}`).toBeLessThanOrEqual(0.025 + 1e-12);
        expect(binomialCdf(low, n, p), `${n} ${p}`).toBeGreaterThan(0.025);
        expect(1 - binomialCdf(high - 2, n, p), `${n} ${p}`).toBeGreaterThan(0.025);
      }
    }
  });

  it('interpolated, the median of exponential samples has its closed form', () => {
    // n = 10: P(B <= 1) = 11/1024, P(B <= 2) = 56/1024; Hettmansperger & Sheather (1986): (n - r) I / (r + (n - 2 r) I), r = 2.
    const i = (0.025 * 1024 - 11) / (56 - 11);
    const weight = (8 * i) / (2 + 6 * i);
    expect(intervalBounds(10, 0.5)).toEqual({
      low: { rank: 2, inner: 3, weight: expect.closeTo(weight, 12) },
      high: { rank: 9, inner: 8, weight: expect.closeTo(weight, 12) },
    });
  });

  it('interpolated, cover 94.9 to 95.1 % of independent samples of any shape, wherever the sample carries the quantile', () => {
    const shapes: Record<string, (u: number) => number> = {
      uniform: (u) => u,
      exponential: (u) => -Math.log1p(-u),
      lognormal: (u) => Math.exp(1.5 * normalQuantile(u)),
      pareto: (u) => (1 - u) ** (-1 / 1.2),
    };
    const cases = [
      [20, 0.5],
      [101, 0.5],
      [100, 0.9],
      [250, 0.95],
      [1000, 0.99],
      [3000, 0.95],
      [5000, 0.1],
    ] as const;
    for (const [n, p] of cases) {
      expect(carries(n, p)).toBe(true);
      for (const [name, quantile] of Object.entries(shapes)) {
        const coverage = expectedCoverage(n, p, quantile);
        expect(coverage, `${name} ${n} ${p}`).toBeGreaterThan(0.949);
        expect(coverage, `${name} ${n} ${p}`).toBeLessThan(0.951);
      }
    }
  });

  it('interpolated, cover as often in samples that are drawn', () => {
    const random = sessionRandom(3, 3);
    const rounds = 20_000;
    let covered = 0;
    for (let round = 0; round < rounds; round++) {
      const sorted = Float64Array.from({ length: 100 }, () => -Math.log1p(-random())).sort();
      const { low = 0, high = 0 } = estimate(sorted, 0.9) ?? {};
      if (low <= Math.log(10) && Math.log(10) <= high) covered += 1;
    }
    // Standard error of the share: 0.0015.
    expect(covered / rounds).toBeGreaterThan(0.94);
    expect(covered / rounds).toBeLessThan(0.96);
  });
});

describe('special functions', () => {
  it('agree with closed forms', () => {
    expect(logGamma(5)).toBeCloseTo(Math.log(24), 12);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(incompleteBeta(0.3, 1, 1)).toBeCloseTo(0.3, 12);
    expect(incompleteBeta(0.3, 2, 1)).toBeCloseTo(0.09, 12);
    let sum = 0;
    for (let k = 0; k <= 7; k++) {
      sum += Math.exp(logGamma(21) - logGamma(k + 1) - logGamma(21 - k) + k * Math.log(0.3) + (20 - k) * Math.log(0.7));
      expect(binomialCdf(k, 20, 0.3)).toBeCloseTo(sum, 11);
    }
  });

  it("Student's t and the normal have their table values", () => {
    expect(studentQuantile(0.975, 1)).toBeCloseTo(12.706, 3);
    expect(studentQuantile(0.975, 10)).toBeCloseTo(2.2281, 4);
    expect(normalQuantile(0.975)).toBeCloseTo(1.959964, 4);
  });

  it('Clopper-Pearson: 0 of 50 reaches up to 1 - 0.025^(1/50)', () => {
    expect(proportionInterval(0, 50)).toEqual([0, expect.closeTo(1 - 0.025 ** (1 / 50), 9)]);
    const [low, high] = proportionInterval(7, 20);
    // Defining equations of the exact interval.
    expect(1 - binomialCdf(6, 20, low)).toBeCloseTo(0.025, 8);
    expect(binomialCdf(7, 20, high)).toBeCloseTo(0.025, 8);
  });

  it('trend: Mann-Kendall counts pairs, Theil-Sen finds the slope of a line', () => {
    expect(mannKendall([1, 2, 3, 4, 5]).s).toBe(10);
    // Var S = n (n-1) (2n+5) / 18 without ties.
    expect(mannKendall([1, 2, 3, 4, 5]).z).toBeCloseTo(9 / Math.sqrt((5 * 4 * 15) / 18), 12);
    expect(mannKendall([2, 2, 2, 2]).z).toBe(0);
    expect(theilSen([1, 3, 5, 7, 100])).toBeCloseTo(2, 12);
  });
});
