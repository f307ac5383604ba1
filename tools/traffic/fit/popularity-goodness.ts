/** Goodness of fit of a popularity law: G-test over bins of observed ranks, its null distribution from the bootstrap. */
import { largest, smallest } from '../../../lib/model/extremes.ts';
import { percent, shortPercent } from '../../../lib/model/figures.ts';
import type { Bootstrap } from './popularity-family.ts';

export interface Goodness {
  /** G = 2 sum O ln(O/E) over the bins of observed ranks 1, 2-3, 4-7, 8-15, ... */
  readonly g: number;
  /** Share of bootstrap replicates with a larger G, each fitted as the log is. */
  readonly p: number;
  /** Total variation distance between observed and expected shares of the bins: how far off the law is. */
  readonly distance: number;
  readonly replicates: number;
  /** Too unlikely and too far off to be called a power law. */
  readonly rejected: boolean;
  readonly bins: readonly {
    readonly from: number;
    readonly to: number;
    readonly observed: number;
    readonly expected: number;
  }[];
}

/** A law that moves less than this share of the views is close enough, however many views show the difference. */
const CLOSE_ENOUGH = 0.02;
/** A law is given up when G is as unlikely as this and the law is not close enough: the one threshold of both. */
const UNLIKELY = 0.015;

export function goodnessOfFit(sorted: Uint32Array, bootstrap: Bootstrap, free: number): Goodness {
  const edges: number[] = [1];
  while ((edges.at(-1) as number) <= sorted.length) edges.push((edges.at(-1) as number) * 2);
  const observed = binned(sorted, edges);
  const replicates = bootstrap.counts.map((counts) => binned(counts, edges));
  const n = bootstrap.free.length;
  const meanFree = bootstrap.free.reduce((sum, x) => sum + x, 0) / n;
  const spread = bootstrap.free.reduce((sum, x) => sum + (x - meanFree) ** 2, 0);
  // Expected share of a bin as a line in the exponent, so that each replicate is compared with its own fit.
  const lines = edges.slice(1).map((_, i) => {
    const mean = replicates.reduce((sum, bins) => sum + (bins[i] as number), 0) / n;
    let slope = 0;
    for (let r = 0; r < n; r++)
      slope += ((bootstrap.free[r] as number) - meanFree) * ((replicates[r]?.[i] as number) - mean);
    return { mean, slope: spread > 0 ? slope / spread : 0 };
  });
  // Not beyond the replicates: where they crowd at the bound of the exponents, a slope says nothing outside.
  const lowest = smallest(bootstrap.free);
  const highest = largest(bootstrap.free);
  const expected = (at: number): number[] => {
    const away = Math.max(lowest, Math.min(highest, at)) - meanFree;
    return lines.map((line) => line.mean + line.slope * away);
  };
  const total = sorted.reduce((sum, c) => sum + c, 0);
  const e = expected(free);
  const g = statistic(observed, e, total);
  let larger = 0;
  for (let r = 0; r < n; r++) {
    if (statistic(replicates[r] as number[], expected(bootstrap.free[r] as number), total) >= g) larger++;
  }
  const p = (larger + 1) / (n + 1);
  const distance = observed.reduce((sum, o, i) => sum + Math.abs(o - (e[i] as number)), 0) / 2;
  return {
    g,
    p,
    distance,
    replicates: n,
    rejected: p <= UNLIKELY && distance > CLOSE_ENOUGH,
    bins: observed.map((o, i) => ({
      from: edges[i] as number,
      to: Math.min(sorted.length, (edges[i + 1] as number) - 1),
      observed: o,
      expected: e[i] as number,
    })),
  };
}

/** Share of views per bin of ranks [edges[i], edges[i+1]). */
function binned(sorted: Uint32Array, edges: readonly number[]): number[] {
  const bins = new Array<number>(edges.length - 1).fill(0);
  let total = 0;
  let bin = 0;
  for (let i = 0; i < sorted.length; i++) {
    while (bin < bins.length - 1 && i + 1 >= (edges[bin + 1] as number)) bin++;
    bins[bin] = (bins[bin] as number) + (sorted[i] as number);
    total += sorted[i] as number;
  }
  return bins.map((sum) => sum / total);
}

function statistic(observed: readonly number[], expected: readonly number[], n: number): number {
  let g = 0;
  for (let i = 0; i < observed.length; i++) {
    const o = observed[i] as number;
    const e = Math.max(expected[i] as number, 0.5 / n);
    if (o > 0) g += 2 * n * o * Math.log(o / e);
    g -= 2 * n * (o - e);
  }
  return g;
}

/** Why a law stands or falls, in words: the same rule for both. */
export function goodnessText({ g, p, distance, rejected }: Goodness): string {
  const away = `${percent(distance)} of the views lie elsewhere`;
  const figures = `G = ${g >= 100 ? g.toFixed(0) : g.toPrecision(3)}, p = ${p.toPrecision(2)}`;
  if (rejected || p > UNLIKELY) return `${away} (${figures})`;
  return `more than chance, but only ${away} (${figures}), and up to ${shortPercent(CLOSE_ENOUGH)} is close enough`;
}
