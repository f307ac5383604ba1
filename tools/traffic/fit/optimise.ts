/** Maximisation of smooth functions: one variable by golden section and parabola, several by Nelder and Mead. */

import { largest } from '../../../lib/model/extremes.ts';

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Place of the maximum of a unimodal function on [low, high], to within `tolerance`. */
export function maximise1(f: (x: number) => number, low: number, high: number, tolerance: number): number {
  let a = low;
  let b = high;
  let x1 = b - GOLDEN * (b - a);
  let x2 = a + GOLDEN * (b - a);
  let f1 = f(x1);
  let f2 = f(x2);
  while (b - a > tolerance) {
    if (f1 < f2) {
      a = x1;
      x1 = x2;
      f1 = f2;
      x2 = a + GOLDEN * (b - a);
      f2 = f(x2);
    } else {
      b = x2;
      x2 = x1;
      f2 = f1;
      x1 = b - GOLDEN * (b - a);
      f1 = f(x1);
    }
  }
  return (a + b) / 2;
}

/** Coarse grid first, then golden section around its best point: for functions that may have flat stretches. */
export function maximiseOnGrid(f: (x: number) => number, grid: readonly number[], tolerance: number): number {
  let best = 0;
  let value = Number.NEGATIVE_INFINITY;
  grid.forEach((x, i) => {
    const y = f(x);
    if (y > value) {
      value = y;
      best = i;
    }
  });
  const low = grid[Math.max(0, best - 1)] as number;
  const high = grid[Math.min(grid.length - 1, best + 1)] as number;
  return maximise1(f, low, high, tolerance);
}

/**
 * Maximum of a function of a few variables (Nelder and Mead 1965, standard coefficients).
 * @param step size of the first simplex per variable
 */
export function nelderMead(
  f: (x: readonly number[]) => number,
  start: readonly number[],
  step: readonly number[],
  tolerance = 1e-9,
  maxEvaluations = 2_000,
): { readonly x: readonly number[]; readonly value: number } {
  const n = start.length;
  const at = (x: readonly number[]): { x: readonly number[]; y: number } => {
    const y = f(x);
    return { x, y: Number.isNaN(y) ? Number.NEGATIVE_INFINITY : y };
  };
  let points = [at([...start])];
  for (let i = 0; i < n; i++) points.push(at(start.map((v, k) => (k === i ? v + (step[i] as number) : v))));
  let evaluations = n + 1;
  while (evaluations < maxEvaluations) {
    points.sort((p, q) => q.y - p.y);
    const best = points[0] as (typeof points)[number];
    const worst = points[n] as (typeof points)[number];
    const second = points[n - 1] as (typeof points)[number];
    const size = largest(points.map((p) => largest(p.x.map((v, k) => Math.abs(v - (best.x[k] as number))))));
    if (Math.abs(best.y - worst.y) <= tolerance && size < 1e-5) break;
    const centre = start.map((_, k) => points.slice(0, n).reduce((sum, p) => sum + (p.x[k] as number), 0) / n);
    const along = (t: number): readonly number[] => centre.map((c, k) => c + t * ((worst.x[k] as number) - c));
    const reflected = at(along(-1));
    evaluations++;
    if (reflected.y > best.y) {
      const expanded = at(along(-2));
      evaluations++;
      points[n] = expanded.y > reflected.y ? expanded : reflected;
    } else if (reflected.y > second.y) points[n] = reflected;
    else {
      const contracted = at(along(reflected.y > worst.y ? -0.5 : 0.5));
      evaluations++;
      if (contracted.y > Math.max(worst.y, reflected.y)) points[n] = contracted;
      else {
        points = points.map((p, i) =>
          i === 0 ? p : at(p.x.map((v, k) => (best.x[k] as number) + 0.5 * (v - (best.x[k] as number)))),
        );
        evaluations += n;
      }
    }
  }
  points.sort((p, q) => q.y - p.y);
  const best = points[0] as (typeof points)[number];
  return { x: best.x, value: best.y };
}

/**
 * Covariance of maximum-likelihood estimates: inverse of the negative Hessian by central differences (1 or 2 variables).
 * `undefined` when the maximum is not a proper one.
 */
export function covariance(
  f: (x: readonly number[]) => number,
  at: readonly number[],
  h: readonly number[],
): number[][] | undefined {
  const y0 = f(at);
  const shift = (moves: readonly number[]): number => f(at.map((v, i) => v + (moves[i] ?? 0) * (h[i] as number)));
  const second = (i: number): number => {
    const move = (s: number): number[] => at.map((_, k) => (k === i ? s : 0));
    return (shift(move(1)) - 2 * y0 + shift(move(-1))) / (h[i] as number) ** 2;
  };
  const a = -second(0);
  if (at.length === 1) return a > 0 ? [[1 / a]] : undefined;
  const d = -second(1);
  const mixed = shift([1, 1]) - shift([1, -1]) - shift([-1, 1]) + shift([-1, -1]);
  const b = -mixed / (4 * (h[0] as number) * (h[1] as number));
  const determinant = a * d - b * b;
  if (!(determinant > 0 && a > 0)) return undefined;
  return [
    [d / determinant, -b / determinant],
    [-b / determinant, a / determinant],
  ];
}
