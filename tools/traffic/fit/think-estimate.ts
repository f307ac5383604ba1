/** What a fitted law of think times consists of. */
import type { ThinkFamily } from './think-laws.ts';

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
  /** Gaps that stand apart and were left out of the parameters; only a law with sharp ends needs that. */
  readonly strays?: number;
}
