/** Think-time laws fitted to the gaps of one transition by maximum likelihood, compared by AIC, each with intervals. */
import type { ThinkTimeLaw } from '../../../lib/workload.ts';
import { covariance, maximise1, nelderMead } from './optimise.ts';
import { distanceOf } from './think-distance.ts';
import { lawOf } from './think-law-out.ts';
import {
  FAMILIES,
  type FamilyRules,
  type Summary,
  smearedDensity,
  THINK_FAMILIES,
  type ThinkFamily,
} from './think-laws.ts';

export interface Estimate {
  readonly name: string;
  readonly value: number;
  /** 95 % interval. */
  readonly interval: readonly [number, number];
}

export interface FamilyFit {
  readonly family: ThinkFamily;
  readonly parameters: readonly Estimate[];
  readonly logLikelihood: number;
  readonly aic: number;
  /** Largest distance between the observed distribution and the law's (Kolmogorov and Smirnov's D). */
  readonly distance: number;
}

export interface ThinkFit {
  readonly n: number;
  /** Values the laws were fitted to; fewer than n when a sample was drawn. */
  readonly fitted: number;
  readonly mean: number;
  readonly median: number;
  /** Share of gaps at or below zero: parallel calls or resolution. */
  readonly instant: number;
  /** All families, best first. */
  readonly families: readonly FamilyFit[];
  /** The best family, or `empirical` when none is close to the data. */
  readonly best: ThinkFamily | 'empirical';
  readonly law: ThinkTimeLaw;
}

export interface ThinkFitOptions {
  /** Step of the time stamps, s. */
  readonly step: number;
  /** Gaps above this were cut off by the session rule, s. */
  readonly cut: number;
  /** How many gaps there were, when `gaps` is a sample. */
  readonly n?: number;
}

/** Fewer gaps than this give no law. */
export const THINK_MINIMUM = 50;
/** Steps below this share of the standard deviation are as good as exact. */
const FINE = 0.02;

/** @returns `undefined` below THINK_MINIMUM gaps */
export function fitThinkTimes(gaps: readonly number[], options: ThinkFitOptions): ThinkFit | undefined {
  if (gaps.length < THINK_MINIMUM) return undefined;
  const sorted = Float64Array.from(gaps).sort();
  const s = summaryOf(sorted, Math.max(options.step, 1e-4));
  const step = options.step > FINE * s.sd ? options.step : 0;
  const data = step > 0 ? grouped(sorted, step) : exact(sorted, options.step);
  const families = THINK_FAMILIES.map((family) => fitFamily(family, data, s, step, options.cut, sorted)).sort(
    (a, b) => a.aic - b.aic,
  );
  const top = families[0] as FamilyFit;
  const n = options.n ?? gaps.length;
  // Twice the 1 % point of D for a law known beforehand, and never stricter than 2 %: a law is a model, not the truth.
  const close = top.distance <= Math.max(0.02, 3.26 / Math.sqrt(sorted.length));
  const best = close ? top.family : 'empirical';
  return {
    n,
    fitted: sorted.length,
    mean: s.mean,
    median: sorted[Math.floor(sorted.length / 2)] as number,
    instant: sorted.filter((x) => x <= 0).length / sorted.length,
    families,
    best,
    law: lawOf(
      best,
      top.parameters.map((p) => p.value),
      sorted,
      options.cut,
    ),
  };
}

interface Data {
  readonly x: Float64Array;
  readonly weight: Float64Array;
  readonly n: number;
}

function exact(sorted: Float64Array, step: number): Data {
  // Zero and below cannot be a think time; half a step is the least that the stamps can tell.
  const floor = Math.max(step / 2, 1e-4);
  return {
    x: sorted.map((v) => Math.max(floor, v)),
    weight: new Float64Array(sorted.length).fill(1),
    n: sorted.length,
  };
}

/** Gaps in cells a twentieth of the step wide (wider far out), within which the smeared density hardly changes. */
function grouped(sorted: Float64Array, step: number): Data {
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
    if (!(value - from <= Math.max(step / 20, value * 0.005))) {
      flush();
      from = value;
    }
    sum += value;
    n++;
  }
  flush();
  return { x: Float64Array.from(x), weight: Float64Array.from(weight), n: sorted.length };
}

