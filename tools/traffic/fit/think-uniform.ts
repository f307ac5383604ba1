/** Ends of a uniform think time: exact stamps, fine stamps that blur the ends, coarse stamps. */
import { maximise1, nelderMead } from './optimise.ts';
import { type Data, grouped, likelihood } from './think-data.ts';
import { distanceOf } from './think-distance.ts';
import type { Estimate, FamilyFit } from './think-estimate.ts';
import type { FamilyRules } from './think-laws.ts';

/**
 * Uniform on (a, b) from exact values: the estimates are the extremes moved out by the mean spacing (unbiased), and the
 * intervals are exact, because (min - a) / (max - min) exceeds t with probability (1 + t)^-(n-1) whatever a and b are; the stamps' step is added.
 */
export function exactUniform(
  rules: FamilyRules,
  data: Data,
  step: number,
  cut: number,
  sorted: Float64Array,
): FamilyFit {
  const n = data.n;
  const min = data.x[0] as number;
  const max = data.x[n - 1] as number;
  const range = Math.max(max - min, 1e-9);
  const t = (q: number): number => (1 - q) ** (-1 / (n - 1)) - 1;
  const a = min - range / (n - 1);
  const b = max + range / (n - 1);
  const logLikelihood = likelihood(rules, [min, max], data, 0, cut);
  return {
    family: 'uniform',
    parameters: [
      {
        name: 'min',
        value: Math.max(0, a),
        interval: [Math.max(0, min - range * t(0.975) - step), min - range * t(0.025) + step],
      },
      { name: 'max', value: b, interval: [max + range * t(0.025) - step, max + range * t(0.975) + step] },
    ],
    logLikelihood,
    aic: 4 - 2 * logLikelihood,
    distance: distanceOf(rules, [a, b], sorted, step, cut),
  };
}

/** Uniform ends seen through fine stamps: only gaps near the ends matter, all others have the density 1 / (max - min). */
export function edgeUniform(rules: FamilyRules, step: number, cut: number, sorted: Float64Array): FamilyFit {
  const n = sorted.length;
  const low = sorted[0] as number;
  const high = sorted[n - 1] as number;
  const range = Math.max(high - low, 4 * step);
  const near = Math.min(range / 4, Math.max(20 * step, (20 * range) / n));
  const edge = grouped(
    sorted.filter((x) => x < low + near || x > high - near),
    step,
    0,
  );
  const inner = sorted.filter((x) => x >= low + near && x <= high - near).length;
  const logLikelihood = (free: readonly number[]): number => {
    const p = rules.parameters(free);
    const width = (p[1] as number) - (p[0] as number);
    return likelihood(rules, p, edge, step, cut) - inner * Math.log(width);
  };
  const found = nelderMead(logLikelihood, [low, Math.log(range)], [step, (2 * step) / range]);
  // Where the blur is small against the spacing, the ends are no regular parameters: twice the fall is chi-square with two
  // degrees of freedom rather than one (2.996 against 1.921). In between the limit is interpolated, which `prove` checks.
  const ratio = (step * n) / range;
  const parameters = uniformProfile(logLikelihood, found, 1.9207 + 1.075 / (1 + ratio));
  return {
    family: 'uniform',
    parameters,
    logLikelihood: found.value,
    aic: 4 - 2 * found.value,
    distance: distanceOf(
      rules,
      parameters.map((p) => p.value),
      sorted,
      step,
      cut,
    ),
  };
}

/** Ends of a uniform law seen through coarse stamps: intervals where the profile likelihood has fallen by 1.92. */
export function uniformProfile(
  logLikelihood: (free: readonly number[]) => number,
  found: { readonly x: readonly number[]; readonly value: number },
  fall = 1.9207,
): Estimate[] {
  const a = found.x[0] as number;
  const b = a + Math.exp(found.x[1] as number);
  const at = (min: number, max: number): number =>
    max > min ? logLikelihood([min, Math.log(max - min)]) : Number.NEGATIVE_INFINITY;
  const width = b - a;
  const profileMin = (min: number): number =>
    at(
      min,
      maximise1((max) => at(min, max), b - width / 4, b + width / 4, width * 3e-6),
    );
  const profileMax = (max: number): number =>
    at(
      maximise1((min) => at(min, max), a - width / 4, a + width / 4, width * 3e-6),
      max,
    );
  const limit = found.value - fall;
  const search = (profile: (x: number) => number, from: number, direction: number): number => {
    let step = width / 1000;
    let inside = from;
    while (profile(inside + direction * step) > limit && step < width) {
      inside += direction * step;
      step *= 1.6;
    }
    let outside = inside + direction * step;
    for (let i = 0; i < 14; i++) {
      const middle = (inside + outside) / 2;
      if (profile(middle) > limit) inside = middle;
      else outside = middle;
    }
    return (inside + outside) / 2;
  };
  return [
    {
      name: 'min',
      value: Math.max(0, a),
      interval: [Math.max(0, search(profileMin, a, -1)), search(profileMin, a, 1)],
    },
    { name: 'max', value: b, interval: [search(profileMax, b, -1), search(profileMax, b, 1)] },
  ];
}
