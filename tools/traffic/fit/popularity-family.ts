/** One popularity family (power or zipf) fitted to item counts over a catalogue, with a bootstrap interval. */
import { popularityCdf, popularitySampler } from '../../../lib/model/popularity.ts';
import type { Random } from '../../../lib/model/random.ts';
import type { PopularityLaw } from '../../../lib/model/workload.ts';
import { type MatchingLikelihood, matchingLikelihood } from './matching-likelihood.ts';
import { maximiseOnGrid } from './optimise.ts';
import { poissonDraw } from './poisson.ts';
import { binProbabilities, countClasses, type RankBins, rankBins } from './rank-bins.ts';

export type PopularityFamily = 'power' | 'zipf';

interface Rules {
  /** Free number of the optimiser to the law. */
  readonly law: (free: number) => PopularityLaw;
  readonly exponent: (free: number) => number;
  readonly grid: readonly number[];
  /** Free number at which all items are equally popular: g = 1, s = 0. */
  readonly uniform: number;
}

const range = (low: number, high: number, n: number): number[] =>
  Array.from({ length: n }, (_, i) => low + ((high - low) * i) / (n - 1));

/** Power: free = ln g, g from 0.7 to 20. Zipf: free = s, from 0 to 3. */
export const RULES: Readonly<Record<PopularityFamily, Rules>> = {
  power: {
    law: (free) => ({ law: 'power', g: Math.exp(free) }),
    exponent: Math.exp,
    grid: range(Math.log(0.7), Math.log(20), 15),
    uniform: 0,
  },
  zipf: {
    law: (free) => ({ law: 'zipf', s: Math.max(0, free) }),
    exponent: (free) => Math.max(0, free),
    grid: range(0, 3, 16),
    uniform: 0,
  },
};

export interface FamilyPoint {
  readonly family: PopularityFamily;
  readonly free: number;
  readonly logLikelihood: number;
}

/** Mean views an item from which its rank shows, if the items differ. */
const MANY_VIEWS = 300;
/** Variance over mean of the counts (1 when all items are alike) from which they differ enough for that. */
const DIFFERENT = 25;

/**
 * Whether each item has been viewed so often that the observed order is as good as the true one. The bins of ranks would be
 * too coarse then: within one of them the items' shares differ by more than chance lets their counts differ.
 */
export function ranksShow(counts: ArrayLike<number>, items: number): boolean {
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < counts.length; i++) {
    sum += counts[i] as number;
    squares += (counts[i] as number) ** 2;
  }
  const mean = sum / items;
  return mean >= MANY_VIEWS && squares / items - mean * mean >= DIFFERENT * mean;
}

/** Multinomial log-likelihood with the observed order as the ranks; the bootstrap takes out what is left of its bias. */
function knownRanks(family: PopularityFamily, counts: ArrayLike<number>, items: number): (free: number) => number {
  const sorted = Float64Array.from(counts).sort().reverse();
  return (free) => {
    const cdf = popularityCdf(RULES[family].law(free), items);
    let value = 0;
    let before = 0;
    for (let k = 0; k < sorted.length && (sorted[k] as number) > 0; k++) {
      const upTo = cdf(k + 1);
      value += (sorted[k] as number) * Math.log(Math.max(upTo - before, 1e-300));
      before = upTo;
    }
    return value;
  };
}

/**
 * Likelihoods of one family as functions of its free number; see MatchingLikelihood.
 * @param known whether the observed order is taken for the true one
 */
export function familyLikelihood(
  family: PopularityFamily,
  counts: ArrayLike<number>,
  bins: RankBins,
  known: boolean = ranksShow(counts, bins.items),
): { readonly full: (free: number) => number; readonly rough: (free: number) => number } {
  if (known) {
    const likelihood = knownRanks(family, counts, bins.items);
    return { full: likelihood, rough: likelihood };
  }
  const likelihood: MatchingLikelihood = matchingLikelihood(bins.size, countClasses(counts, bins.items));
  const probabilities = (free: number): Float64Array =>
    binProbabilities(bins, popularityCdf(RULES[family].law(free), bins.items));
  return {
    full: (free) => likelihood.of(probabilities(free)),
    rough: (free) => likelihood.rough(probabilities(free)),
  };
}

export interface FamilyOptions {
  /** Free number to begin at; searched for when absent. */
  readonly start?: number;
  /** Whether the observed order is taken for the true one; found from the counts when absent. */
  readonly known?: boolean;
}

