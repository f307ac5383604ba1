/** Think times per transition between two endpoints. */

import type { ThinkTimeLaw } from '../../../lib/model/workload.ts';
import { fitThinkTimes, THINK_MINIMUM, type ThinkFit } from '../fit/think-fit.ts';
import type { Transition } from '../pass/transitions.ts';
import { type StepTable, stepName } from './flow-shapes.ts';

export interface ThinkTimeModel {
  /** `from->to` in step names. */
  readonly step: string;
  readonly from: string;
  readonly to: string;
  /** Gaps there were; \`fit.fitted\` is how many of them the law and its intervals rest on. */
  readonly n: number;
  readonly fit?: ThinkFit;
  /** Gaps in cells of equal width, s, from the least to the 99.5 % quantile. */
  readonly histogram?: { readonly from: number; readonly width: number; readonly counts: readonly number[] };
  /** Set instead of `fit`: what is missing. */
  readonly refused?: string;
}

/** Transitions shown; rarer ones are noise of the session rule. */
const MAX_TRANSITIONS = 60;

/** Gaps nearer than this, s, are the same: those of single kinds of sessions are kept as 32-bit floats. */
const EQUAL = 1e-4;

export interface ThinkTiming {
  readonly nameOf: (route: number) => string;
  /** Step of the time stamps. */
  readonly stepSeconds: number;
  /** Silence that ends a session. */
  readonly cutSeconds: number;
  /** Names the steps. */
  readonly suite: StepTable;
}

export function thinkTimeModels(
  transitions: readonly Transition[],
  { nameOf, stepSeconds, cutSeconds, suite }: ThinkTiming,
): ThinkTimeModel[] {
  return transitions.slice(0, MAX_TRANSITIONS).map((transition) => {
    const from = nameOf(transition.from);
    const to = nameOf(transition.to);
    const base = { step: `${stepName(from, suite)}->${stepName(to, suite)}`, from, to, n: transition.gaps.n };
    const fit = fitThinkTimes(transition.gaps.values, { step: stepSeconds, cut: cutSeconds, n: transition.gaps.n });
    if (fit !== undefined && fit.mean < 0) {
      return {
        ...base,
        refused: `the mean gap is ${fit.mean.toFixed(2)} s: most of these requests begin before the one before has ended (parallel calls, or lines that were given twice)`,
      };
    }
    return fit === undefined
      ? { ...base, refused: `${transition.gaps.n} gaps, a law takes ${THINK_MINIMUM}` }
      : { ...base, fit, histogram: histogramOf(transition.gaps.values, stepSeconds) };
  });
}

/**
 * The transitions of some sessions whose gaps differ from those of all sessions by more than chance, by Kolmogorov and
 * Smirnov's D at 1 %, and are enough for a law; the others are better told by all sessions, which are more.
 */
export function unlikeAll(some: readonly Transition[], all: readonly Transition[]): Transition[] {
  const byPair = new Map(all.map((one) => [one.from * 65_536 + one.to, one.gaps]));
  return some.filter(({ from, to, gaps }) => {
    const whole = byPair.get(from * 65_536 + to);
    const [n, m] = [gaps.values.length, whole?.values.length ?? 0];
    if (whole === undefined || n < THINK_MINIMUM) return false;
    // The variance of a part's distance from its whole is 1/n less 1/N; a sample of the whole is almost another sample.
    const variance = 1 / n + (whole.n === m ? -1 : 1) / m;
    return twoSampleDistance(gaps.values, whole.values) > 1.63 * Math.sqrt(Math.max(0, variance));
  });
}

/** Largest difference of two samples' distribution functions, 0 to 1. */
function twoSampleDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [x, y] = [Float64Array.from(a).sort(), Float64Array.from(b).sort()];
  let [i, j, largest] = [0, 0, 0];
  while (i < x.length && j < y.length) {
    const at = Math.min(x[i] as number, y[j] as number) + EQUAL;
    while (i < x.length && (x[i] as number) <= at) i++;
    while (j < y.length && (y[j] as number) <= at) j++;
    largest = Math.max(largest, Math.abs(i / x.length - j / y.length));
  }
  return largest;
}

/** Gaps of each transition that go into the law of rare ones. */
const GAPS_OF_RARE = 500;

/** One law for all transitions that get none of their own; of all transitions when those have too few gaps. */
export function lawOfRare(
  transitions: readonly Transition[],
  { stepSeconds, cutSeconds }: ThinkTiming,
): { n: number; law: ThinkTimeLaw } | undefined {
  const gapsOf = (some: readonly Transition[]): number[] =>
    some.flatMap(({ gaps }) => Array.from(gaps.values.subarray(0, GAPS_OF_RARE)));
  const rare = gapsOf(transitions.filter(({ gaps }, i) => i >= MAX_TRANSITIONS || gaps.n < THINK_MINIMUM));
  const gaps = rare.length >= THINK_MINIMUM ? rare : gapsOf(transitions);
  const fit = fitThinkTimes(gaps, { step: stepSeconds, cut: cutSeconds });
  return fit === undefined ? undefined : { n: gaps.length, law: fit.law };
}

/** Thirty cells or so; never finer than the time stamps, whose steps would show as teeth. */
function histogramOf(values: ArrayLike<number>, step: number): NonNullable<ThinkTimeModel['histogram']> {
  const sorted = Float64Array.from(values).sort();
  const low = sorted[0] as number;
  const high = sorted[Math.floor(0.995 * (sorted.length - 1))] as number;
  const width = Math.max(step, (high - low) / 30, 1e-3);
  const counts = new Array<number>(Math.max(1, Math.floor((high - low) / width) + 1)).fill(0);
  for (const value of sorted) {
    const cell = Math.floor((value - low) / width);
    if (cell < counts.length) counts[cell] = (counts[cell] as number) + 1;
  }
  // Whole steps lie in the middle of their cell.
  return { from: width === step ? low - step / 2 : low, width, counts };
}
