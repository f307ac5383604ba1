/** Maximum of a smooth function of one variable that is nearly a parabola around it, as log-likelihoods are. */

export interface Summit {
  readonly x: number;
  readonly value: number;
  /** (-f'')^(-1/2) there: of a log-likelihood the standard deviation of the estimate. */
  readonly sd: number;
}

const ROUNDS = 12;

/**
 * Parabolas through three points, moved and narrowed to about one `sd` until the summit lies between them: three evaluations
 * from a good start. The value is the parabola's.
 * @param step distance of the first three points, above 0
 * @param low,high bounds of x; a summit beyond them is given as the bound
 */
export function summit(f: (x: number) => number, start: number, step: number, low: number, high: number): Summit {
  let x = start;
  let h = step;
  let last: Summit = { x, value: Number.NEGATIVE_INFINITY, sd: h };
  for (let round = 0; round < ROUNDS; round++) {
    h = Math.min(h, (high - low) / 2);
    x = Math.max(low + h, Math.min(high - h, x));
    const left = f(x - h);
    const middle = f(x);
    const right = f(x + h);
    const bend = left - 2 * middle + right;
    const sd = bend < 0 ? h / Math.sqrt(-bend) : 2 * h;
    const move = bend < 0 ? (0.5 * h * (left - right)) / bend : right > left ? 2 * h : -2 * h;
    if (x - h <= low && move <= -h) return { x: low, value: left, sd };
    if (x + h >= high && move >= h) return { x: high, value: right, sd };
    last = { x: x + Math.max(-h, Math.min(h, move)), value: Math.max(left, middle, right), sd };
    if (bend < 0 && Math.abs(move) <= h && (h < 1.5 * sd || round >= ROUNDS / 2)) {
      return { x: x + move, value: middle - (left - right) ** 2 / (8 * bend), sd };
    }
    x += Math.max(-4 * h, Math.min(4 * h, move));
    h = Math.max(h / 5, Math.min(3 * h, sd));
  }
  return last;
}