/** Maximum-likelihood fit over a catalogue of `items`. */
export function fitFamily(
  family: PopularityFamily,
  counts: ArrayLike<number>,
  items: number,
  options: FamilyOptions = {},
): FamilyPoint {
  const { full, rough } = familyLikelihood(family, counts, rankBins(items), options.known);
  const start = options.start ?? maximiseOnGrid(rough, RULES[family].grid, 1e-3);
  const [low] = RULES[family].grid as [number];
  const scale = curvatureScale(rough, start, low);
  const free = nearMaximum(full, nearMaximum(full, start, 2 * scale, low), scale, low);
  return { family, free, logLikelihood: full(free) };
}

export interface Bootstrap {
  /** Refitted free numbers. */
  readonly free: readonly number[];
  /** Sorted counts of each replicate, most viewed first, zeros left out. */
  readonly counts: readonly Uint32Array[];
}

/**
 * Parametric bootstrap: draws counts under the fitted law, fits each again. The spread is the estimate's, the mean's distance
 * its bias.
 */
export function bootstrapFamily(
  point: FamilyPoint,
  views: number,
  items: number,
  replicates: number,
  random: Random,
  known?: boolean,
): Bootstrap {
  const bins = rankBins(items);
  const draw = drawer(RULES[point.family].law(point.free), items, views, random);
  const free: number[] = [];
  const counts: Uint32Array[] = [];
  const [low] = RULES[point.family].grid as [number];
  let scale = Number.NaN;
  for (let r = 0; r < replicates; r++) {
    const drawn = draw();
    const f = familyLikelihood(point.family, drawn, bins, known).full;
    if (Number.isNaN(scale)) scale = curvatureScale(f, point.free, low);
    free.push(nearMaximum(f, point.free, scale, low));
    const sorted = drawn.filter((c) => c > 0).sort();
    counts.push(sorted.reverse());
  }
  return { free, counts };
}

/** With more items than this, and several to a view, views are drawn instead of each item's count. */
const MANY_ITEMS = 200_000;

/** Draws counts of a log with Poisson(`views`) views under the law: Poisson counts of each item, however they are come by. */
function drawer(law: PopularityLaw, items: number, views: number, random: Random): () => Uint32Array {
  if (items > MANY_ITEMS && items > 4 * views) {
    const item = popularitySampler(law, items);
    return () => {
      const counts = new Map<number, number>();
      for (let i = poissonDraw(views, random); i > 0; i--) {
        const one = item(random);
        counts.set(one, (counts.get(one) ?? 0) + 1);
      }
      return Uint32Array.from(counts.values());
    };
  }
  const cdf = popularityCdf(law, items);
  const means = new Float64Array(items);
  let before = 0;
  for (let k = 1; k <= items; k++) {
    const upTo = cdf(k);
    means[k - 1] = (upTo - before) * views;
    before = upTo;
  }
  return () => {
    const drawn = new Uint32Array(items);
    for (let k = 0; k < items; k++) drawn[k] = poissonDraw(means[k] as number, random);
    return drawn;
  };
}

/** Standard deviation that the curvature suggests, as a step for the parabolas; not below `low`, where the law stays the same. */
function curvatureScale(f: (x: number) => number, place: number, low: number): number {
  let h = 0.01;
  for (let i = 0; i < 6; i++) {
    const at = Math.max(place, low + h);
    const second = (2 * f(at) - f(at + h) - f(at - h)) / (h * h);
    const sd = second > 0 ? 1 / Math.sqrt(second) : h * 3;
    if (sd > h / 2 && sd < h * 2) return sd;
    h = Math.min(0.3, Math.max(1e-4, sd));
  }
  return h;
}

/** Maximum close to `start`, not below `low`, by two parabolas. */
function nearMaximum(f: (x: number) => number, start: number, scale: number, low: number): number {
  let x = start;
  let h = 2 * scale;
  for (let round = 0; round < 2; round++) {
    x = Math.max(x, low + h);
    const left = f(x - h);
    const middle = f(x);
    const right = f(x + h);
    const bend = left - 2 * middle + right;
    const move = bend < 0 ? (0.5 * h * (left - right)) / bend : right > left ? 2 * h : -2 * h;
    x = Math.max(low, x + Math.max(-4 * h, Math.min(4 * h, move)));
    h /= 2;
  }
  return x;
}
