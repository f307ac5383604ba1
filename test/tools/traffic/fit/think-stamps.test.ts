/** Gaps between coarse stamps less durations in milliseconds, as nginx's `$request_time` gives them. */
import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../../lib/model/random.ts';
import { thinkTimeCdf, thinkTimeMean } from '../../../../lib/model/think-times.ts';
import { curveBehind, curveQuantile } from '../../../../tools/traffic/fit/think-curve.ts';
import { distanceOf } from '../../../../tools/traffic/fit/think-distance.ts';
import { fitThinkTimes } from '../../../../tools/traffic/fit/think-fit.ts';
import { FAMILIES, THINK_FAMILIES, type ThinkFamily } from '../../../../tools/traffic/fit/think-laws.ts';
import { type Draw, exponential, gamma3, normal } from '../../../support/draws.ts';

const TRUTH: Readonly<Record<ThinkFamily, { draw: Draw; parameters: readonly number[] }>> = {
  uniform: { draw: (u) => 2 + 3 * u(), parameters: [2, 5] },
  exponential: { draw: (u) => 4 * exponential(u), parameters: [4] },
  lognormal: { draw: (u) => Math.exp(1.609 + 0.7 * normal(u)), parameters: [1.609, 0.7] },
  gamma: { draw: (u) => 1.5 * gamma3(u), parameters: [3, 1.5] },
  weibull: { draw: (u) => 5 * exponential(u) ** (1 / 2.5), parameters: [2.5, 5] },
};
/** Half a dozen milliseconds, as most requests take: gaps lie close below whole steps. */
const short: Draw = (u) => Math.round(1 + 4 + 8 * exponential(u)) / 1000;
/** From some milliseconds to seconds: gaps lie anywhere. */
const long: Draw = (u) => Math.round(1000 * Math.exp(-1.5 + normal(u))) / 1000;

function gaps(draw: Draw, took: Draw, n: number, step: number, seed: string): number[] {
  const u = sessionRandom(hashSeed(`stamps ${seed}`), 0);
  return Array.from({ length: n }, () => {
    const duration = took(u);
    const end = u() * step + draw(u) + duration;
    return Math.floor(end / step) * step - duration;
  });
}

const halves: Draw = (u) => (u() < 0.5 ? 1 + 2 * u() : 20 + 4 * u());

describe('laws seen through coarse stamps and exact durations', { timeout: 120_000 }, () => {
  for (const family of THINK_FAMILIES) {
    it.each([
      [1, 1500, long],
      [0.1, 1500, short],
    ])(`are named: ${family}, stamps of %d s, %d gaps`, (step, n, took) => {
      const { draw } = TRUTH[family];
      const fit = fitThinkTimes(gaps(draw, took, n, step, `${family} 1`), { step, cut: 1800 });
      expect(fit?.best).toBe(family);
      // The 1 % point of Kolmogorov's D, whose parameters are fitted besides.
      expect(fit?.families[0]?.distance).toBeLessThan(1.63 / Math.sqrt(n));
    });
  }

  it('stay named however many gaps there are', () => {
    const fit = fitThinkTimes(gaps(TRUTH.lognormal.draw, short, 20_000, 1, 'many'), { step: 1, cut: 1800 });
    expect(fit?.best).toBe('lognormal');
    expect(fit?.families[0]?.distance).toBeLessThan(0.01);
  });

  it('have intervals that hold the truth about 95 times in 100', () => {
    // 120 intervals, binomial sd 2.0 %: 88 % is 3.5 sd below 95 %.
    let inside = 0;
    let all = 0;
    for (let seed = 0; seed < 20; seed++) {
      for (const family of ['lognormal', 'weibull'] as const) {
        const y = gaps(TRUTH[family].draw, short, 300, 1, `${family} interval ${seed}`);
        const found = fitThinkTimes(y, { step: 1, cut: 1800 })?.families.find((one) => one.family === family);
        found?.parameters.forEach(({ interval }, i) => {
          const value = TRUTH[family].parameters[i] as number;
          if (interval[0] <= value && value <= interval[1]) inside++;
          all++;
        });
      }
    }
    expect(all).toBe(80);
    expect(inside / all).toBeGreaterThan(0.88);
  });
});

