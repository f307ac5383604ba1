import { EXIT } from '../base/exit-codes.ts';
import type { Analysis } from './analyse.ts';

/** 3 for an invalid test even when every objective was kept; else 99 when one was crossed. */
export function exitCodeOf(analysis: Analysis): number {
  if (analysis.verdict.status === 'INVALID') return EXIT.noVerdict;
  return analysis.objectives.some((one) => one.outcome === 'crossed') ? EXIT.thresholds : EXIT.ok;
}
