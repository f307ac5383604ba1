import { describe, expect, it } from 'vitest';
import { chiSquareP, chiSquareTest, indexOfDispersion, kolmogorovP, ksTest, lnGamma } from './statistics.ts';

describe('p-values against published tables', () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: upper critical values of the chi-square distribution.
  it.each([
    [1, 0.1, 2.706],
    [1, 0.05, 3.841],
    [1, 0.001, 10.828],
    [2, 0.01, 9.21],
    [10, 0.1, 15.987],
    [10, 0.025, 20.483],
    [10, 0.001, 29.588],
    [30, 0.05, 43.773],
    [30, 0.001, 59.703],
    [50, 0.01, 76.154],
    [100, 0.05, 124.342],
    [100, 0.001, 149.449],
  ])('chi-square, %i degrees of freedom, %f', (df, p, critical) => {
    // The table rounds to 0.0005, which moves p by at most half its own size times that.
    expect(Math.abs(chiSquareP(critical, df) / p - 1)).toBeLessThan(6e-4);
  });

  it('chi-square with two degrees of freedom is exponential: exp(-x/2), in both tails', () => {
    for (const x of [0.01, 1, 5, 40]) expect(chiSquareP(x, 2)).toBeCloseTo(Math.exp(-x / 2), 12);
  });

  it('chi-square with many degrees of freedom agrees with Wilson and Hilferty (1931)', () => {
    // Their cube-root normal approximation at z = 3.090232 (p = 0.001) is good to about 1e-3 relative here.
    for (const df of [1_000, 40_000]) {
      const critical = df * (1 - 2 / (9 * df) + 3.090232 * Math.sqrt(2 / (9 * df))) ** 3;
      expect(Math.abs(chiSquareP(critical, df) / 0.001 - 1)).toBeLessThan(5e-3);
    }
  });

  it('ln Gamma: Gamma(1/2) = sqrt(pi), Gamma(11) = 10!', () => {
    expect(lnGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 13);
    expect(lnGamma(11)).toBeCloseTo(Math.log(3_628_800), 13);
  });

  // N. Smirnov, "Table for estimating the goodness of fit of empirical distributions", Ann. Math. Stat. 19 (1948) 279.
  it.each([
    [0.5, 1 - 0.036055],
    [0.8, 1 - 0.455857],
    [1, 1 - 0.73],
    [1.36, 1 - 0.950514],
    [1.63, 1 - 0.990154],
  ])('Kolmogorov, x = %f', (x, p) => {
    expect(kolmogorovP(x)).toBeCloseTo(p, 5);
  });
});

describe('tests of fit by hand', () => {
  it('chi-square of a die: (2^2 + 2^2)/10 over two of six faces', () => {
    const { statistic, df } = chiSquareTest([12, 8, 10, 10, 10, 10], () => 1 / 6);
    expect(statistic).toBeCloseTo(0.8, 12);
    expect(df).toBe(5);
  });

  it('bins outcomes until five are expected and refuses probabilities that do not add up', () => {
    expect(chiSquareTest([10, 3, 3, 3, 1], (i) => [0.5, 0.15, 0.15, 0.15, 0.05][i] as number).df).toBe(1);
    expect(() => chiSquareTest([10, 10], () => 0.4)).toThrow(/add up/);
  });

  it('Kolmogorov-Smirnov distance of 0.2, 0.3, 0.9 against uniform: 2/3 - 0.3', () => {
    expect(ksTest([0.9, 0.2, 0.3], (x) => x).d).toBeCloseTo(2 / 3 - 0.3, 12);
  });

  it('index of dispersion: 0 for a metronome; counts 0, 2 have variance 2 and mean 1', () => {
    expect(indexOfDispersion([0.5, 1.5, 2.5], 1, 0, 3)).toBe(0);
    expect(indexOfDispersion([1.2, 1.7], 1, 0, 2)).toBe(2);
  });
});
