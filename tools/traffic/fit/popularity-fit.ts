/**
 * Popularity of items: which law, which exponent with which interval, and whether it is a power law at all.
 */
import { popularityCdf } from '../../../lib/model/popularity.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import type { PopularityLaw } from '../../../lib/model/workload.ts';
import { type CatalogueSource, catalogueInterval, type FamilyFit, fitsOverCatalogue } from './catalogue-choice.ts';
import { chao1 } from './chao.ts';
import { empiricalCurve } from './empirical-curve.ts';
import { exponentInterval } from './exponent-interval.ts';
import {
  type Bootstrap,
  bootstrapFamily,
  familyLikelihood,
  type PopularityFamily,
  RULES,
} from './popularity-family.ts';
import { type Goodness, goodnessOfFit } from './popularity-goodness.ts';
import { rankBins } from './rank-bins.ts';

export interface ExponentEstimate {
  readonly family: PopularityFamily;
  /** g of `power`, s of `zipf`; corrected for bias when an interval is given. */
  readonly exponent: number;
  /** 95 % interval, the catalogue's uncertainty included when it is estimated; only for the better family. */
  readonly interval?: readonly [number, number];
  /** Items over which it was fitted: each family has its own estimate. */
  readonly catalogue: number;
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
  /** Items that exist: for the law that is written. */
  readonly catalogue: number;
  readonly catalogueFrom: CatalogueSource;
  /** 95 % interval of an estimated catalogue; no number above when the log sets no upper end. */
  readonly catalogueInterval?: readonly [number, number | null];
  /** Lower bound of the catalogue whatever the law, see chao.ts. */
  readonly chao1: number;
  /** A catalogue that was not taken because the log speaks against it. */
  readonly catalogueRefused?: { readonly items: number; readonly from: 'given' | 'suite' };
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
  /** Size of the catalogue, a whole number; estimated when absent or fewer than the items seen. */
  readonly catalogue?: number;
  /** Size of the suite's own catalogue: taken when none is given, unless the log speaks against it. */
  readonly own?: number;
  readonly replicates?: number;
  readonly seed?: string;
}

/** Fewer views than this give no exponent. */
export const POPULARITY_MINIMUM = 300;
/** Most items that may be given: the bootstrap draws a count for each, a hundred times. */
export const LARGEST_GIVEN = 5_000_000;
/** Log-likelihood difference below which the data cannot tell the families apart. */
const UNDECIDED = 2;
const TOPS = [10, 100, 1000] as const;

/**
 * The law of item counts whose ranks are not known.
 * @param counts views per item; zeros are passed over
 * @returns `undefined` below POPULARITY_MINIMUM views or with a single item
 */
export function fitPopularity(counts: ArrayLike<number>, options: PopularityOptions = {}): PopularityFit | undefined {
  const seen = Float64Array.from(counts).filter((c) => c > 0);
  const views = seen.reduce((sum, c) => sum + c, 0);
  if (views < POPULARITY_MINIMUM || seen.length < 2) return undefined;
  const given = options.catalogue !== undefined && options.catalogue >= seen.length ? options.catalogue : undefined;
  const { from, fits, known } = fitsOverCatalogue(seen, given, options.own);
  const [{ point, items, estimate }, second] = fits;
  const random = sessionRandom(hashSeed(options.seed ?? 'popularity'), 0);
  const bootstrap = bootstrapFamily(point, views, items, options.replicates ?? 100, random, known);
  const rules = RULES[point.family];
  const corrected = exponentInterval(point, bootstrap, items, uniformLoss(fits[0], seen, known), estimate);
  const sorted = Uint32Array.from(seen).sort().reverse();
  const goodness = goodnessOfFit(sorted, bootstrap, point.free);
  const law = rules.law(corrected.free);
  const size = catalogueOf(from, fits, goodness.rejected, chao1(seen), options.own, seen.length);
  const refused = refusedCatalogue(options, size.catalogueFrom, seen.length);
  return {
    views,
    distinct: seen.length,
    expectedDistinct: expectedDistinct(law, items, views),
    ...size,
    ...(refused === undefined ? {} : { catalogueRefused: refused }),
    oneHit: seen.filter((c) => c === 1).length / seen.length,
    top: topShares(sorted, views, bootstrap),
    families: [
      {
        family: point.family,
        exponent: rules.exponent(corrected.free),
        interval: corrected.interval,
        catalogue: items,
        logLikelihood: point.logLikelihood,
      },
      {
        family: second.point.family,
        exponent: RULES[second.point.family].exponent(second.point.free),
        catalogue: second.items,
        logLikelihood: second.point.logLikelihood,
      },
    ],
    family: point.logLikelihood - second.point.logLikelihood < UNDECIDED ? 'either' : point.family,
    goodness,
    law: goodness.rejected ? { law: 'empirical', curve: empiricalCurve(seen, size.catalogue) } : rounded(law),
    powerLaw: !goodness.rejected,
    rankCurve: rankCurve(sorted),
  };
}

