/** Decides one objective: kept, crossed, or why neither can be said. Pure. */
import { holds } from '../../../lib/k6/threshold.ts';
import type { ParsedObjective } from './parse.ts';

export type Outcome = 'kept' | 'crossed' | 'undecided' | 'no samples';

export interface ObjectiveResult {
  readonly key: string;
  readonly expression: string;
  readonly outcome: Outcome;
  readonly limit: number;
  readonly n: number;
  readonly value?: number;
  /** 95 % interval of the value; absent sides are unbounded. Equal to the value for facts such as counts. */
  readonly low?: number;
  readonly high?: number;
  /** For what is not decided: why, and what would decide it. */
  readonly why?: string;
  /** Seconds of the same load that would decide it, roughly; absent where no length would, or where it is not known. */
  readonly needSeconds?: number;
  /** k6's own result, where it says another thing or ours is not decided. */
  readonly k6?: 'kept' | 'crossed';
}

/** What was measured for an objective. */
export interface Measured {
  readonly n: number;
  readonly value: number | undefined;
  /** Interval sides; `undefined` on an estimate means unbounded. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** Why the value cannot carry a pass (too few samples beyond the quantile); a crossing may still be certain. */
  readonly weak?: string;
  /** The value is a fact (count, maximum), not an estimate. */
  readonly exact: boolean;
}

/** Judges what was measured. An interval that straddles the limit, or an unbounded side, decides nothing. */
export function decide(objective: ParsedObjective, measured: Measured): ObjectiveResult {
  const { key, expression, limit, operator, k6Crossed } = objective;
  const k6 = k6Crossed === undefined ? {} : { k6: k6Crossed ? ('crossed' as const) : ('kept' as const) };
  const base = { key, expression, limit, n: measured.n, ...k6 };
  const { value } = measured;
  if (value === undefined || (measured.n === 0 && !measured.exact)) {
    return { ...base, outcome: 'no samples', why: 'no sample has this metric and these tags: nothing was tested' };
  }
  const passes = holds(value, operator, limit);
  const shown = {
    ...base,
    value,
    ...(measured.low === undefined ? {} : { low: measured.low }),
    ...(measured.high === undefined ? {} : { high: measured.high }),
  };
  if (measured.exact || operator === '==' || operator === '!=')
    return { ...shown, outcome: passes ? 'kept' : 'crossed' };
  const upward = operator === '<' || operator === '<=';
  const low = measured.low ?? Number.NEGATIVE_INFINITY;
  const high = measured.high ?? Number.POSITIVE_INFINITY;
  const certainlyCrossed = !passes && !holds(upward ? low : high, operator, limit);
  if (certainlyCrossed) return { ...shown, outcome: 'crossed' };
  if (measured.weak !== undefined) return { ...shown, outcome: 'undecided', why: measured.weak };
  const certainlyKept = passes && holds(upward ? high : low, operator, limit);
  if (certainlyKept) return { ...shown, outcome: 'kept' };
  return {
    ...shown,
    outcome: 'undecided',
    why: `the 95 % interval of the value holds the limit ${limit}`,
  };
}
