/**
 * How many items exist, when nobody tells: the size that makes the frequencies of the counts most likely.
 *
 * F_j is the number of items seen j times, F_0 those never seen. Labels say nothing (which item has which rank is not known),
 * so the likelihood is that of the F_j: N! / (F_0! F_1! ...) prod f_j^F_j with f_j = (1/N) sum_k Poisson(j; n p_k), the chance
 * that one item of N is seen j times. N stands in the factorial, in F_0 = N - seen and in the p_k, and size and exponent are
 * found together. Sizes and exponents trade off, so the likelihood is profiled: for each size the best exponent. Sanathanan,
 * "Estimating the size of a multinomial population", Ann. Math. Statist. 43 (1972) 142-152, for the likelihood in N; that it is
 * calibrated (twice the log-ratio is chi-square with one degree of freedom) was checked by simulation, see docs/traffic.md.
 */
import { logGamma } from '../../../lib/model/log-gamma.ts';
import { popularityCdf } from '../../../lib/model/popularity.ts';
import { chao1 } from './chao.ts';
import { matchingLikelihood } from './matching-likelihood.ts';
import { maximiseOnGrid } from './optimise.ts';
import { type Summit, summit } from './parabola.ts';
import { type PopularityFamily, RULES } from './popularity-family.ts';
import { binProbabilities, type CountClasses, countClasses, rankBins, withUnseen } from './rank-bins.ts';

/** Sizes above are not tried: the likelihood hardly changes there any more. */
const LARGEST_ESTIMATE = 2_000_000;
/** Loss of log-likelihood at the ends of a 95 % interval: half the quantile 3.84 of chi-square with one degree of freedom. */
export const LOSS_95 = 1.92;
/** Below this number of unseen items whole numbers lie so far apart that the profile is drawn as lines between them. */
const FEW_UNSEEN = 200;

export interface ProfilePoint {
  readonly items: number;
  /** Most likely free number of the family at this size. */
  readonly free: number;
  /** Log-likelihood below the best size's, >= 0. */
  readonly loss: number;
}

export interface CatalogueEstimate {
  readonly family: PopularityFamily;
  /** Most likely size, from the items seen to LARGEST_ESTIMATE. */
  readonly items: number;
  readonly logLikelihood: number;
  /** Sizes with a loss of at most `within`; the upper end is infinite when LARGEST_ESTIMATE is among them. */
  readonly interval: (within: number) => readonly [number, number];
  /** The profile at one size, at least the items seen. */
  readonly at: (items: number) => ProfilePoint;
  /** The profile where it was looked at, by size. */
  readonly points: () => readonly ProfilePoint[];
  /** Loss of equal popularity, each law with the size that suits it best. */
  readonly lossOf: (free: number) => number;
}

/**
 * @param counts views per item seen, all above 0
 */
export function estimateCatalogue(family: PopularityFamily, counts: ArrayLike<number>): CatalogueEstimate {
  const seen = counts.length;
  const profile = sizeProfile(family, countClasses(counts, seen), seen);
  const highest = Math.log(Math.max(2, LARGEST_ESTIMATE - seen) + 1);
  const start = Math.log(chao1(counts) - seen + 1);
  const top = summit(profile.along, Math.min(start, highest), 0.5, 0, highest);
  const best = profile.best();
  const sd = Math.max(0.02, Math.min(2, top.sd));
  const x = Math.log(best.items - seen + 1);
  const ends = new Map<number, readonly [number, number]>();
  const loss = (at: number): number => best.value - profile.along(at);
  return {
    family,
    items: best.items,
    logLikelihood: best.value,
    interval(within) {
      const known = ends.get(within);
      if (known !== undefined) return known;
      const low = crossing(loss, x, -sd, 0, within);
      const high = crossing(loss, x, sd, highest, within);
      const found = [
        low === undefined ? seen : seen + Math.round(Math.expm1(low)),
        high === undefined ? Number.POSITIVE_INFINITY : seen + Math.round(Math.expm1(high)),
      ] as const;
      ends.set(within, found);
      return found;
    },
    at: (items) => profile.point(items - seen, best.value),
    points: () => profile.points(best.value),
    lossOf: (free) => {
      const one = (at: number): number => profile.likelihood(Math.round(Math.expm1(at)), free);
      return best.value - summit(one, x, sd, 0, highest).value;
    },
  };
}

