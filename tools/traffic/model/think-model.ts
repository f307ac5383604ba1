/** Think times per transition between two endpoints. */
import { fitThinkTimes, THINK_MINIMUM, type ThinkFit } from '../fit/think-fit.ts';
import type { Transition } from '../pass/transitions.ts';
import { stepName } from './flow-shapes.ts';

export interface ThinkTimeModel {
  /** `from->to` in step names. */
  readonly step: string;
  readonly from: string;
  readonly to: string;
  readonly n: number;
  readonly fit?: ThinkFit;
  /** Gaps in cells of equal width, s, from the least to the 99.5 % quantile. */
  readonly histogram?: { readonly from: number; readonly width: number; readonly counts: readonly number[] };
  /** Set instead of `fit`: what is missing. */
  readonly refused?: string;
}

/** Transitions shown; rarer ones are noise of the session rule. */
const MAX_TRANSITIONS = 60;

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
    return fit === undefined
      ? { ...base, refused: `${transition.gaps.n} gaps, a law takes ${THINK_MINIMUM}` }
      : { ...base, fit, histogram: histogramOf(transition.gaps.values, stepSeconds) };
  });
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
