/** Quantiles of the normal and of Student's t distribution. */
import { incompleteBeta } from './beta.ts';

/** P(T <= t) with `df` degrees of freedom. */
export function studentCdf(t: number, df: number): number {
  const tail = incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2;
  return t >= 0 ? 1 - tail : tail;
}

/** t with P(T <= t) = p, by bisection; p in (0, 1). */
export function studentQuantile(p: number, df: number): number {
  let low = -1e3;
  let high = 1e3;
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2;
    if (studentCdf(middle, df) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** z with P(Z <= z) = p: Student's t with very many degrees of freedom. */
export function normalQuantile(p: number): number {
  return studentQuantile(p, 1e7);
}
