/**
 * Laws by which sessions pick one of n items that stand in popularity order (rank 1 first).
 *
 * | law       | draw of the 0-based index                         | P(rank <= k)                        |
 * |-----------|---------------------------------------------------|-------------------------------------|
 * | single    | always `index`                                    | 0 below that rank, 1 from there     |
 * | uniform   | floor(n u)                                        | k/n                                 |
 * | power     | floor(n u^g): index < k exactly when u < (k/n)^(1/g) | (k/n)^(1/g)                      |
 * | zipf      | rejection-inversion, see zipf.ts                  | H(k, s) / H(n, s), H harmonic number |
 * | empirical | inverse of the curve, ranks of a piece alike      | linear between the curve's points   |
 *
 * `power` has the tail of a Zipf law with s = 1 - 1/g but a heavier head, so the two are laws of their own.
 */
import type { Random } from './random.ts';
import type { PopularityLaw } from './workload.ts';
import { zipfCdf, zipfSampler } from './zipf.ts';

type Empirical = Extract<PopularityLaw, { law: 'empirical' }>['curve'];

/**
 * Sampler of 0-based indices below `n`; made once, then free of allocation.
 * @param n number of items, an integer >= 1
 * @throws RangeError when the law does not fit `n` or a parameter is out of range
 */
export function popularitySampler(law: PopularityLaw, n: number): (random: Random) => number {
  check(law, n);
  switch (law.law) {
    case 'single': {
      const index = law.index ?? 0;
      return () => index;
    }
    case 'uniform':
      return (random) => Math.floor(n * random());
    case 'power': {
      const { g } = law;
      // u^g can round up to 1 when g is tiny.
      return (random) => Math.min(n - 1, Math.floor(n * random() ** g));
    }
    case 'zipf': {
      const rank = zipfSampler(law.s, n);
      return (random) => rank(random) - 1;
    }
    case 'empirical': {
      const { curve } = law;
      return (random) => {
        const u = random();
        const i = firstAbove(curve, 1, u);
        const [r1, c1] = point(curve, i);
        const [r0, c0] = point(curve, i - 1);
        return Math.min(r1 - 1, r0 + Math.floor(((u - c0) / (c1 - c0)) * (r1 - r0)));
      };
    }
  }
}

/**
 * Exact P(rank <= k) of the law over `n` items; `rank` is 1-based, below 1 gives 0 and above n gives 1.
 * @throws RangeError as `popularitySampler`
 */
export function popularityCdf(law: PopularityLaw, n: number): (rank: number) => number {
  check(law, n);
  const cdf = cdfWithin(law, n);
  return (rank) => (rank < 1 ? 0 : rank >= n ? 1 : cdf(Math.floor(rank)));
}

function cdfWithin(law: PopularityLaw, n: number): (k: number) => number {
  switch (law.law) {
    case 'single':
      return (k) => (k > (law.index ?? 0) ? 1 : 0);
    case 'uniform':
      return (k) => k / n;
    case 'power':
      return (k) => (k / n) ** (1 / law.g);
    case 'zipf':
      return zipfCdf(law.s, n);
    case 'empirical':
      return (k) => {
        const i = firstAbove(law.curve, 0, k);
        const [r1, c1] = point(law.curve, i);
        const [r0, c0] = point(law.curve, i - 1);
        return i >= law.curve.length ? 1 : c0 + ((c1 - c0) * (k - r0)) / (r1 - r0);
      };
  }
}

/** Point `i` of the curve; the point before the first is the origin. */
function point(curve: Empirical, i: number): readonly [number, number] {
  return curve[i] ?? (i < 0 ? ORIGIN : END);
}
const ORIGIN = [0, 0] as const;
const END = [1, 1] as const;

/** Index of the first point whose rank (column 0) or share (column 1) exceeds `value`; the number of points if none does. */
function firstAbove(curve: Empirical, column: 0 | 1, value: number): number {
  let low = 0;
  let high = curve.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (point(curve, middle)[column] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function check(law: PopularityLaw, n: number): void {
  const wrong = fault(law, n);
  if (wrong) throw new RangeError(`popularity ${law.law}: ${wrong}`);
}

/** What is wrong with the law over `n` items, if anything. */
function fault(law: PopularityLaw, n: number): string | undefined {
  if (!(n >= 1 && n % 1 === 0)) return `needs at least one item, not ${n}`;
  if (law.law === 'power' && !(law.g > 0 && law.g < Infinity)) return `g is ${law.g}, must be above 0`;
  if (law.law === 'zipf' && !(law.s >= 0 && law.s < Infinity)) return `s is ${law.s}, must be 0 or more`;
  if (law.law === 'single') {
    const index = law.index ?? 0;
    if (!(index >= 0 && index < n && index % 1 === 0)) return `index ${index} is outside the ${n} items`;
  }
  if (law.law === 'empirical') {
    let before: readonly [number, number] = ORIGIN;
    for (const [rank, share] of law.curve) {
      if (!(rank > before[0] && rank % 1 === 0 && share > before[1])) return 'ranks and shares must rise';
      before = [rank, share];
    }
    if (Math.abs(before[1] - 1) > 1e-9) return `the curve ends at share ${before[1]}, must end at 1`;
    if (before[0] > n) return `the curve ends at rank ${before[0]}, but there are ${n} items`;
  }
  return undefined;
}
