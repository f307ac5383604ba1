/**
 * The popularity curve when no law fits: the distribution of items' rates that makes the counts most likely (Kiefer and
 * Wolfowitz's nonparametric estimate, by EM on a grid). Observed order alone would call every item that nobody asked for
 * worthless and every item with one lucky view popular.
 */

import { logGamma } from '../../../lib/model/log-gamma.ts';
import { countClasses } from './rank-bins.ts';

const ROUNDS = 300;

/**
 * Points [rank, share of views up to it], both rising, the last one [items, 1].
 * @param counts views per item seen
 */
export function empiricalCurve(counts: ArrayLike<number>, items: number): [number, number][] {
  const classes = countClasses(counts, items);
  const rates = rateGrid(classes.views);
  const rows = rates.length;
  const columns = classes.views.length;
  const kernel = new Float64Array(rows * columns);
  for (let j = 0; j < columns; j++) {
    const c = classes.views[j] as number;
    for (let r = 0; r < rows; r++) {
      const rate = rates[r] as number;
      kernel[r * columns + j] = Math.exp(c * Math.log(rate) - rate - logGamma(c + 1));
    }
  }
  let weight = new Float64Array(rows).fill(1 / rows);
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(rows);
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let r = 0; r < rows; r++) sum += (weight[r] as number) * (kernel[r * columns + j] as number);
      if (sum < 1e-300) continue;
      const share = (classes.items[j] as number) / items / sum;
      for (let r = 0; r < rows; r++) {
        next[r] = (next[r] as number) + share * (weight[r] as number) * (kernel[r * columns + j] as number);
      }
    }
    weight = next;
  }
  return cumulate(rates, weight, items);
}

/** Rates that items may have: fine below 20 views, every observed count above. */
function rateGrid(views: Float64Array): number[] {
  const rates: number[] = [];
  for (let rate = 0.002; rate < 20; rate *= 1.2) rates.push(rate);
  for (const c of views) if (c >= 20) rates.push(c);
  return rates;
}

/** Most popular first; points at geometric ranks. */
function cumulate(rates: readonly number[], weight: Float64Array, items: number): [number, number][] {
  const order = rates.map((rate, r) => ({ rate, n: (weight[r] as number) * items })).sort((a, b) => b.rate - a.rate);
  const total = order.reduce((sum, { rate, n }) => sum + rate * n, 0);
  const shareUpTo = (rank: number): number => {
    let left = rank;
    let sum = 0;
    for (const { rate, n } of order) {
      const take = Math.min(left, n);
      sum += rate * take;
      left -= take;
      if (left <= 0) break;
    }
    return sum / total;
  };
  const curve: [number, number][] = [];
  let before = 0;
  for (let rank = 1; rank < items; rank = Math.max(rank + 1, Math.floor(rank * 1.25))) {
    const share = Number(shareUpTo(rank).toFixed(7));
    if (share > before && share < 1) {
      curve.push([rank, share]);
      before = share;
    }
  }
  curve.push([items, 1]);
  return curve;
}
