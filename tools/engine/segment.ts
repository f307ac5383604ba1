/**
 * Execution segments: which share of the work this instance does, striped evenly over the whole as k6 stripes it, so that
 * ids and data rows are unique over all instances that share one sequence.
 */
import {
  compareFractions,
  type Fraction,
  greatestCommonDivisor,
  parseSegment,
  parseSequence,
  WHOLE_SEGMENT,
} from '../../lib/k6/segment.ts';
import { EngineError } from './engine-error.ts';

export interface Striping {
  /** Length of the repeating pattern. */
  readonly cycle: number;
  /** Positions of the pattern that are ours, rising. */
  readonly ours: readonly number[];
  /** How many of the first `n` are ours. */
  scale(n: number): number;
  /** Number over all instances of our `i`-th. */
  global(i: number): number;
  /**
   * Striping of work in proportion to each instance's share of `n` VUs: what k6 deals iterations by, so that an instance
   * whose share of the VUs is rounded up takes as much more of the load.
   */
  rescale(n: number): Striping;
}

export const WHOLE: Striping = striping([1], 0);

/**
 * @param segment `0:1/4`, `1/4` (from zero), decimals and percentages too; undefined for the whole
 * @param sequence `0,1/4,1`; what it leaves of the whole, all around the segment without it, are other instances'
 * @throws EngineError (exit code 104)
 */
export function stripingOf(segment: string | undefined, sequence: string | undefined): Striping {
  const own = parseSegment(segment ?? '');
  if (own === undefined) {
    throw EngineError.config(
      `"${segment}" is not an execution segment such as "0:1/4": two rising borders from 0 to 1, each as in 1/4, 0.25 or 25%`,
    );
  }
  const given = sequence ? parseSequence(sequence) : [own.from, own.to];
  if (given === undefined) {
    throw EngineError.config(`"${sequence}" is not an execution segment sequence such as "0,1/4,1": borders that rise`);
  }
  const { from, to } = WHOLE_SEGMENT;
  const bounds = [from, ...given, to].filter((bound, i, all) => i === 0 || !same(bound, all[i - 1] ?? from));
  const index = bounds.findIndex((bound, i) => same(bound, own.from) && same(bounds[i + 1] ?? from, own.to));
  if (index < 0) {
    throw EngineError.config(
      `the segment ${segment || '0:1'} is not part of the execution segment sequence ${sequence}`,
    );
  }
  if (bounds.length === 2) return WHOLE;
  const cycle = bounds.map((bound) => bound.bottom).reduce(leastCommonMultiple, 1);
  const sizes = bounds.slice(1).map((bound, i) => {
    const before = bounds[i] ?? bound;
    return (bound.top * cycle) / bound.bottom - (before.top * cycle) / before.bottom;
  });
  return striping(sizes, index);
}

/** Deals `cycle` positions to segments in proportion to their sizes, the larger ones first, none ahead of its share. */
function distribute(sizes: readonly number[], cycle: number): number[][] {
  const order = sizes.map((_, i) => i).sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b);
  const dealt: number[][] = sizes.map(() => []);
  for (let position = 0; position < cycle; position++) {
    for (const i of order) {
      const mine = dealt[i];
      if (mine !== undefined && mine.length * cycle <= position * (sizes[i] ?? 0)) {
        mine.push(position);
        break;
      }
    }
  }
  return dealt;
}

function striping(sizes: readonly number[], index: number): Striping {
  const cycle = sizes.reduce((sum, size) => sum + size, 0);
  const dealt = distribute(sizes, cycle);
  const ours = dealt[index] ?? [];
  const share = (positions: readonly number[], n: number) => {
    const rounds = Math.floor(n / cycle);
    return rounds * positions.length + positions.filter((position) => position < n - rounds * cycle).length;
  };
  return {
    cycle,
    ours,
    scale: (n) => share(ours, n),
    global: (i) => Math.floor(i / ours.length) * cycle + (ours[i % ours.length] ?? 0),
    rescale: (n) =>
      sizes.length === 1 || n <= 0
        ? striping([1], 0)
        : striping(
            dealt.map((mine) => share(mine, n)),
            index,
          ),
  };
}

const same = (a: Fraction, b: Fraction): boolean => compareFractions(a, b) === 0;
const leastCommonMultiple = (a: number, b: number): number => (a / greatestCommonDivisor(a, b)) * b;
