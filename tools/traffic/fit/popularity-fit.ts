/**
 * Popularity of items: which law, which exponent with which interval, and whether it is a power law at all.
 */
import { popularityCdf } from '../../../lib/popularity.ts';
import { hashSeed, sessionRandom } from '../../../lib/random.ts';
import type { PopularityLaw } from '../../../lib/workload.ts';
import { empiricalCurve } from './empirical-curve.ts';
import {
  type Bootstrap,
  bootstrapFamily,
  type FamilyPoint,
  familyLikelihood,
  fitFamily,
  type PopularityFamily,
  RULES,
} from './popularity-family.ts';
import { type Goodness, goodnessOfFit } from './popularity-goodness.ts';
import { rankBins } from './rank-bins.ts';

export interface ExponentEstimate {
  readonly family: PopularityFamily;
  /** g of `power`, s of `zipf`; corrected for bias when an interval is given. */
  readonly exponent: number;
  /** 95 % interval by parametric bootstrap; only for the better family. */
  readonly interval?: readonly [number, number];
  readonly logLikelihood: number;
}

export interface TopShare {
  readonly top: number;
  /** Share of views of the items most viewed in the log. */
  readonly share: number;
  /** What the fitted law lets expect of the same figure. */
  readonly expected: number;
}

export interface PopularityFit {
  readonly views: number;
  readonly distinct: number;
  /** Distinct items that the fitted law lets expect. */
  readonly expectedDistinct: number;
  readonly catalogue: number;
  readonly catalogueFrom: 'given' | 'estimated';
  /** Items seen once, as a share of the distinct ones. */
  readonly oneHit: number;
  readonly top: readonly TopShare[];
  readonly families: readonly ExponentEstimate[];
  /** The more likely family, or that the data cannot tell. */
  readonly family: PopularityFamily | 'either';
  readonly goodness: Goodness;
  /** The law to run: the better family, or the empirical curve when the counts follow neither. */
  readonly law: PopularityLaw;
  readonly powerLaw: boolean;
  /** Views at geometric ranks in the observed order, for the plot. */
  readonly rankCurve: readonly (readonly [number, number])[];
}

export interface PopularityOptions {
  /** Size of the catalogue; estimated when absent. */
  readonly catalogue?: number;
  readonly replicates?: number;
  readonly seed?: string;
}

/** Fewer views than this give no exponent. */
export const POPULARITY_MINIMUM = 300;
/** The free number of both families at which all items are equally popular: g = 1, s = 0. */
const UNIFORM = 0;
/** Log-likelihood difference below which the data cannot tell the families apart. */
const UNDECIDED = 2;

/** @returns `undefined` below POPULARITY_MINIMUM views or with a single item */
export function fitPopularity(counts: ArrayLike<number>, options: PopularityOptions = {}): PopularityFit | undefined {
  const seen = Float64Array.from(counts).filter((c) => c > 0);
  const views = seen.reduce((sum, c) => sum + c, 0);
  if (views < POPULARITY_MINIMUM || seen.length < 2) return undefined;
  const given = options.catalogue !== undefined && options.catalogue >= seen.length;
  const items = given ? (options.catalogue as number) : estimateCatalogue(seen);
  const points = [fitFamily('power', seen, items), fitFamily('zipf', seen, items)].sort(
    (a, b) => b.logLikelihood - a.logLikelihood,
  );
  const best = points[0] as FamilyPoint;
  const second = points[1] as FamilyPoint;
  const random = sessionRandom(hashSeed(options.seed ?? 'popularity'), 0);
  const bootstrap = bootstrapFamily(best, views, items, options.replicates ?? 100, random);
  const estimate = corrected(best, bootstrap);
  // Exponents that mean "all alike" lie at the end of what is possible, where the bootstrap's spread says little: the
  // likelihood itself decides whether they belong to the interval.
  const uniform = familyLikelihood(best.family, seen, rankBins(items)).full(UNIFORM);
  const { exponent } = RULES[best.family];
  const interval: readonly [number, number] =
    uniform > best.logLikelihood - 1.92
      ? [Math.min(estimate.interval[0], exponent(UNIFORM)), Math.max(estimate.interval[1], exponent(UNIFORM))]
      : estimate.interval;
  const sorted = Uint32Array.from(seen).sort().reverse();
  const goodness = goodnessOfFit(sorted, bootstrap, best.free);
  const law = RULES[best.family].law(estimate.free);
  return {
    views,
    distinct: seen.length,
    expectedDistinct: expectedDistinct(law, items, views),
    catalogue: items,
    catalogueFrom: given ? 'given' : 'estimated',
    oneHit: seen.filter((c) => c === 1).length / seen.length,
    top: topShares(sorted, views, bootstrap),
    families: [
      {
        family: best.family,
        exponent: exponent(estimate.free),
        interval,
        logLikelihood: best.logLikelihood,
      },
      {
        family: second.family,
        exponent: RULES[second.family].exponent(second.free),
        logLikelihood: second.logLikelihood,
      },
    ],
    family: best.logLikelihood - second.logLikelihood < UNDECIDED ? 'either' : best.family,
    goodness,
    law: goodness.rejected ? { law: 'empirical', curve: empiricalCurve(seen, items) } : rounded(law),
    powerLaw: !goodness.rejected,
    rankCurve: rankCurve(sorted),
  };
}

