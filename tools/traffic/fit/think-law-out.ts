/** The fitted law as workload.json has it. */
import { thinkTimeMean } from '../../../lib/model/think-times.ts';
import type { ThinkTimeLaw } from '../../../lib/model/workload.ts';
import { curveBehind, curveQuantile } from './think-curve.ts';
import { FAMILIES, type FamilyRules, type ThinkFamily } from './think-laws.ts';

/** Pieces of equal probability that a written curve has below its tail. */
const PIECES = 50;
/** Upper tail that gets points of its own, each time nearer to 1. */
const TAIL = 1 / PIECES;

/**
 * The law for workload.json; families that it does not know are written as quantiles.
 * @param sorted gaps, s
 * @param step of the time stamps, s
 * @param cut gaps above this were not seen, s
 */
export function lawOf(
  best: ThinkFamily | 'empirical',
  parameters: readonly number[],
  sorted: Float64Array,
  step: number,
  cut: number,
): ThinkTimeLaw {
  const value = (i: number): number => round(parameters[i] ?? 0);
  if (best === 'uniform') return { law: 'uniform', min: value(0), max: value(1) };
  if (best === 'exponential') return { law: 'exponential', mean: value(0), cap: round(cut) };
  if (best === 'lognormal') return { law: 'lognormal', mu: value(0), sigma: value(1), cap: round(cut) };
  if (best === 'empirical') return observedCurve(sorted, step, cut);
  // As if from 10,000 gaps: the tail beyond has a ten-thousandth of the think times.
  const probabilities = curveProbabilities(10_000);
  const quantiles = probabilities.map((p) => round(inverse(FAMILIES[best], parameters, p === 1 ? 1 - 2e-5 : p, cut)));
  return { law: 'empirical', quantiles, probabilities };
}

/**
 * The gaps' own curve. Its mean is theirs: a sampler that goes in straight lines between quantiles draws too long where the
 * curve bends, so the tail has points down to the longest gap, and what is left is scaled away.
 */
function observedCurve(sorted: Float64Array, step: number, cut: number): ThinkTimeLaw {
  const n = sorted.length;
  const own = hazen(sorted);
  const quantile = isStaircase(own, step) ? curveQuantile(curveBehind(sorted, step)) : own;
  const probabilities = curveProbabilities(n);
  // Half a gap is beyond the first and the last.
  const inside = (p: number): number => Math.min(1 - 0.5 / n, Math.max(0.5 / n, p));
  const quantiles = probabilities.map((p) => Math.max(0, quantile(inside(p))));
  // A gap is less than a step below its think time, and those further below 0 are calls in parallel.
  const mean = sorted.reduce((sum, y) => sum + Math.max(-step, y), 0) / n;
  const factor = mean / thinkTimeMean({ law: 'empirical', quantiles, probabilities });
  const scaled = factor > 0 && factor < Infinity ? quantiles.map((q) => Math.min(cut, q * factor)) : quantiles;
  return { law: 'empirical', quantiles: scaled.map(round), probabilities };
}

/**
 * Probabilities of a curve's points, from 0 to 1: fiftieths, and the places of the longest of `n` values whose ranks from the
 * top are 1, 2, 3, 4, 6, 8, 12, 16, ... The k-th longest stands for (k - 1/2)/n (A. Hazen 1914), which keeps the mean.
 */
function curveProbabilities(n: number): number[] {
  const tail: number[] = [];
  const add = (rank: number): void => {
    if (rank < TAIL * n) tail.push(Number((1 - (rank - 0.5) / n).toFixed(9)));
  };
  add(1);
  for (let rank = 2; rank < TAIL * n; rank *= 2) {
    add(rank);
    add(1.5 * rank);
  }
  return [...Array.from({ length: PIECES }, (_, i) => i / PIECES), ...tail.reverse(), 1];
}

/** Quantiles of a sample, linear between the k-th value at (k - 1/2)/n. */
function hazen(sorted: Float64Array): (p: number) => number {
  const n = sorted.length;
  return (p) => {
    const position = Math.min(n - 1, Math.max(0, p * n - 0.5));
    const i = Math.floor(position);
    const from = sorted[i] as number;
    return from + ((sorted[Math.min(n - 1, i + 1)] as number) - from) * (position - i);
  };
}

/** Whether a step of the stamps holds so many gaps that quantiles differ by less. */
function isStaircase(quantile: (p: number) => number, step: number): boolean {
  for (let i = 1; i < PIECES - 1; i++) {
    if (quantile((i + 1) / PIECES) - quantile(i / PIECES) < step) return step > 0;
  }
  return false;
}

function inverse(rules: FamilyRules, p: readonly number[], probability: number, cut: number): number {
  let low = 0;
  let high = cut;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (rules.cdf(middle, p) < probability) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

export function round(x: number): number {
  return Number(x.toPrecision(6));
}