function fitFamily(
  family: ThinkFamily,
  data: Data,
  s: Summary,
  step: number,
  cut: number,
  sorted: Float64Array,
): FamilyFit {
  const rules = FAMILIES[family];
  const logLikelihood = (free: readonly number[]): number => likelihood(rules, rules.parameters(free), data, step, cut);
  if (family === 'uniform' && step === 0) return exactUniform(rules, data, step, cut, sorted);
  const start = rules.start(s);
  const found = nelderMead(
    logLikelihood,
    start,
    start.map(() => 0.2),
  );
  const parameters = family === 'uniform' ? uniformProfile(logLikelihood, found) : wald(rules, logLikelihood, found.x);
  const values = parameters.map((p) => p.value);
  return {
    family,
    parameters,
    logLikelihood: found.value,
    aic: 2 * start.length - 2 * found.value,
    distance: distanceOf(rules, values, sorted, step),
  };
}

function likelihood(rules: FamilyRules, p: readonly number[], data: Data, step: number, cut: number): number {
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

/**
 * Uniform on (a, b) from exact values: the estimates are the extremes moved out by the mean spacing (unbiased), and the
 * intervals are exact, because (min - a) / (max - min) exceeds t with probability (1 + t)^-(n-1) whatever a and b are.
 */
function exactUniform(rules: FamilyRules, data: Data, step: number, cut: number, sorted: Float64Array): FamilyFit {
  const n = data.n;
  const min = data.x[0] as number;
  const max = data.x[n - 1] as number;
  const range = Math.max(max - min, 1e-9);
  const t = (q: number): number => (1 - q) ** (-1 / (n - 1)) - 1;
  const a = min - range / (n - 1);
  const b = max + range / (n - 1);
  const logLikelihood = likelihood(rules, [min, max], data, step, cut);
  return {
    family: 'uniform',
    parameters: [
      { name: 'min', value: Math.max(0, a), interval: [Math.max(0, min - range * t(0.975)), min - range * t(0.025)] },
      { name: 'max', value: b, interval: [max + range * t(0.025), max + range * t(0.975)] },
    ],
    logLikelihood,
    aic: 4 - 2 * logLikelihood,
    distance: distanceOf(rules, [a, b], sorted, step),
  };
}

/** Estimates with intervals from the curvature of the likelihood, on the optimiser's scale (logarithms of scales). */
function wald(
  rules: FamilyRules,
  logLikelihood: (free: readonly number[]) => number,
  free: readonly number[],
): Estimate[] {
  const rough = covariance(
    logLikelihood,
    free,
    free.map(() => 1e-3),
  );
  const h = free.map((_, i) => Math.max(1e-5, 0.3 * Math.sqrt(rough?.[i]?.[i] ?? 1e-6)));
  const matrix = covariance(logLikelihood, free, h);
  const values = rules.parameters(free);
  return values.map((value, i) => {
    const sd = Math.sqrt(matrix?.[i]?.[i] ?? Number.NaN);
    const end = (sign: number): number =>
      rules.parameters(free.map((v, k) => (k === i ? v + sign * 1.96 * sd : v)))[i] as number;
    return { name: rules.names[i] as string, value, interval: [end(-1), end(1)] as const };
  });
}

/** Ends of a uniform law seen through coarse stamps: intervals where the profile likelihood has fallen by 1.92. */
function uniformProfile(
  logLikelihood: (free: readonly number[]) => number,
  found: { readonly x: readonly number[]; readonly value: number },
): Estimate[] {
  const a = found.x[0] as number;
  const b = a + Math.exp(found.x[1] as number);
  const at = (min: number, max: number): number =>
    max > min ? logLikelihood([min, Math.log(max - min)]) : Number.NEGATIVE_INFINITY;
  const width = b - a;
  const profileMin = (min: number): number =>
    at(
      min,
      maximise1((max) => at(min, max), b - width / 4, b + width / 4, 1e-4),
    );
  const profileMax = (max: number): number =>
    at(
      maximise1((min) => at(min, max), a - width / 4, a + width / 4, 1e-4),
      max,
    );
  const limit = found.value - 1.9207;
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

function summaryOf(sorted: Float64Array, floor: number): Summary {
  let sum = 0;
  let squares = 0;
  let logSum = 0;
  let logSquares = 0;
  for (const x of sorted) {
    const log = Math.log(Math.max(floor / 2, x));
    sum += x;
    squares += x * x;
    logSum += log;
    logSquares += log * log;
  }
  const n = sorted.length;
  const mean = sum / n;
  const logMean = logSum / n;
  return {
    mean,
    sd: Math.sqrt(Math.max(1e-12, squares / n - mean * mean)),
    logMean,
    logSd: Math.sqrt(Math.max(1e-6, logSquares / n - logMean * logMean)),
    min: sorted[0] as number,
    max: sorted[n - 1] as number,
  };
}