/** What equal popularity loses to the fit, over the catalogue that suits it best where none is given. */
function uniformLoss({ point, items, estimate }: FamilyFit, seen: Float64Array, known: boolean): number {
  const { uniform } = RULES[point.family];
  if (estimate !== undefined) return estimate.lossOf(uniform);
  return point.logLikelihood - familyLikelihood(point.family, seen, rankBins(items), known).full(uniform);
}

/** Counts that follow no law tell no size by one: the suite's own stays, or the bound that holds for any counts. */
function catalogueOf(
  from: CatalogueSource,
  fits: readonly [FamilyFit, FamilyFit],
  rejected: boolean,
  lowest: number,
  own: number | undefined,
  seen: number,
): Pick<PopularityFit, 'catalogue' | 'catalogueFrom' | 'catalogueInterval' | 'chao1'> {
  const { items } = fits[0];
  if (from === 'given' || from === 'suite') return { catalogue: items, catalogueFrom: from, chao1: lowest };
  if (rejected) {
    return own !== undefined && own >= seen
      ? { catalogue: own, catalogueFrom: 'suite', chao1: lowest }
      : { catalogue: lowest, catalogueFrom: 'at least', chao1: lowest };
  }
  const interval = catalogueInterval(fits);
  if (interval === undefined) return { catalogue: items, catalogueFrom: from, chao1: lowest };
  const [low, high] = interval;
  return {
    catalogue: items,
    catalogueFrom: from,
    catalogueInterval: [low, Number.isFinite(high) ? high : null],
    chao1: lowest,
  };
}

function refusedCatalogue(
  { catalogue, own }: PopularityOptions,
  from: CatalogueSource,
  seen: number,
): PopularityFit['catalogueRefused'] {
  if (catalogue !== undefined) return catalogue < seen ? { items: catalogue, from: 'given' } : undefined;
  return own === undefined || from === 'suite' ? undefined : { items: own, from: 'suite' };
}

function rankCurve(sorted: Uint32Array): [number, number][] {
  const curve: [number, number][] = [];
  for (let rank = 1; rank <= sorted.length; rank = Math.max(rank + 1, Math.floor(rank * 1.12))) {
    curve.push([rank, sorted[rank - 1] as number]);
  }
  return curve;
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

/** Shares of the most viewed items in the log, where so many were seen, beside the mean of the same figure over the replicates. */
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
  return TOPS.filter((top) => top <= sorted.length).map((top) => {
    const expected = bootstrap.counts.reduce((sum, counts) => sum + shareOf(counts, top), 0) / bootstrap.counts.length;
    let share = 0;
    for (let i = 0; i < Math.min(top, sorted.length); i++) share += (sorted[i] as number) / views;
    return { top, share, expected };
  });
}
