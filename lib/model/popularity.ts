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

type Curve = Extract<PopularityLaw, { law: 'empirical' }>['curve'];

/**
 * Sampler of 0-based indices below `n`; made once, then free of allocation.
 * @param n number of items, an integer >= 1
 * @throws RangeError when the law does not fit `n` or a parameter is out of range
 */
export const popularitySampler = (law: PopularityLaw, n: number): ((random: Random) => number) => {
  check(law, n);
  return checkedSampler(law, n);
};

/** The same for a law that was checked for `n` before: what VUs use, whose plan VU 0 has checked. */
export const checkedSampler = (law: PopularityLaw, n: number): ((random: Random) => number) => {
  switch (law.law) {
    case 'single': {
      const index = law.index ?? 0;
      return () => index;
    }
    case 'uniform':
      return (random) => (n * random()) | 0;
    case 'power': {
      const { g } = law;
      return (random) => {
        const index = (n * random() ** g) | 0;
        // u^g can round up to 1 when g is tiny.
        return index < n ? index : n - 1;
      };
    }
    case 'zipf': {
      const rank = zipfSampler(law.s, n);
      return (random) => rank(random) - 1;
    }
    case 'empirical': {
      const { curve } = law;
      return (random) => {
        const u = random();
        // `firstAbove`, written out: every VU would hold the function. The last share may be 1 only to rounding.
        let i = 0;
        let high = curve.length - 1;
        while (i < high) {
          const middle = (i + high) >> 1;
          if ((curve[middle] as Curve[number])[1] > u) high = middle;
          else i = middle + 1;
        }
        const before = curve[i - 1] ?? [0, 0];
        const point = curve[i] ?? [0, 0];
        const share = (u - before[1]) / (point[1] - before[1]);
        return Math.min(point[0] - 1, before[0] + Math.floor(share * (point[0] - before[0])));
      };
    }
  }
};

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
        const { curve } = law;
        const i = firstAbove(curve, k);
        if (i === curve.length) return 1;
        const before = curve[i - 1] ?? ORIGIN;
        const point = curve[i] ?? ORIGIN;
        return before[1] + ((point[1] - before[1]) * (k - before[0])) / (point[0] - before[0]);
      };
  }
}

/** The point before the first. */
const ORIGIN = [0, 0] as const;

/** Index of the first point whose rank exceeds `k`; the number of points if none does. */
const firstAbove = (curve: Curve, k: number): number => {
  let low = 0;
  let high = curve.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((curve[middle] as Curve[number])[0] > k) high = middle;
    else low = middle + 1;
  }
  return low;
};

/** Checks what must fit the data and what would never end; the rest of a law is checked where files are read. */
const check = (law: PopularityLaw, n: number): void => {
  const rank =
    law.law === 'single'
      ? (law.index ?? 0) + 1
      : law.law === 'empirical'
        ? (law.curve[law.curve.length - 1]?.[0] ?? 0)
        : 1;
  const exponent = law.law === 'power' ? 1 / law.g : law.law === 'zipf' ? law.s : 0;
  const wrong = !(rank >= 1 && rank <= n)
    ? `asks for item ${rank} of ${n}`
    : !(exponent >= 0 && exponent < Infinity) && 'exponent out of range';
  if (wrong) throw new RangeError(`popularity ${law.law}: ${wrong}`);
};
