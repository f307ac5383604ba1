/** Popularity fits against known laws over a grid of exponents, catalogue sizes and numbers of views. */

import { popularitySampler } from '../../../lib/model/popularity.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { thinkTimeSampler } from '../../../lib/model/think-times.ts';
import type { PopularityLaw } from '../../../lib/model/workload.ts';
import type { PopularityFamily } from '../../traffic/fit/popularity-family.ts';
import { fitPopularity, type PopularityFit } from '../../traffic/fit/popularity-fit.ts';

/** What the fit says of a sample whose law is known. */
export type Finding =
  /** The true family; where all items are alike both are, because zipf 0 and power 1 are the same law. */
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
  /** Whether the truth is a power law. */
  readonly lawful: boolean;
  readonly finding: Finding;
  /** Whose exponent is given: the true family, of two true ones that which was named or, with both as likely, the likelier. */
  readonly family?: PopularityFamily;
  /** Estimated size and its 95 % interval, `null` without an upper end, where the catalogue is not given. */
  readonly catalogue?: number;
  readonly catalogueInterval?: readonly [number, number | null];
  readonly catalogueInside?: boolean;
  /** Its estimate, and whether the 95 % interval (which the likelier family has) holds the truth. */
  readonly exponent?: number;
  readonly interval?: readonly [number, number];
  readonly inside?: boolean;
  readonly seconds: number;
}

export interface GridOptions {
  /** Names of the laws; all when absent. */
  readonly truths?: readonly string[];
  readonly items: readonly number[];
  readonly views: readonly number[];
  readonly replicates: number;
  readonly seed: string;
  /** The fit is not told the size of the catalogue. */
  readonly estimated?: boolean;
  readonly onRow?: (row: GridRow, done: number, of: number) => void;
}

/** Exponents at which all items are equally popular. */
const ALL_ALIKE: Readonly<Record<PopularityFamily, number>> = { power: 1, zipf: 0 };

interface Truth {
  readonly name: string;
  readonly family?: PopularityFamily;
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
  const truths = TRUTHS.filter(({ name }) => options.truths?.includes(name) !== false);
  const of = truths.length * options.items.length * options.views.length;
  for (const truth of truths) {
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
  const fit = fitPopularity(counts, {
    ...(options.estimated === true ? {} : { catalogue: items }),
    replicates: options.replicates,
    seed,
  });
  const distinct = counts.filter((n) => n > 0).length;
  const base = {
    truth: truth.name,
    items,
    views,
    distinct,
    lawful: truth.family !== undefined,
    ...(options.estimated === true && fit !== undefined ? sizeOf(fit, items) : {}),
  };
  const seconds = (): number => (performance.now() - began) / 1000;
  if (fit === undefined) return { ...base, finding: 'refused', seconds: seconds() };
  const uniform = truth.family !== undefined && truth.exponent === ALL_ALIKE[truth.family];
  const own = uniform ? fit.families[0] : fit.families.find(({ family }) => family === truth.family);
  const finding = findingOf(fit, truth.family, uniform);
  if (own === undefined || truth.exponent === undefined) return { ...base, finding, seconds: seconds() };
  const due = uniform ? ALL_ALIKE[own.family] : truth.exponent;
  const { exponent, interval } = own;
  const inside = interval === undefined ? undefined : interval[0] <= due && due <= interval[1];
  return {
    ...base,
    finding,
    family: own.family,
    exponent,
    ...(interval === undefined || inside === undefined ? {} : { interval, inside }),
    seconds: seconds(),
  };
}

function sizeOf(
  { catalogue, catalogueInterval: interval }: PopularityFit,
  items: number,
): Pick<GridRow, 'catalogue' | 'catalogueInterval' | 'catalogueInside'> {
  if (interval === undefined) return { catalogue };
  const [low, high] = interval;
  return {
    catalogue,
    catalogueInterval: interval,
    catalogueInside: low <= items && (high === null || items <= high),
  };
}

function findingOf(fit: PopularityFit, family: PopularityFamily | undefined, uniform: boolean): Finding {
  if (!fit.powerLaw) return 'no power law';
  if (family === undefined) return 'wrong family';
  if (uniform || fit.family === family) return 'right';
  return fit.family === 'either' ? 'undecided' : 'wrong family';
}
