import { describe, expect, it } from 'vitest';
import workload from '../../../data/workload.json' with { type: 'json' };
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { normalCdf, thinkTimeCdf, thinkTimeMean, thinkTimeSampler } from '../../../lib/model/think-times.ts';
import type { ThinkTimeLaw } from '../../../lib/model/workload.ts';
import { ksTest } from '../../support/statistics.ts';

const DRAWS = 100_000;

const LAWS: ThinkTimeLaw[] = [
  { law: 'fixed', value: 1 },
  { law: 'uniform', min: 2, max: 5 },
  { law: 'lognormal', mu: 1.2, sigma: 0.7 },
  { law: 'lognormal', mu: 1.2, sigma: 0.7, cap: 6 },
  { law: 'lognormal', mu: 0, sigma: 0 },
  { law: 'exponential', mean: 4, cap: 1e9 },
  { law: 'exponential', mean: 4, cap: 10 },
  { law: 'empirical', quantiles: [0.5, 1, 3, 3.2, 10, 60] },
  { law: 'empirical', quantiles: [2, 2, 3, 5, 5] },
  { law: 'empirical', quantiles: [1, 2, 2, 3, 9, 60], probabilities: [0, 0.3, 0.4, 0.9, 0.99, 1] },
];

function draws(law: ThinkTimeLaw, count = DRAWS): number[] {
  const sample = thinkTimeSampler(law);
  const random = sessionRandom(hashSeed(JSON.stringify(law)), 0);
  return Array.from({ length: count }, () => sample(random));
}

/** P(X < x): the distribution function just below x, for laws with atoms. */
function below(cdf: (x: number) => number): (x: number) => number {
  return (x) => cdf(x - 1e-9 * Math.max(1, Math.abs(x)));
}

describe('think-time laws', () => {
  it.each(LAWS.map((law) => [JSON.stringify(law), law] as const))(
    'draws follow the distribution function: %s',
    (_, law) => {
      const cdf = thinkTimeCdf(law);
      expect(ksTest(draws(law), cdf, below(cdf)).p).toBeGreaterThan(0.001);
    },
  );

  it.each(LAWS.map((law) => [JSON.stringify(law), law] as const))('the mean is the integral of 1 - F: %s', (_, law) => {
    const cdf = thinkTimeCdf(law);
    // Midpoint rule on x = e^t - 1, t from 0 to ln(1e6), a second way to the mean; the jump of an atom costs half a cell.
    const cells = 200_000;
    const width = Math.log(1e6) / cells;
    let integral = 0;
    for (let i = 0; i < cells; i++) {
      const t = (i + 0.5) * width;
      integral += (1 - cdf(Math.expm1(t))) * Math.exp(t) * width;
    }
    expect(Math.abs(integral / thinkTimeMean(law) - 1)).toBeLessThan(1e-4);
  });

  it('the Kolmogorov-Smirnov test tells laws apart that share a mean', () => {
    const sample = draws({ law: 'exponential', mean: 4, cap: 1e9 });
    expect(ksTest(sample, thinkTimeCdf({ law: 'uniform', min: 0, max: 8 })).p).toBeLessThan(1e-9);
    const skewed = draws({ law: 'lognormal', mu: 1.2, sigma: 0.7 });
    expect(ksTest(skewed, thinkTimeCdf({ law: 'lognormal', mu: 1.2, sigma: 0.72 })).p).toBeLessThan(0.001);
  });

  it('the reference workload thinks 8.43 s a session', () => {
    let mean = 0;
    for (const { share, thinkTimes } of Object.values(workload.flows)) {
      for (const law of Object.values(thinkTimes)) mean += share * thinkTimeMean(law as ThinkTimeLaw);
    }
    expect(mean).toBeCloseTo(8.43, 10);
  });

  it('stays finite at the ends of the generator', () => {
    for (const law of LAWS) {
      const sample = thinkTimeSampler(law);
      for (const u of [0, 1 - 2 ** -32]) expect(Number.isFinite(sample(() => u))).toBe(true);
    }
  });

  it('normal distribution function against published values (Abramowitz and Stegun, table 26.1)', () => {
    expect(normalCdf(0)).toBe(0.5);
    expect(normalCdf(1)).toBeCloseTo(0.841344746068543, 14);
    expect(normalCdf(2)).toBeCloseTo(0.977249868051821, 14);
    expect(normalCdf(-3)).toBeCloseTo(0.00134989803163, 14);
    expect(normalCdf(-40)).toBe(0);
    expect(normalCdf(Infinity)).toBe(1);
  });
});
