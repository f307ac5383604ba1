import { describe, expect, it } from 'vitest';
import { popularityCdf } from '../../../../lib/model/popularity.ts';
import { empiricalCurve } from '../../../../tools/traffic/fit/empirical-curve.ts';
import { matchingLikelihood } from '../../../../tools/traffic/fit/matching-likelihood.ts';
import { fitFamily, RULES } from '../../../../tools/traffic/fit/popularity-family.ts';
import { expectedDistinct, fitPopularity } from '../../../../tools/traffic/fit/popularity-fit.ts';
import { binProbabilities, countClasses, rankBins } from '../../../../tools/traffic/fit/rank-bins.ts';
import { drawnViews } from './drawn-views.ts';

describe('likelihood without known ranks', { timeout: 120_000 }, () => {
  it('is the sum over all matchings for three items, up to a constant: it ranks laws as the permanent does', () => {
    const bins = rankBins(3);
    const seen = [30, 9, 4];
    const total = 43;
    const permanent = (p: readonly number[]): number => {
      let sum = 0;
      for (const order of [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
      ]) {
        let product = 1;
        order.forEach((item, rank) => {
          const mean = total * (p[rank] as number);
          product *= mean ** (seen[item] as number) * Math.exp(-mean);
        });
        sum += product;
      }
      return Math.log(sum);
    };
    const likelihood = matchingLikelihood(bins.size, countClasses(seen, 3));
    const laws = [0.5, 1, 1.5, 2].map((s) => binProbabilities(bins, popularityCdf({ law: 'zipf', s }, 3)));
    const first = laws[0] as Float64Array;
    for (const p of laws.slice(1)) {
      // The saddle-point approximation is good to a few tenths even for three items.
      const difference = likelihood.of(p) - likelihood.of(first) - (permanent([...p]) - permanent([...first]));
      expect(Math.abs(difference)).toBeLessThan(0.5);
    }
  });
});

describe('popularity fits', { timeout: 120_000 }, () => {
  it('are unbiased where fitting the observed order is not', () => {
    const items = 5000;
    const truth = 3;
    const estimates: number[] = [];
    const naive: number[] = [];
    for (let i = 0; i < 12; i++) {
      const seen = drawnViews({ law: 'power', g: truth }, items, 2000, `bias ${i}`);
      estimates.push(RULES.power.exponent(fitFamily('power', seen, items).free));
      // Known ranks: 1/g is fitted by the mean of -ln(rank/N), here with observed ranks.
      const sorted = [...seen].sort((a, b) => b - a);
      let sum = 0;
      sorted.forEach((c, k) => {
        sum += c * -Math.log((k + 0.5) / items);
      });
      naive.push(sum / 2000);
    }
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    // sd of one estimate is near 0.09, of the mean of twelve 0.026.
    expect(Math.abs(mean(estimates) - truth)).toBeLessThan(0.1);
    expect(mean(naive)).toBeGreaterThan(3.5);
  });

  it("read the brief's 5,867 views of 40,000 books: power, g = 3 inside an interval below 0.3", () => {
    const fit = fitPopularity(drawnViews({ law: 'power', g: 3 }, 40_000, 5867, 'brief'), {
      catalogue: 40_000,
      replicates: 30,
    });
    expect(fit?.family).toBe('power');
    expect(fit?.powerLaw).toBe(true);
    const [low, high] = fit?.families[0]?.interval ?? [0, 0];
    expect(low).toBeLessThan(3);
    expect(high).toBeGreaterThan(3);
    expect(high - low).toBeLessThan(0.3);
    // brief.md: 4,460-4,475 distinct items, top shares 6.6-7.1 / 14.6-15.6 / 40.8-41.0 %.
    expect(fit?.expectedDistinct).toBeGreaterThan(4350);
    expect(fit?.expectedDistinct).toBeLessThan(4600);
    expect(fit?.top[2]?.expected).toBeCloseTo(0.405, 1);
  });

  it('name zipf where it is zipf', () => {
    const fit = fitPopularity(drawnViews({ law: 'zipf', s: 1 }, 1000, 10_000, 'zipf one'), {
      catalogue: 1000,
      replicates: 10,
    });
    expect(fit?.family).toBe('zipf');
    expect(fit?.powerLaw).toBe(true);
    expect(fit?.families[0]?.exponent).toBeCloseTo(1, 1);
  });

  it.each([
    ['zipf', 0.5],
    ['zipf', 2 / 3],
    ['zipf', 1.5],
    ['power', 2],
    ['power', 3],
  ] as const)('find %s %d of a hundred items with ten thousand views each', (family, exponent) => {
    const law = family === 'zipf' ? { law: family, s: exponent } : { law: family, g: exponent };
    const fit = fitPopularity(drawnViews(law, 100, 1_000_000, `many ${family}`), { catalogue: 100, replicates: 80 });
    expect(fit?.family).toBe(family);
    expect(fit?.powerLaw).toBe(true);
    const [best] = fit?.families ?? [];
    // A standard deviation is near 0.001 for zipf, 0.003 for power.
    expect(Math.abs((best?.exponent ?? 0) / exponent - 1)).toBeLessThan(0.01);
    expect((best?.interval?.[1] ?? 1) - (best?.interval?.[0] ?? 0)).toBeLessThan(0.05);
  });

  it('say that uniform views are either law with exponent 1 or 0', () => {
    const fit = fitPopularity(drawnViews({ law: 'uniform' }, 500, 5000, 'uniform'), { catalogue: 500, replicates: 30 });
    expect(fit?.family).toBe('either');
    for (const { family, exponent } of fit?.families ?? []) expect(exponent).toBeCloseTo(family === 'power' ? 1 : 0, 1);
  });

  it('call two levels what they are: not a power law', () => {
    const curve: [number, number][] = [
      [50, 0.55],
      [1000, 1],
    ];
    const fit = fitPopularity(drawnViews({ law: 'empirical', curve }, 1000, 3000, 'two levels'), {
      catalogue: 1000,
      replicates: 80,
    });
    expect(fit?.powerLaw).toBe(false);
    expect(fit?.law.law).toBe('empirical');
  });

  it('refuse when there are too few views', () => {
    expect(fitPopularity([100, 50, 20])).toBeUndefined();
  });

  it('expect the distinct items that the closed form for uniform views gives', () => {
    expect(expectedDistinct({ law: 'uniform' }, 1000, 500)).toBeCloseTo(1000 * (1 - Math.exp(-0.5)), 6);
  });
});

describe('the empirical curve', { timeout: 120_000 }, () => {
  it('finds the two levels of the rates, where the observed order makes a slope', () => {
    // 100 items with 60 % of the views, 1,900 with 40 %: the share at rank 100 is 0.6.
    const curve: [number, number][] = [
      [100, 0.6],
      [2000, 1],
    ];
    const fitted = empiricalCurve(drawnViews({ law: 'empirical', curve }, 2000, 20_000, 'levels'), 2000);
    const at = popularityCdf({ law: 'empirical', curve: fitted }, 2000);
    expect(at(100)).toBeCloseTo(0.6, 1);
    // Half of the upper level has half of its views; by observed order it would have 0.33.
    expect(at(50)).toBeCloseTo(0.3, 1);
    expect(at(1050)).toBeCloseTo(0.8, 1);
  });
});
