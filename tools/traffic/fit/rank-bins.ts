/** Ranks in bins that grow geometrically, and counts in classes: what the popularity likelihood works on. */

export interface RankBins {
  /** First rank of each bin, and one more entry: the number of items + 1. */
  readonly from: Float64Array;
  /** Items per bin. */
  readonly size: Float64Array;
  readonly items: number;
}

/** The first 24 ranks alone, then bins that grow by 7 %: the law changes by a few percent within one. */
export function rankBins(items: number): RankBins {
  const from: number[] = [];
  let rank = 1;
  while (rank <= items) {
    from.push(rank);
    rank += rank < 25 ? 1 : Math.max(1, Math.floor(rank * 0.07));
  }
  from.push(items + 1);
  const size = new Float64Array(from.length - 1);
  for (let i = 0; i < size.length; i++) size[i] = (from[i + 1] as number) - (from[i] as number);
  return { from: Float64Array.from(from), size, items };
}

/** Mean probability of one item in each bin. */
export function binProbabilities(bins: RankBins, cdf: (rank: number) => number): Float64Array {
  const p = new Float64Array(bins.size.length);
  let before = 0;
  for (let i = 0; i < p.length; i++) {
    const upTo = cdf((bins.from[i + 1] as number) - 1);
    p[i] = (upTo - before) / (bins.size[i] as number);
    before = upTo;
  }
  return p;
}

/** Items that were seen equally often. */
export interface CountClasses {
  /** Views per item of the class; the mean for classes of large counts. */
  readonly views: Float64Array;
  /** Items in the class. */
  readonly items: Float64Array;
  readonly total: number;
}

/**
 * Classes of the counts, the unseen items among them; counts above 64 are put together within 1 %.
 * @param counts views per item seen
 * @param items size of the catalogue, at least the number of counts
 */
export function countClasses(counts: ArrayLike<number>, items: number): CountClasses {
  const byCount = new Map<number, [number, number]>();
  let total = 0;
  let seen = 0;
  for (let i = 0; i < counts.length; i++) {
    const c = counts[i] as number;
    if (c <= 0) continue;
    seen++;
    total += c;
    const key = c <= 64 ? c : 64 + Math.ceil(Math.log(c / 64) / 0.01);
    const cell = byCount.get(key);
    if (cell === undefined) byCount.set(key, [1, c]);
    else {
      cell[0]++;
      cell[1] += c;
    }
  }
  if (items > seen) byCount.set(0, [items - seen, 0]);
  const classes = [...byCount.values()].sort((a, b) => a[1] / a[0] - b[1] / b[0]);
  return {
    views: Float64Array.from(classes, ([n, sum]) => sum / n),
    items: Float64Array.from(classes, ([n]) => n),
    total,
  };
}

/** The classes of items seen, with `unseen` more that nobody asked for. */
export function withUnseen(classes: CountClasses, unseen: number): CountClasses {
  if (unseen <= 0) return classes;
  return {
    views: Float64Array.of(0, ...classes.views),
    items: Float64Array.of(unseen, ...classes.items),
    total: classes.total,
  };
}