describe('the distance of gaps from a law', { timeout: 120_000 }, () => {
  const rules = FAMILIES.lognormal;
  const p = TRUTH.lognormal.parameters;

  it('is, for gaps on a lattice, the largest one between both sums over the lattice', () => {
    const n = 1500;
    const y = Float64Array.from(gaps(TRUTH.lognormal.draw, () => 0.03, n, 1, 'lattice')).sort();
    // Second method: the probability of a place is the mean of the triangle 1 - |t - y| over the law, here by its quadrature.
    const probability = (place: number): number => {
      let sum = 0;
      const cells = 2000;
      for (let i = 0; i < cells; i++) {
        const t = place - 1 + (2 * (i + 0.5)) / cells;
        if (t > 0) sum += (1 - Math.abs(t - place)) * Math.exp(rules.logDensity(t, p)) * (2 / cells);
      }
      return sum;
    };
    let law = 0;
    let worst = 0;
    for (let k = 0; k < 200; k++) {
      law += probability(k - 0.03);
      const observed = y.filter((value) => value < k + 0.4).length / n;
      worst = Math.max(worst, Math.abs(observed - law));
    }
    expect(distanceOf(rules, p, y, 1)).toBeCloseTo(worst, 4);
  });

  it("is Kolmogorov's for exact gaps", () => {
    const u = sessionRandom(hashSeed('exact'), 0);
    const y = Float64Array.from({ length: 700 }, () => TRUTH.lognormal.draw(u)).sort();
    let worst = 0;
    y.forEach((value, i) => {
      const f = rules.cdf(value, p);
      worst = Math.max(worst, (i + 1) / 700 - f, f - i / 700);
    });
    expect(distanceOf(rules, p, y, 0)).toBeCloseTo(worst, 12);
  });

  it('is judged by the law up to where the session rule cuts', () => {
    const y = gaps(TRUTH.exponential.draw, short, 3000, 0.1, 'cut').filter((gap) => gap <= 6);
    const fit = fitThinkTimes(y, { step: 0.1, cut: 6 });
    expect(fit?.families.find((one) => one.family === 'exponential')?.distance).toBeLessThan(0.035);
  });

  it('still tells when no law is near', () => {
    for (const took of [short, long]) {
      const fit = fitThinkTimes(gaps(halves, took, 2000, 1, 'halves'), { step: 1, cut: 1800 });
      expect(fit?.best).toBe('empirical');
      expect(fit?.families[0]?.distance).toBeGreaterThan(0.1);
    }
  });
});

describe('the curve behind coarse stamps', { timeout: 120_000 }, () => {
  it.each([
    [1, short],
    [1, () => 0],
    [0.1, short],
  ])('is no staircase and no wider than the truth, stamps of %d s', (step, took) => {
    const law = fitThinkTimes(gaps(halves, took, 5000, step, 'curve'), { step, cut: 1800 })?.law;
    if (law?.law !== 'empirical') throw new Error('no curve');
    const { quantiles } = law;
    // Within a hill 2 % of the think times are 0.08 s or 0.16 s apart; whole seconds would be 0 or 1 s.
    const apart = quantiles.slice(1, 50).map((q, i) => q - (quantiles[i] as number));
    expect(apart.filter((d) => d < 0.01)).toHaveLength(0);
    expect(apart.filter((d) => d > 0.6).length).toBeLessThanOrEqual(2);
    // The truth's distribution function, to half a step's worth of a hill 2 s wide.
    const cdf = thinkTimeCdf(law);
    for (const x of [1.5, 2, 2.5]) expect(cdf(x)).toBeCloseTo((x - 1) / 4, 1);
    for (const x of [21, 22, 23]) expect(cdf(x)).toBeCloseTo(0.5 + (x - 20) / 8, 1);
  });

  it('of 20,000 gaps is near the quantiles of the think times themselves', () => {
    const q = curveQuantile(
      curveBehind(Float64Array.from(gaps(TRUTH.exponential.draw, long, 20_000, 1, 'q')).sort(), 1),
    );
    // Standard error of a quantile is sqrt(p (1 - p) / n) / f: 0.028 s at the median's side, 0.085 s at 0.9.
    for (const p of [0.1, 0.25, 0.5, 0.75, 0.9]) expect(Math.abs(q(p) + 4 * Math.log(1 - p))).toBeLessThan(0.3);
  });
});

describe('the written curve', { timeout: 120_000 }, () => {
  /** Half of them from 2 to 3 s and half with a tail that a mean barely has, so that no law is near. */
  const heavy: Draw = (u) => (u() < 0.5 ? 2 + u() : 3 * (1 - u()) ** (-1 / 1.6));

  it.each([
    [1, 1500],
    [1, 20_000],
    [0.001, 1500],
    [0.001, 6000],
  ])('keeps the mean of the gaps to 1 %% and ends with the longest: stamps of %d s, %d gaps', (step, n) => {
    const y = gaps(heavy, short, n, step, 'tail').filter((gap) => gap <= 1800);
    const law = fitThinkTimes(y, { step, cut: 1800 })?.law;
    if (law?.law !== 'empirical') throw new Error('no curve');
    const mean = y.reduce((sum, gap) => sum + gap, 0) / y.length;
    expect(Math.abs(thinkTimeMean(law) / mean - 1)).toBeLessThan(0.01);
    const longest = Math.max(...y);
    expect(law.quantiles.at(-1)).toBeGreaterThan(longest * 0.97 - step);
    expect(law.quantiles.at(-1)).toBeLessThan(longest * 1.03 + step);
    // And where the tail is: as many think times beyond a place as gaps.
    const sorted = y.toSorted((a, b) => a - b);
    for (const p of [0.9, 0.98, 0.99, 0.995]) {
      const at = sorted[Math.floor(p * y.length)] as number;
      expect(Math.abs(1 - thinkTimeCdf(law)(at) - (1 - p))).toBeLessThan(0.25 * (1 - p) + 2 / y.length);
    }
  });

  it.each(['gamma', 'weibull'] as const)('of %s has the mean of the law', (family) => {
    const fit = fitThinkTimes(gaps(TRUTH[family].draw, short, 4000, 1, `mean ${family}`), { step: 1, cut: 1800 });
    const p = fit?.families[0]?.parameters.map((one) => one.value) ?? [];
    expect(fit?.best).toBe(family);
    if (fit?.law.law !== 'empirical') throw new Error('no curve');
    expect(Math.abs(thinkTimeMean(fit.law) / FAMILIES[family].partialMean(1e6, p) - 1)).toBeLessThan(0.005);
  });
});
