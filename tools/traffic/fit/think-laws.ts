/**
 * Candidate laws of think times. Each has the distribution function F and M(x), the integral of t dF(t) from 0 to x, from
 * which the integral of F follows: G(x) = x F(x) - M(x). Time stamps cut to a step d add to a gap the difference of two
 * phases, a triangle on (-d, d), so that an observed gap y has the density (G(y + d) - 2 G(y) + G(y - d)) / d^2: exact for
 * every law, no matter how coarse the stamps are.
 */

import { logGamma } from '../../../lib/model/log-gamma.ts';
import { normalCdf } from '../../../lib/model/think-times.ts';
import { gammaP } from './special.ts';

export const THINK_FAMILIES = ['uniform', 'exponential', 'lognormal', 'gamma', 'weibull'] as const;
export type ThinkFamily = (typeof THINK_FAMILIES)[number];

export interface FamilyRules {
  /** Names of the parameters. */
  readonly names: readonly string[];
  /** Free numbers of the optimiser to parameters. */
  readonly parameters: (free: readonly number[]) => readonly number[];
  /** Starting values from mean, standard deviation, minimum and maximum. */
  readonly start: (s: Summary) => readonly number[];
  readonly cdf: (x: number, p: readonly number[]) => number;
  /** Integral of t dF(t) from 0 to x. */
  readonly partialMean: (x: number, p: readonly number[]) => number;
  readonly logDensity: (x: number, p: readonly number[]) => number;
}

export interface Summary {
  readonly mean: number;
  readonly sd: number;
  readonly logMean: number;
  readonly logSd: number;
  readonly min: number;
  readonly max: number;
}

const exp2 = (free: readonly number[]): readonly number[] => [Math.exp(free[0] as number), Math.exp(free[1] as number)];
const first = (p: readonly number[]): number => p[0] as number;
const second = (p: readonly number[]): number => p[1] as number;

export const FAMILIES: Readonly<Record<ThinkFamily, FamilyRules>> = {
  uniform: {
    names: ['min', 'max'],
    // Free: minimum and logarithm of the width.
    parameters: (free) => [first(free), first(free) + Math.exp(second(free))],
    start: (s) => [Math.max(0, s.mean - 1.7 * s.sd), Math.log(Math.max(1e-6, 3.4 * s.sd))],
    cdf: (x, [a = 0, b = 0]) => (x <= a ? 0 : x >= b ? 1 : (x - a) / (b - a)),
    partialMean: (x, [a = 0, b = 0]) => (x <= a ? 0 : (Math.min(x, b) ** 2 - a * a) / (2 * (b - a))),
    logDensity: (x, [a = 0, b = 0]) => (x >= a && x <= b ? -Math.log(b - a) : Number.NEGATIVE_INFINITY),
  },
  exponential: {
    names: ['mean'],
    parameters: (free) => [Math.exp(first(free))],
    start: (s) => [Math.log(Math.max(1e-6, s.mean))],
    cdf: (x, p) => (x <= 0 ? 0 : -Math.expm1(-x / first(p))),
    partialMean: (x, p) =>
      x <= 0 ? 0 : x === Infinity ? first(p) : first(p) - (x + first(p)) * Math.exp(-x / first(p)),
    logDensity: (x, p) => (x < 0 ? Number.NEGATIVE_INFINITY : -Math.log(first(p)) - x / first(p)),
  },
  lognormal: {
    names: ['mu', 'sigma'],
    parameters: (free) => [first(free), Math.exp(second(free))],
    start: (s) => [s.logMean, Math.log(Math.max(0.01, s.logSd))],
    cdf: (x, p) => (x <= 0 ? 0 : normalCdf((Math.log(x) - first(p)) / second(p))),
    partialMean: (x, p) =>
      x <= 0
        ? 0
        : Math.exp(first(p) + second(p) ** 2 / 2) * normalCdf((Math.log(x) - first(p)) / second(p) - second(p)),
    logDensity: (x, p) => {
      const z = (Math.log(x) - first(p)) / second(p);
      return x <= 0 ? Number.NEGATIVE_INFINITY : -0.5 * z * z - Math.log(x * second(p)) - 0.9189385332046727;
    },
  },
  gamma: {
    names: ['shape', 'scale'],
    parameters: exp2,
    start: (s) => {
      const shape = Math.min(1e4, Math.max(0.05, (s.mean / Math.max(s.sd, 1e-9)) ** 2));
      return [Math.log(shape), Math.log(Math.max(1e-6, s.mean / shape))];
    },
    cdf: (x, p) => gammaP(first(p), x / second(p)),
    partialMean: (x, p) => first(p) * second(p) * gammaP(first(p) + 1, x / second(p)),
    logDensity: (x, [k = 1, t = 1]) =>
      x <= 0 ? Number.NEGATIVE_INFINITY : (k - 1) * Math.log(x) - x / t - k * Math.log(t) - logGamma(k),
  },
  weibull: {
    names: ['shape', 'scale'],
    parameters: exp2,
    start: (s) => [Math.log(Math.min(50, Math.max(0.2, 1.2825 / Math.max(0.03, s.logSd)))), s.logMean + 0.45 * s.logSd],
    cdf: (x, [k = 1, l = 1]) => (x <= 0 ? 0 : -Math.expm1(-((x / l) ** k))),
    partialMean: (x, [k = 1, l = 1]) =>
      x <= 0 ? 0 : l * Math.exp(logGamma(1 + 1 / k)) * gammaP(1 + 1 / k, (x / l) ** k),
    logDensity: (x, [k = 1, l = 1]) =>
      x <= 0 ? Number.NEGATIVE_INFINITY : Math.log(k / l) + (k - 1) * Math.log(x / l) - (x / l) ** k,
  },
};

/** Density of a gap seen through time stamps of step `d`. */
export function smearedDensity(rules: FamilyRules, p: readonly number[], y: number, d: number): number {
  const g = (x: number): number => x * rules.cdf(x, p) - rules.partialMean(x, p);
  return Math.max(0, (g(y + d) - 2 * g(y) + g(y - d)) / (d * d));
}

/**
 * F averaged over (x, x + d): the probability that a gap seen through stamps of step `d` takes a place up to x, when the
 * places that it can take are x and whole steps from there. F itself at d = 0.
 */
export function meanCdf(rules: FamilyRules, p: readonly number[], x: number, d: number): number {
  if (d === 0) return rules.cdf(x, p);
  const g = (y: number): number => y * rules.cdf(y, p) - rules.partialMean(y, p);
  return Math.min(1, Math.max(0, (g(x + d) - g(x)) / d));
}
