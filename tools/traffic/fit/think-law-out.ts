/** The fitted law as workload.json has it. */
import type { ThinkTimeLaw } from '../../../lib/workload.ts';
import { FAMILIES, type FamilyRules, type ThinkFamily } from './think-laws.ts';

/** The law for workload.json; families that it does not know are written as quantiles. */
export function lawOf(
  best: ThinkFamily | 'empirical',
  parameters: readonly number[],
  sorted: Float64Array,
  cut: number,
): ThinkTimeLaw {
  const value = (i: number): number => round(parameters[i] ?? 0);
  if (best === 'uniform') return { law: 'uniform', min: value(0), max: value(1) };
  if (best === 'exponential') return { law: 'exponential', mean: value(0), cap: round(cut) };
  if (best === 'lognormal') return { law: 'lognormal', mu: value(0), sigma: value(1), cap: round(cut) };
  const points = 50;
  const quantiles: number[] = [];
  for (let i = 0; i <= points; i++) {
    const p = i / points;
    if (best === 'empirical') {
      quantiles.push(Math.max(0, sorted[Math.min(sorted.length - 1, Math.round(p * (sorted.length - 1)))] as number));
    } else {
      quantiles.push(inverse(FAMILIES[best], parameters, Math.min(0.9995, p), cut));
    }
  }
  return { law: 'empirical', quantiles: quantiles.map(round) };
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
