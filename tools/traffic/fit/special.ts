/** Special functions for the fits: the regularised incomplete gamma function, chi-square tails. */
import { logGamma } from '../../../lib/model/log-gamma.ts';

/** Regularised lower incomplete gamma P(a, x): series below a + 1, continued fraction above (Lentz). */
export function gammaP(a: number, x: number): number {
  if (!(x > 0)) return 0;
  if (x === Number.POSITIVE_INFINITY) return 1;
  const scale = Math.exp(-x + a * Math.log(x) - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < 10_000; n++) {
      term *= x / (a + n);
      sum += term;
      if (term < sum * 1e-15) break;
    }
    return Math.min(1, sum * scale);
  }
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let i = 1; i < 10_000; i++) {
    const an = -i * (i - a);
    b += 2;
    d = an * d + b;
    if (Math.abs(d) < 1e-300) d = 1e-300;
    c = b + an / c;
    if (Math.abs(c) < 1e-300) c = 1e-300;
    d = 1 / d;
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return Math.max(0, 1 - scale * h);
}

/** P(chi-square with `df` degrees of freedom > x). */
export function chiSquareTail(x: number, df: number): number {
  return 1 - gammaP(df / 2, x / 2);
}