function rankCurve(sorted: Uint32Array): [number, number][] {
  const curve: [number, number][] = [];
  for (let rank = 1; rank <= sorted.length; rank = Math.max(rank + 1, Math.floor(rank * 1.12))) {
    curve.push([rank, sorted[rank - 1] as number]);
  }
  return curve;
}

/** The bootstrap's mean tells the bias, its spread the interval. */
function corrected(point: FamilyPoint, bootstrap: Bootstrap): { free: number; interval: readonly [number, number] } {
  const n = bootstrap.free.length;
  const mean = bootstrap.free.reduce((sum, x) => sum + x, 0) / n;
  const sd = Math.sqrt(bootstrap.free.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1));
  const free = 2 * point.free - mean;
  const { exponent } = RULES[point.family];
  return { free, interval: [exponent(free - 1.96 * sd), exponent(free + 1.96 * sd)] };
}

function rounded(law: PopularityLaw): PopularityLaw {
  if (law.law === 'power') return { law: 'power', g: Number(law.g.toPrecision(5)) };
  return law.law === 'zipf' ? { law: 'zipf', s: Number(law.s.toPrecision(5)) } : law;
}

/** Sum over items of P(seen at least once) = 1 - exp(-n p). */
export function expectedDistinct(law: PopularityLaw, items: number, views: number): number {
  const cdf = popularityCdf(law, items);
  let sum = 0;
  let before = 0;
  for (let k = 1; k <= items; k++) {
    const upTo = cdf(k);
    sum -= Math.expm1(-views * (upTo - before));
    before = upTo;
  }
  return sum;
}

/** Shares of the most viewed items in the log, beside the mean of the same figure over the replicates. */
function topShares(sorted: Uint32Array, views: number, bootstrap: Bootstrap): TopShare[] {
  const shareOf = (counts: Uint32Array, k: number): number => {
    let sum = 0;
    let total = 0;
    for (let i = 0; i < counts.length; i++) {
      total += counts[i] as number;
      if (i < k) sum += counts[i] as number;
    }
    return sum / total;
  };
  return [10, 100, 1000].map((top) => {
    const expected = bootstrap.counts.reduce((sum, counts) => sum + shareOf(counts, top), 0) / bootstrap.counts.length;
    let share = 0;
    for (let i = 0; i < Math.min(top, sorted.length); i++) share += (sorted[i] as number) / views;
    return { top, share, expected };
  });
}

/**
 * Catalogue size when nobody tells it: the one that makes the counts most likely under the better of both laws, on a grid
 * from the items seen upwards.
 */
function estimateCatalogue(seen: Float64Array): number {
  let best = { items: seen.length, value: Number.NEGATIVE_INFINITY };
  for (const factor of [1, 1.02, 1.05, 1.1, 1.2, 1.35, 1.6, 2, 2.6, 3.5, 5, 7, 10, 15, 25]) {
    const items = Math.ceil(seen.length * factor);
    if (items > 2_000_000) break;
    const value = Math.max(fitFamily('power', seen, items).logLikelihood, fitFamily('zipf', seen, items).logLikelihood);
    // The coupling's value counts ways to match; without the factorial of the unseen, sizes could not be compared.
    const adjusted = value - logFactorialRatio(items, seen.length);
    if (adjusted > best.value) best = { items, value: adjusted };
  }
  return best.items;
}

/**
 * Entropy that unseen items add only because there are more of them: ln(items! / unseen!) by Stirling's m ln m - m, less what
 * is the same for all sizes.
 */
function logFactorialRatio(items: number, seen: number): number {
  const f = (n: number): number => (n > 0 ? n * Math.log(n) : 0);
  return f(items) - f(items - seen);
}
