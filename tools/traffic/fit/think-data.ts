/** Gaps prepared for the fits, and their likelihood under a law. */
import { type FamilyRules, smearedDensity } from './think-laws.ts';

export interface Data {
  readonly x: Float64Array;
  readonly weight: Float64Array;
  readonly n: number;
}

export function exact(sorted: Float64Array, step: number): Data {
  // Zero and below cannot be a think time; half a step is the least that the stamps can tell.
  const floor = Math.max(step / 2, 1e-4);
  return {
    x: sorted.map((v) => Math.max(floor, v)),
    weight: new Float64Array(sorted.length).fill(1),
    n: sorted.length,
  };
}

/** Gaps in cells a twentieth of the step wide (wider far out), within which the smeared density hardly changes. */
export function grouped(sorted: Float64Array, step: number, relative = 0.005): Data {
  const x: number[] = [];
  const weight: number[] = [];
  let sum = 0;
  let n = 0;
  let from = Number.NaN;
  const flush = (): void => {
    if (n > 0) {
      x.push(sum / n);
      weight.push(n);
    }
    sum = 0;
    n = 0;
  };
  for (const value of sorted) {
    if (!(value - from <= Math.max(step / 20, value * relative))) {
      flush();
      from = value;
    }
    sum += value;
    n++;
  }
  flush();
  return { x: Float64Array.from(x), weight: Float64Array.from(weight), n: sorted.length };
}

export function likelihood(rules: FamilyRules, p: readonly number[], data: Data, step: number, cut: number): number {
  let sum = 0;
  for (let i = 0; i < data.x.length; i++) {
    const x = data.x[i] as number;
    const density = step > 0 ? Math.log(smearedDensity(rules, p, x, step) + 1e-300) : rules.logDensity(x, p);
    sum += (data.weight[i] as number) * density;
  }
  // Only gaps up to the session rule's cut were seen.
  const seen = rules.cdf(cut, p);
  return sum - data.n * Math.log(Math.max(seen, 1e-300));
}
