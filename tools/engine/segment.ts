/**
 * Execution segments: which share of the work this instance does, striped evenly over the whole as k6 stripes it, so that
 * ids and data rows are unique over all instances that share one sequence.
 */
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

interface Fraction {
  readonly top: number;
  readonly bottom: number;
}

export const WHOLE: Striping = striping([1], 0);

/**
 * @param segment `0:1/4`, `1/4` (from zero), decimals and percentages too; undefined for the whole
 * @param sequence `0,1/4,1`; without it the rest of the whole is taken as other instances'
 * @throws EngineError (exit code 104)
 */
export function stripingOf(segment: string | undefined, sequence: string | undefined): Striping {
  if (segment === undefined || segment === '') return WHOLE;
  const [from, to] = parseSegment(segment);
  const bounds =
    sequence === undefined || sequence === ''
      ? [{ top: 0, bottom: 1 }, from, to, { top: 1, bottom: 1 }].filter(
          (f, i, all) => i === 0 || !equal(f, all[i - 1] ?? f),
        )
      : sequence.split(',').map(parseFraction);
  const index = bounds.findIndex((bound, i) => equal(bound, from) && equal(bounds[i + 1] ?? from, to));
  if (index < 0) {
    throw EngineError.config(`the segment ${segment} is not part of the execution segment sequence ${sequence ?? ''}`);
  }
  const cycle = bounds.map((bound) => bound.bottom).reduce(leastCommonMultiple, 1);
  const sizes = bounds.slice(1).map((bound, i) => {
    const before = bounds[i] ?? bound;
    return (bound.top * cycle) / bound.bottom - (before.top * cycle) / before.bottom;
  });
  if (sizes.some((size) => size <= 0)) throw EngineError.config(`the execution segment sequence ${sequence} must rise`);
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

function parseSegment(text: string): [Fraction, Fraction] {
  const parts = text.split(':');
  if (parts.length > 2) throw EngineError.config(`"${text}" is not an execution segment such as "0:1/4"`);
  const fractions = parts.map(parseFraction);
  const first = fractions[0] ?? { top: 0, bottom: 1 };
  const [from, to] = fractions.length === 1 ? [{ top: 0, bottom: 1 }, first] : [first, fractions[1] ?? first];
  if (from.top * to.bottom >= to.top * from.bottom) {
    throw EngineError.config(`the execution segment "${text}" ends before it begins`);
  }
  return [from, to];
}

function parseFraction(text: string): Fraction {
  const trimmed = text.trim();
  const ratio = /^([0-9]+)\/([0-9]+)$/.exec(trimmed);
  const decimal = /^([0-9]+)(?:\.([0-9]+))?(%?)$/.exec(trimmed);
  let fraction: Fraction | undefined;
  if (ratio !== null) fraction = { top: Number(ratio[1]), bottom: Number(ratio[2]) };
  else if (decimal !== null) {
    const scale = 10 ** (decimal[2] ?? '').length;
    fraction = { top: Number(decimal[1] + (decimal[2] ?? '')), bottom: scale * (decimal[3] === '%' ? 100 : 1) };
  }
  if (fraction === undefined || fraction.bottom === 0 || fraction.top > fraction.bottom) {
    throw EngineError.config(`"${text}" is not a fraction between 0 and 1, such as "1/4", "0.25" or "25%"`);
  }
  const divisor = greatestCommonDivisor(fraction.top, fraction.bottom);
  return { top: fraction.top / divisor, bottom: fraction.bottom / divisor };
}

const equal = (a: Fraction, b: Fraction) => a.top * b.bottom === b.top * a.bottom;
const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b));
const leastCommonMultiple = (a: number, b: number): number => (a / greatestCommonDivisor(a, b)) * b;
