/**
 * The distribution of think times behind gaps that are seen through stamps of some step, without any law: a histogram in
 * cells an eighth of the step wide whose weights come from the EM algorithm with smoothing (B. W. Silverman, M. C. Jones,
 * D. W. Nychka, J. D. Wilson, "A smoothed EM approach to indirect estimation problems", J. R. Statist. Soc. B 52, 1990).
 * The gaps' own quantiles would be a staircase of whole steps and wider than the truth by the stamps' error.
 */

/** Cells in a step. */
const CELLS = 8;
const ROUNDS = 60;

/** Histogram: cell i holds `mass[i]` and reaches from `left[i]` for `width`; cells without mass may be missing. */
export interface Curve {
  /** Left ends, s, rising. */
  readonly left: Float64Array;
  /** Shares, adding up to 1. */
  readonly mass: Float64Array;
  /** Width of a cell, s. */
  readonly width: number;
}

/**
 * @param sorted gaps, s, rising
 * @param step of the time stamps, s, above 0
 */
export function curveBehind(sorted: Float64Array, step: number): Curve {
  const width = step / CELLS;
  const gaps = distinct(sorted, width);
  const { cells, first, last } = cellsWithin(gaps.value, step, width);
  const m = cells.length;
  // The chance that a think time t gives this gap is the triangle 1 - |y - t| / step.
  const chance = (gap: number, cell: number): number =>
    1 - Math.abs((gaps.value[gap] as number) - ((cells[cell] as number) + 0.5) * width) / step;
  let mass = new Float64Array(m).fill(1 / m);
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(m);
    for (let i = 0; i < gaps.value.length; i++) {
      let sum = 0;
      const to = last[i] as number;
      for (let c = first[i] as number; c <= to; c++) sum += (mass[c] as number) * chance(i, c);
      const share = (gaps.weight[i] as number) / sorted.length / Math.max(sum, 1e-300);
      for (let c = first[i] as number; c <= to; c++) {
        next[c] = (next[c] as number) + share * (mass[c] as number) * chance(i, c);
      }
    }
    mass = smoothed(next, cells);
  }
  return { left: Float64Array.from(cells, (cell) => cell * width), mass, width };
}

/** Gaps in groups a quarter of a cell wide: their means and how many they are. */
function distinct(sorted: Float64Array, width: number): { value: number[]; weight: number[] } {
  const value: number[] = [];
  const weight: number[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const y of sorted) {
    const k = value.length - 1;
    if (y - from > width / 4) {
      value.push(y);
      weight.push(1);
      from = y;
    } else {
      weight[k] = (weight[k] as number) + 1;
      value[k] = (value[k] as number) + (y - (value[k] as number)) / (weight[k] as number);
    }
  }
  return { value, weight };
}

/** Numbers of the cells, from 0 s on, that any gap can come from, and which of them each gap can; no think time is below 0. */
function cellsWithin(
  gaps: readonly number[],
  step: number,
  width: number,
): { cells: number[]; first: number[]; last: number[] } {
  const cells: number[] = [];
  const ranges = gaps.map((y) => {
    const to = Math.max(0, Math.ceil((y + step) / width - 0.5) - 1);
    const from = Math.min(to, Math.max(0, Math.floor((y - step) / width - 0.5) + 1));
    for (let c = Math.max(from, (cells.at(-1) ?? -1) + 1); c <= to; c++) cells.push(c);
    return [from, to] as const;
  });
  let at = 0;
  const first = ranges.map(([from]) => {
    while ((cells[at] as number) < from) at++;
    return at;
  });
  // The cells of one gap are neighbours, so the last is as far from the first as their numbers are.
  return { cells, first, last: ranges.map(([from, to], i) => (first[i] as number) + to - from) };
}

/** A quarter of each cell's mass to each neighbour; what would leave at an end stays. */
function smoothed(mass: Float64Array, cells: readonly number[]): Float64Array<ArrayBuffer> {
  const out = new Float64Array(mass.length);
  for (let c = 0; c < mass.length; c++) {
    const quarter = (mass[c] as number) / 4;
    const below = cells[c - 1] === (cells[c] as number) - 1 ? c - 1 : c;
    const above = cells[c + 1] === (cells[c] as number) + 1 ? c + 1 : c;
    out[c] = (out[c] as number) + 2 * quarter;
    out[below] = (out[below] as number) + quarter;
    out[above] = (out[above] as number) + quarter;
  }
  return out;
}

/** Quantile of a curve, s; even within a cell. @param p probability, 0 to 1 */
export function curveQuantile({ left, mass, width }: Curve): (p: number) => number {
  const upTo = new Float64Array(mass.length);
  let sum = 0;
  for (let c = 0; c < mass.length; c++) {
    sum += mass[c] as number;
    upTo[c] = sum;
  }
  return (p) => {
    const target = p * sum;
    let low = 0;
    let high = upTo.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] as number) < target) low = middle + 1;
      else high = middle;
    }
    const inside = mass[low] as number;
    const part = inside > 0 ? 1 - ((upTo[low] as number) - target) / inside : 1;
    return (left[low] as number) + width * Math.min(1, Math.max(0, part));
  };
}
