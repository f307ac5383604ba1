/** Popularity fits against known laws over a grid of exponents, catalogue sizes and numbers of views. */
import { thinkTimeSampler } from '../../../lib/distributions.ts';
import { popularitySampler } from '../../../lib/popularity.ts';
import { hashSeed, sessionRandom } from '../../../lib/random.ts';
import type { PopularityLaw } from '../../../lib/workload.ts';
import { fitPopularity } from '../fit/popularity-fit.ts';

/** What the fit says of a sample whose law is known. */
export type Finding =
  /** The true family, or `either` where both laws are the same. */
  | 'right'
  /** Both families are as likely. */
  | 'undecided'
  | 'wrong family'
  /** The curve itself: right for data that follow no power law. */
  | 'no power law'
  | 'refused';

export interface GridRow {
  readonly truth: string;
  readonly items: number;
  readonly views: number;
  readonly distinct: number;
  readonly finding: Finding;
  /** Estimate for the true family, and whether its 95 % interval (of the family that was named) holds the truth. */
  readonly exponent?: number;
  readonly interval?: readonly [number, number];
  readonly inside?: boolean;
  readonly seconds: number;
}

export interface GridOptions {
  readonly items: readonly number[];
  readonly views: readonly number[];
  readonly replicates: number;
  readonly seed: string;
  readonly onRow?: (row: GridRow, done: number, of: number) => void;
}

interface Truth {
  readonly name: string;
  readonly family?: 'power' | 'zipf';
  readonly exponent?: number;
  law(items: number): PopularityLaw;
}

export const TRUTHS: readonly Truth[] = [
  ...[0, 0.5, 2 / 3, 1, 1.2, 1.5].map(
    (s): Truth => ({
      name: `zipf ${Number(s.toFixed(3))}`,
      family: 'zipf',
      exponent: s,
      law: () => ({ law: 'zipf', s }),
    }),
  ),
  ...[1, 2, 3, 4].map(
    (g): Truth => ({ name: `power ${g}`, family: 'power', exponent: g, law: () => ({ law: 'power', g }) }),
  ),
  {
    name: 'two levels',
    law: (items) => ({
      law: 'empirical',
      curve: [
        [Math.round(items / 20), 0.55],
        [items, 1],
      ],
    }),
  },
  { name: 'lognormal', law: lognormal },
];

/** Weights exp(1.5 z) of normal z, largest first: straight nowhere on log-log axes. */
function lognormal(items: number): PopularityLaw {
  const random = sessionRandom(hashSeed('lognormal weights'), items);
  const draw = thinkTimeSampler({ law: 'lognormal', mu: 0, sigma: 1.5 });
  const weights = Array.from({ length: items }, () => draw(random)).sort((a, b) => b - a);
  const total = weights.reduce((sum, w) => sum + w, 0);
  const curve: [number, number][] = [];
  let sum = 0;
  let next = 1;
  weights.forEach((w, k) => {
    sum += w;
    if (k + 1 < next && k + 1 < items) return;
    curve.push([k + 1, k + 1 === items ? 1 : sum / total]);
    next = Math.max(k + 2, (k + 1) * 1.03);
  });
  return { law: 'empirical', curve };
}

/** One row for each truth, catalogue and number of views. */
export function popularityGrid(options: GridOptions): GridRow[] {
  const rows: GridRow[] = [];
  const of = TRUTHS.length * options.items.length * options.views.length;
  for (const truth of TRUTHS) {
    for (const items of options.items) {
      for (const views of options.views) {
        const row = oneFit(truth, items, views, options);
        rows.push(row);
        options.onRow?.(row, rows.length, of);
      }
    }
  }
  return rows;
}

function oneFit(truth: Truth, items: number, views: number, options: GridOptions): GridRow {
  const began = performance.now();
  const seed = `${options.seed} ${truth.name} ${items} ${views}`;
  const random = sessionRandom(hashSeed(seed), 0);
  const draw = popularitySampler(truth.law(items), items);
  const counts = new Uint32Array(items);
  for (let i = 0; i < views; i++) {
    const item = draw(random);
    counts[item] = (counts[item] as number) + 1;
  }
  const fit = fitPopularity(counts, { catalogue: items, replicates: options.replicates, seed });
  const base = { truth: truth.name, items, views, distinct: counts.filter((n) => n > 0).length };
  const seconds = (): number => (performance.now() - began) / 1000;
  if (fit === undefined) return { ...base, finding: 'refused', seconds: seconds() };
  const own = fit.families.find(({ family }) => family === truth.family);
  const uniform = truth.exponent === (truth.family === 'zipf' ? 0 : 1);
  const finding: Finding = !fit.powerLaw
    ? 'no power law'
    : truth.family === undefined
      ? 'wrong family'
      : fit.family === truth.family || (fit.family === 'either' && uniform)
        ? 'right'
        : fit.family === 'either'
          ? 'undecided'
          : 'wrong family';
  if (own === undefined || truth.exponent === undefined) return { ...base, finding, seconds: seconds() };
  const { exponent, interval } = own;
  const inside = interval === undefined ? undefined : interval[0] <= truth.exponent && truth.exponent <= interval[1];
  return {
    ...base,
    finding,
    exponent,
    ...(interval === undefined || inside === undefined ? {} : { interval, inside }),
    seconds: seconds(),
  };
}