/** Log-likelihood of a number of unseen items, maximised over the exponent and remembered. */
function sizeProfile(family: PopularityFamily, classes: CountClasses, seen: number) {
  const rules = RULES[family];
  const [low] = rules.grid as [number];
  const high = rules.grid.at(-1) as number;
  const known = new Map<number, Summit>();
  const likelihoodAt = (unseen: number): ((free: number) => number) => {
    const items = seen + unseen;
    const bins = rankBins(items);
    const { rough } = matchingLikelihood(bins.size, withUnseen(classes, unseen));
    const constant = logGamma(items + 1) - logGamma(unseen + 1);
    return (free) => constant + rough(binProbabilities(bins, popularityCdf(rules.law(free), items)));
  };
  /** Best exponents change smoothly with the size, so the nearest size that is known gives the start. */
  const nearest = (unseen: number): Summit | undefined => {
    let found: Summit | undefined;
    let distance = Number.POSITIVE_INFINITY;
    for (const [other, at] of known) {
      const apart = Math.abs(Math.log((other + 1) / (unseen + 1)));
      if (apart < distance) [found, distance] = [at, apart];
    }
    return found;
  };
  const top = (unseen: number): Summit => {
    const before = known.get(unseen);
    if (before !== undefined) return before;
    const f = likelihoodAt(unseen);
    const near = nearest(unseen);
    const found =
      near === undefined
        ? summit(f, maximiseOnGrid(f, rules.grid, 0.02), 0.02, low, high)
        : summit(f, near.x, near.sd, low, high);
    known.set(unseen, found);
    return found;
  };
  const point = (unseen: number, best: number): ProfilePoint => {
    const at = top(unseen);
    return { items: seen + unseen, free: at.x, loss: Math.max(0, best - at.value) };
  };
  return {
    likelihood: (unseen: number, free: number): number => likelihoodAt(unseen)(free),
    /** @param x ln(unseen + 1) */
    along(x: number): number {
      const unseen = Math.expm1(x);
      const below = Math.floor(unseen + 1e-9);
      if (unseen >= FEW_UNSEEN) return top(Math.round(unseen)).value;
      const rest = Math.max(0, unseen - below);
      const value = top(below).value;
      return rest < 1e-6 ? value : value + rest * (top(below + 1).value - value);
    },
    point,
    points: (best: number): ProfilePoint[] =>
      [...known.keys()].sort((a, b) => a - b).map((unseen) => point(unseen, best)),
    best(): { readonly items: number; readonly value: number } {
      let found = { items: seen, value: Number.NEGATIVE_INFINITY };
      for (const [unseen, { value }] of known) if (value > found.value) found = { items: seen + unseen, value };
      return found;
    },
  };
}

/**
 * Where the loss passes `within` on the way from the summit to `end`; `undefined` when it does not. The root of the loss is
 * nearly a line, on which the place is interpolated.
 * @param step first step, its sign the direction
 */
function crossing(
  loss: (x: number) => number,
  from: number,
  step: number,
  end: number,
  within: number,
): number | undefined {
  const root = (x: number): number => Math.sqrt(Math.max(0, loss(x)));
  const want = Math.sqrt(within);
  let inside: readonly [number, number] = [from, 0];
  let outside: readonly [number, number] | undefined;
  for (let x = from + 1.4 * step; outside === undefined; x = from + 1.6 * (x - from)) {
    const there = step < 0 ? Math.max(end, x) : Math.min(end, x);
    const r = root(there);
    if (r > want) outside = [there, r];
    else if (there === end) return undefined;
    else inside = [there, r];
  }
  const between = (): number => {
    const [a, b] = [inside, outside as readonly [number, number]];
    return a[0] + ((b[0] - a[0]) * (want - a[1])) / (b[1] - a[1]);
  };
  for (let round = 0; round < 4 && Math.abs(outside[0] - inside[0]) > 0.3 * Math.abs(step); round++) {
    const x = between();
    const r = root(x);
    if (Math.abs(r - want) < 0.02) return x;
    if (r > want) outside = [x, r];
    else inside = [x, r];
  }
  return between();
}
