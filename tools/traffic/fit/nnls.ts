/** Non-negative least squares for a handful of unknowns (Lawson and Hanson, "Solving Least Squares Problems", 1974, ch. 23). */

export interface NnlsResult {
  readonly x: readonly number[];
  /** b - A x. */
  readonly residual: readonly number[];
  /** Smallest pivot over largest of the scaled normal matrix: near 0 when columns cannot be told apart. */
  readonly separation: number;
}

/**
 * Minimises |A x - b| with x >= 0.
 * @param a rows of the matrix
 */
export function nnls(a: readonly (readonly number[])[], b: readonly number[]): NnlsResult {
  const n = a[0]?.length ?? 0;
  const dot = (i: number, k: number): number =>
    a.reduce((sum, row) => sum + (row[i] as number) * (row[k] as number), 0);
  const gram = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_unused, k) => dot(i, k)));
  const right = Array.from({ length: n }, (_, i) =>
    a.reduce((sum, row, r) => sum + (row[i] as number) * (b[r] as number), 0),
  );
  let x = new Array<number>(n).fill(0);
  const passive = new Set<number>();
  for (let round = 0; round < 10 * n + 10; round++) {
    const gradient = right.map((v, i) => v - x.reduce((sum, xk, k) => sum + (gram[i]?.[k] as number) * xk, 0));
    let enter = -1;
    for (let i = 0; i < n; i++) {
      if (!passive.has(i) && (gradient[i] as number) > 1e-9 * Math.abs(right[i] as number) + 1e-12) {
        if (enter < 0 || (gradient[i] as number) > (gradient[enter] as number)) enter = i;
      }
    }
    if (enter < 0) break;
    passive.add(enter);
    for (;;) {
      const index = [...passive].sort((p, q) => p - q);
      const solution = solveLinear(
        index.map((i) => index.map((k) => gram[i]?.[k] as number)),
        index.map((i) => right[i] as number),
      );
      const z = new Array<number>(n).fill(0);
      index.forEach((i, k) => {
        z[i] = solution?.[k] ?? 0;
      });
      if (index.every((i) => (z[i] as number) > 0)) {
        x = z;
        break;
      }
      let step = 1;
      for (const i of index) {
        if ((z[i] as number) <= 0)
          step = Math.min(step, (x[i] as number) / Math.max(1e-300, (x[i] as number) - (z[i] as number)));
      }
      x = x.map((v, i) => v + step * ((z[i] as number) - v));
      for (const i of index) if ((x[i] as number) <= 1e-12 || (z[i] as number) <= 0) passive.delete(i);
      if (passive.size === 0) break;
    }
  }
  const residual = b.map((v, r) => v - x.reduce((sum, xi, i) => sum + (a[r]?.[i] as number) * xi, 0));
  return { x, residual, separation: separation(gram) };
}

/** Solves M x = b by elimination with pivoting; `undefined` when M is singular. */
export function solveLinear(m: readonly (readonly number[])[], b: readonly number[]): number[] | undefined {
  const n = b.length;
  const rows = m.map((row, i) => [...row, b[i] as number]);
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) {
      if (Math.abs(rows[r]?.[c] as number) > Math.abs(rows[pivot]?.[c] as number)) pivot = r;
    }
    const top = rows[pivot] as number[];
    if (Math.abs(top[c] as number) < 1e-12) return undefined;
    rows[pivot] = rows[c] as number[];
    rows[c] = top;
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const row = rows[r] as number[];
      const factor = (row[c] as number) / (top[c] as number);
      for (let k = c; k <= n; k++) row[k] = (row[k] as number) - factor * (top[k] as number);
    }
  }
  return rows.map((row, i) => (row[n] as number) / (row[i] as number));
}

/** Pivots of the Cholesky factorisation of the matrix scaled to ones on its diagonal; the least of them. */
function separation(gram: readonly (readonly number[])[]): number {
  const n = gram.length;
  const scale = gram.map((row, i) => Math.sqrt(Math.max(1e-300, row[i] as number)));
  const m = gram.map((row, i) => row.map((v, k) => v / ((scale[i] as number) * (scale[k] as number))));
  let least = 1;
  for (let c = 0; c < n; c++) {
    const pivot = m[c]?.[c] as number;
    least = Math.min(least, pivot);
    if (pivot < 1e-12) return 0;
    for (let r = c + 1; r < n; r++) {
      const factor = (m[r]?.[c] as number) / pivot;
      for (let k = c; k < n; k++) (m[r] as number[])[k] = (m[r]?.[k] as number) - factor * (m[c]?.[k] as number);
    }
  }
  return least;
}
