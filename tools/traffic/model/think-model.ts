/** Think times per transition between two endpoints. */
import { fitThinkTimes, THINK_MINIMUM, type ThinkFit } from '../fit/think-fit.ts';
import type { Transition } from '../pass/transitions.ts';
import { stepName } from './flow-shapes.ts';

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
}

export function thinkTimeModels(
  transitions: readonly Transition[],
  { nameOf, stepSeconds, cutSeconds }: ThinkTiming,
): ThinkTimeModel[] {
  return transitions.slice(0, MAX_TRANSITIONS).map((transition) => {
    const from = nameOf(transition.from);
    const to = nameOf(transition.to);
    const base = { step: `${stepName(from)}->${stepName(to)}`, from, to, n: transition.gaps.n };
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
 * The transitions of one kind of session whose gaps differ from those of all sessions by more than chance, by Kolmogorov and
 * Smirnov's D at 1 %; the others are better told by all sessions, which are more.
 */
export function differing(own: readonly Transition[], all: readonly Transition[]): Transition[] {
  return own.filter((one) => {
    const whole = all.find((other) => other.from === one.from && other.to === one.to);
    if (whole === undefined) return true;
    const a = Float64Array.from(one.gaps.values).sort();
    const b = Float64Array.from(whole.gaps.values).sort();
    // The variance of a part's distance from its whole is 1/n less 1/N; a sample of the whole is almost another sample.
    const variance = 1 / a.length + (whole.gaps.n === b.length ? -1 : 1) / b.length;
    return distanceBetween(a, b) > 1.63 * Math.sqrt(Math.max(0, variance));
  });
}

/** Largest distance between the distribution functions of two sorted samples, 0 to 1. */
function distanceBetween(a: Float64Array, b: Float64Array): number {
  let worst = 0;
  let i = 0;
  let k = 0;
  while (i < a.length && k < b.length) {
    const x = Math.min(a[i] as number, b[k] as number);
    while (i < a.length && (a[i] as number) <= x + EQUAL) i++;
    while (k < b.length && (b[k] as number) <= x + EQUAL) k++;
    worst = Math.max(worst, Math.abs(i / a.length - k / b.length));
  }
  return worst;
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
