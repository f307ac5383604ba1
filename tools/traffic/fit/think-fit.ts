/** Think-time laws fitted to the gaps of one transition by maximum likelihood, compared by AIC, each with intervals. */
import type { ThinkTimeLaw } from '../../../lib/model/workload.ts';
import { gapOutliers } from './gap-outliers.ts';
import { covariance, nelderMead } from './optimise.ts';
import { type Data, exact, grouped, likelihood } from './think-data.ts';
import { distanceOf } from './think-distance.ts';
import type { Estimate, FamilyFit } from './think-estimate.ts';
import { lawOf } from './think-law-out.ts';
import { FAMILIES, type FamilyRules, type Summary, THINK_FAMILIES, type ThinkFamily } from './think-laws.ts';
import { edgeUniform, exactUniform, uniformProfile } from './think-uniform.ts';

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
export function fitThinkTimes(gaps: ArrayLike<number>, options: ThinkFitOptions): ThinkFit | undefined {
  if (gaps.length < THINK_MINIMUM) return undefined;
  const sorted = Float64Array.from(gaps).sort();
  const s = summaryOf(sorted, Math.max(options.step, 1e-4));
  const step = options.step > FINE * s.sd ? options.step : 0;
  const data = step > 0 ? grouped(sorted, step) : exact(sorted, options.step);
  const families = THINK_FAMILIES.map((family) => fitFamily(family, data, s, step, options, sorted)).sort(
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
      options.step,
      options.cut,
    ),
  };
}

function fitFamily(
  family: ThinkFamily,
  data: Data,
  s: Summary,
  step: number,
  options: ThinkFitOptions,
  sorted: Float64Array,
): FamilyFit {
  if (family === 'uniform') {
    const outliers = gapOutliers(sorted, options.step);
    if (outliers.low + outliers.high > 0) {
      const kept = sorted.slice(outliers.low, sorted.length - outliers.high);
      const range = summaryOf(kept, Math.max(options.step, 1e-4));
      const inner = fitKept(
        family,
        step > 0 ? grouped(kept, step) : exact(kept, options.step),
        range,
        step,
        options,
        kept,
      );
      return {
        ...inner,
        strays: outliers.low + outliers.high,
        logLikelihood: inner.logLikelihood + outliers.logLikelihood,
        // Their share is one parameter more.
        aic: inner.aic - 2 * outliers.logLikelihood + 2,
      };
    }
  }
  return fitKept(family, data, s, step, options, sorted);
}

function fitKept(
  family: ThinkFamily,
  data: Data,
  s: Summary,
  step: number,
  options: ThinkFitOptions,
  sorted: Float64Array,
): FamilyFit {
  const rules = FAMILIES[family];
  const { cut } = options;
  const logLikelihood = (free: readonly number[]): number => likelihood(rules, rules.parameters(free), data, step, cut);
  if (family === 'uniform' && step === 0) {
    // Fine stamps still blur the ends when the gaps stand closer together than the stamps' step.
    const blurred = options.step * sorted.length > 0.5 * (s.max - s.min);
    return blurred
      ? edgeUniform(rules, options.step, cut, sorted)
      : exactUniform(rules, data, options.step, cut, sorted);
  }
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
    distance: distanceOf(rules, values, sorted, options.step, cut),
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
