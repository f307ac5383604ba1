/** What a popularity law lets expect of a log with so many views: distinct items, and the share of those most viewed. */
import { logGamma } from '../../../lib/model/log-gamma.ts';
import { popularityCdf } from '../../../lib/model/popularity.ts';
import type { PopularityLaw } from '../../../lib/model/workload.ts';

export interface ItemViews {
  readonly views: number;
  readonly items: number;
  readonly distinct: number;
  /** 95 % of logs have a number of distinct items within. */
  readonly distinctRange: readonly [number, number];
  /** Share of the views that the items most viewed in the log have: more than the law's own, since luck makes leaders too. */
  readonly top: readonly { readonly top: number; readonly share: number }[];
}

/** From an item's mean count, this many standard deviations hold all its counts, and a few more where the mean is small. */
const SPREAD = 10;

/**
 * Item k is viewed n p_k = L times in the mean, in Poisson counts. Distinct items are the sum of P(count >= 1); their variance
 * is the sum of e^-L (1 - e^-L) less (sum of L e^-L)^2 / n (S. Karlin, "Central limit theorems for certain infinite urn
 * schemes", J. Math. Mech. 17, 1967). With N_c items viewed c times or more, the k most viewed have the sum over c of
 * min(k, N_c) views, since each of them counts once for every c up to its count; N_c is taken at its mean.
 * @param views n, 1 or more
 * @param items size of the catalogue
 */
export function itemViews(law: PopularityLaw, items: number, views: number): ItemViews {
  const cdf = popularityCdf(law, items);
  // Items whose count is c or more: sums of single chances, and those that surely are, by their last c.
  const chances: number[] = [];
  const surely: number[] = [];
  let distinct = 0;
  let variance = 0;
  let slope = 0;
  let before = 0;
  for (let k = 1; k <= items; k++) {
    const upTo = cdf(k);
    const mean = views * (upTo - before);
    before = upTo;
    if (!(mean > 0)) continue;
    const none = Math.exp(-mean);
    distinct -= Math.expm1(-mean);
    variance += none * (1 - none);
    slope += mean * none;
    const spread = SPREAD * Math.sqrt(mean) + SPREAD;
    const from = Math.max(0, Math.floor(mean - spread));
    surely[from] = (surely[from] ?? 0) + 1;
    let chance = Math.exp(from * Math.log(mean) - mean - logGamma(from + 1));
    let tail = 1;
    for (let c = from + 1; tail > 1e-14 && c <= mean + spread; c++) {
      tail -= chance;
      chances[c] = (chances[c] ?? 0) + Math.max(0, tail);
      chance *= mean / c;
    }
  }
  const half = 1.96 * Math.sqrt(Math.max(0, variance - (slope * slope) / views));
  const most = Math.min(items, views);
  return {
    views,
    items,
    distinct,
    distinctRange: [Math.max(1, distinct - half), Math.min(most, distinct + half)],
    top: [10, 100, 1000].map((top) => ({ top, share: topViews(chances, surely, top) / views })),
  };
}

function topViews(chances: readonly number[], surely: readonly number[], top: number): number {
  let beyond = 0;
  let sum = 0;
  for (let c = Math.max(chances.length, surely.length) - 1; c >= 1; c--) {
    beyond += surely[c] ?? 0;
    sum += Math.min(top, (chances[c] ?? 0) + beyond);
  }
  return sum;
}
