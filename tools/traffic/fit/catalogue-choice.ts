/** Which catalogue the popularity laws are fitted over: the user's, the suite's own, or the one that the log tells. */
import { largest } from '../../../lib/model/extremes.ts';
import { type CatalogueEstimate, estimateCatalogue, LOSS_95 } from './catalogue-estimate.ts';
import { chao1 } from './chao.ts';
import { type FamilyPoint, fitFamily, type PopularityFamily, ranksShow } from './popularity-family.ts';

/**
 * given: by the user. suite: the reference catalogue, which the log does not speak against. estimated: most likely under the
 * law. at least: a lower bound, because the log leaves the size open or the counts follow no law.
 */
export type CatalogueSource = 'given' | 'suite' | 'estimated' | 'at least';

/** One family fitted over its catalogue. */
export interface FamilyFit {
  readonly point: FamilyPoint;
  readonly items: number;
  /** Present when the size is taken from the log. */
  readonly estimate?: CatalogueEstimate;
}

export interface CatalogueFits {
  readonly from: CatalogueSource;
  /** The more likely family first. */
  readonly fits: readonly [FamilyFit, FamilyFit];
  /** Whether the observed order is taken for the true one. */
  readonly known: boolean;
}

/** An interval whose upper end is more times the lower one than this tells a lower bound, no size. */
const OPEN = 10;
/** Loss of log-likelihood from which the log speaks against the suite's own catalogue: one log in a thousand by chance. */
const SPEAKS_AGAINST = 5.4;
const FAMILIES: readonly PopularityFamily[] = ['power', 'zipf'];

/**
 * Both families fitted over the catalogue given, over the suite's own when the log agrees with it, or each over the catalogue
 * that makes the counts most likely.
 * @param seen views per item seen, all above 0
 * @param given size from the user, at least the items seen
 * @param own size of the suite's catalogue when the log is of the bookstore
 */
export function fitsOverCatalogue(seen: Float64Array, given: number | undefined, own?: number): CatalogueFits {
  if (given !== undefined) return fitsOver('given', seen, given);
  const estimates = FAMILIES.map((family) => estimateCatalogue(family, seen));
  if (own !== undefined && own >= seen.length && agrees(estimates, own)) return fitsOver('suite', seen, own);
  const lowest = chao1(seen);
  const sizes = estimates.map((estimate) => (isOpen(estimate) ? lowerBound(estimate, lowest) : estimate.items));
  const known = ranksShow(seen, largest(sizes));
  const fits = estimates.map((estimate, i): FamilyFit => {
    const items = sizes[i] as number;
    const start = known ? {} : { start: estimate.at(items).free };
    return { point: fitFamily(estimate.family, seen, items, { known, ...start }), items, estimate };
  });
  const [best, second] = better(fits);
  return {
    from: best.estimate !== undefined && isOpen(best.estimate) ? 'at least' : 'estimated',
    fits: [best, second],
    known,
  };
}

/**
 * 95 % interval of the size: of the better family, and of the other one too as far as it is nearly as likely.
 * @returns an infinite upper end when the log sets none; `undefined` when the size is not estimated
 */
export function catalogueInterval([best, second]: CatalogueFits['fits']): readonly [number, number] | undefined {
  if (best.estimate === undefined) return undefined;
  const [low, high] = best.estimate.interval(LOSS_95);
  const left = LOSS_95 - (best.point.logLikelihood - second.point.logLikelihood);
  if (left <= 0.05 || second.estimate === undefined) return [low, high];
  const other = second.estimate.interval(left);
  return [Math.min(low, other[0]), Math.max(high, other[1])];
}

function fitsOver(from: CatalogueSource, seen: Float64Array, items: number): CatalogueFits {
  const known = ranksShow(seen, items);
  const fits = FAMILIES.map((family): FamilyFit => ({ point: fitFamily(family, seen, items, { known }), items }));
  return { from, fits: better(fits), known };
}

function better(fits: readonly FamilyFit[]): [FamilyFit, FamilyFit] {
  return [...fits].sort((a, b) => b.point.logLikelihood - a.point.logLikelihood) as [FamilyFit, FamilyFit];
}

function agrees(estimates: readonly CatalogueEstimate[], own: number): boolean {
  const best = largest(estimates.map((one) => one.logLikelihood));
  return estimates.some((one) => best - one.logLikelihood + one.at(own).loss < SPEAKS_AGAINST);
}

function isOpen(estimate: CatalogueEstimate): boolean {
  const [low, high] = estimate.interval(LOSS_95);
  return high > OPEN * low;
}

/** Chao1's bound holds whatever the law; what the law itself rules out is not taken. */
function lowerBound(estimate: CatalogueEstimate, lowest: number): number {
  return Math.max(estimate.interval(LOSS_95)[0], Math.min(estimate.items, lowest));
}
