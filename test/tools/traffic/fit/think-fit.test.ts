import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../../lib/model/random.ts';
import { fitThinkTimes, THINK_MINIMUM } from '../../../../tools/traffic/fit/think-fit.ts';
import {
  FAMILIES,
  meanCdf,
  smearedDensity,
  THINK_FAMILIES,
  type ThinkFamily,
} from '../../../../tools/traffic/fit/think-laws.ts';
import { type Draw, exponential, gamma3, normal } from '../../../support/draws.ts';

const TRUTH: Readonly<Record<ThinkFamily, { draw: Draw; parameters: readonly number[] }>> = {
  uniform: { draw: (u) => 2 + 3 * u(), parameters: [2, 5] },
  exponential: { draw: (u) => 4 * exponential(u), parameters: [4] },
  lognormal: { draw: (u) => Math.exp(1 + 0.6 * normal(u)), parameters: [1, 0.6] },
  gamma: { draw: (u) => 1.5 * gamma3(u), parameters: [3, 1.5] },
  weibull: { draw: (u) => 5 * exponential(u) ** (1 / 2.5), parameters: [2.5, 5] },
};

function gaps(family: ThinkFamily, n: number, step: number, seed: number): number[] {
  const random = sessionRandom(hashSeed(`think ${family}`), seed);
  return Array.from({ length: n }, () => {
    const gap = TRUTH[family].draw(random);
    if (step === 0) return gap;
    const phase = random() * step;
    return Math.floor((phase + gap) / step) * step;
  });
}

describe('gaps that stand apart', { timeout: 120_000 }, () => {
  it.each([0, 0.001, 1])('do not move the ends of a uniform law, with stamps of %d s', (step) => {
    const clean = gaps('uniform', 2500, step, 77);
    const bare = fitThinkTimes(clean, { step, cut: 1800 });
    // Two steps of coarse stamps are not apart, so there the strays are far out.
    const soiled = fitThinkTimes([...clean, ...(step === 1 ? [38, 39, 40] : [0, 0, 40])], { step, cut: 1800 });
    expect(bare?.families[0]?.strays).toBeUndefined();
    expect(soiled?.best).toBe('uniform');
    expect(soiled?.families[0]?.strays).toBe(3);
    expect(soiled?.families[0]?.parameters).toEqual(bare?.families[0]?.parameters);
  });

  it('do not make a uniform law of one with tails', () => {
    for (const family of ['lognormal', 'weibull', 'gamma', 'exponential'] as const)
      expect(fitThinkTimes(gaps(family, 2500, 0, 78), { step: 0, cut: 1800 })?.best).toBe(family);
  });
});

describe('laws of think times', { timeout: 120_000 }, () => {
  it('have the partial mean that the integral of t dF(t) gives', () => {
    for (const family of THINK_FAMILIES) {
      const rules = FAMILIES[family];
      const p = TRUTH[family].parameters;
      const x = 4.2;
      // Second method: the trapezoid rule over the distribution function, x F(x) - integral of F.
      let integral = 0;
      const n = 20_000;
      for (let i = 0; i < n; i++) integral += rules.cdf(((i + 0.5) * x) / n, p) * (x / n);
      expect(rules.partialMean(x, p), family).toBeCloseTo(x * rules.cdf(x, p) - integral, 5);
    }
  });

  it('seen through coarse stamps keep total probability one and the mean', () => {
    for (const family of THINK_FAMILIES) {
      const rules = FAMILIES[family];
      const p = TRUTH[family].parameters;
      let total = 0;
      let mean = 0;
      for (let y = -1; y < 80; y += 0.01) {
        const density = smearedDensity(rules, p, y, 1) * 0.01;
        total += density;
        mean += y * density;
      }
      expect(total, family).toBeCloseTo(1, 3);
      expect(mean, family).toBeCloseTo(rules.partialMean(1e6, p), 2);
      // Second method: the midpoint rule.
      let average = 0;
      for (let i = 0; i < 10_000; i++) average += rules.cdf(4 + (i + 0.5) / 10_000, p) / 10_000;
      expect(meanCdf(rules, p, 4, 1), family).toBeCloseTo(average, 6);
      expect(meanCdf(rules, p, 4, 0), family).toBe(rules.cdf(4, p));
    }
  });
});

describe('fits of think times', { timeout: 120_000 }, () => {
  for (const step of [0.001, 1]) {
    for (const family of THINK_FAMILIES) {
      it(`name ${family} and find its parameters with stamps of ${step} s`, () => {
        const fit = fitThinkTimes(gaps(family, 4000, step, 1), { step, cut: 1800 });
        expect(fit?.best).toBe(family);
        const truth = TRUTH[family].parameters;
        const parameters = fit?.families[0]?.parameters ?? [];
        parameters.forEach((estimate, i) => {
          const value = truth[i] as number;
          // Three times the half-width of the interval: a miss would be a one-in-10^8 chance.
          const width = (estimate.interval[1] - estimate.interval[0]) / 2;
          expect(Math.abs(estimate.value - value), `${estimate.name} ${estimate.value}`).toBeLessThan(3 * width + 1e-9);
          expect(width).toBeLessThan(0.1 * Math.max(1, value));
        });
      });
    }
  }

  it('cover the truth about 95 times in 100', () => {
    // 120 fits of 2 parameters, binomial sd 2.0 %: 90 % is 2.5 sd below 95 %.
    let inside = 0;
    let all = 0;
    for (let seed = 0; seed < 60; seed++) {
      for (const family of ['uniform', 'lognormal'] as const) {
        const fit = fitThinkTimes(gaps(family, 400, 0.001, seed), { step: 0.001, cut: 1800 });
        const found = fit?.families.find((one) => one.family === family);
        found?.parameters.forEach(({ interval }, i) => {
          const value = TRUTH[family].parameters[i] as number;
          if (interval[0] <= value && value <= interval[1]) inside++;
          all++;
        });
      }
    }
    expect(all).toBe(240);
    expect(inside / all).toBeGreaterThan(0.9);
  });

  it('correct for gaps that the session rule cut off', () => {
    const cut = 6;
    const all = gaps('exponential', 6000, 0, 3);
    const fit = fitThinkTimes(
      all.filter((gap) => gap <= cut),
      { step: 0.001, cut },
    );
    const mean = fit?.families.find((one) => one.family === 'exponential')?.parameters[0];
    expect(mean?.value).toBeGreaterThan(3.4);
    expect(mean?.interval[0]).toBeLessThan(4);
    expect(mean?.interval[1]).toBeGreaterThan(4);
    // The plain mean of what is left is far below.
    expect(fit?.mean).toBeLessThan(2.5);
  });

  it('take the curve itself when no law is near', () => {
    const random = sessionRandom(hashSeed('two hills'), 0);
    const two = Array.from({ length: 2000 }, () => (random() < 0.5 ? 1 + 0.1 * random() : 20 + random()));
    const fit = fitThinkTimes(two, { step: 0.001, cut: 1800 });
    expect(fit?.best).toBe('empirical');
    expect(fit?.law.law).toBe('empirical');
  });

  it('are refused with too few gaps', () => {
    expect(fitThinkTimes(gaps('uniform', THINK_MINIMUM - 1, 0, 1), { step: 0.001, cut: 1800 })).toBeUndefined();
  });
});
