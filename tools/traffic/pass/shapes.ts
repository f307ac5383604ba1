/** Counts sessions by what they did: the sequence of their routes. */

/** A sequence of routes and how many sessions had it; sequences too long to be kept are cut: without steps, and marked. */
export interface Shape {
  readonly steps: readonly number[];
  readonly cut: boolean;
  n: number;
  /** When the first and the last of these sessions began, ms. */
  first: number;
  last: number;
}

export interface ShapeCounter {
  /** A session of `count` steps that stand in `steps` from `at` on, begun at `start`. */
  add(steps: Uint16Array, at: number, count: number, cut: boolean, start: number): void;
  /** The most frequent first, and the sessions of shapes that no longer fitted into the table. */
  result(): { shapes: Shape[]; shapesLost: number };
}

const MAX_SHAPES = 20_000;

export function shapeCounter(): ShapeCounter {
  const shapes = new Map<number, Shape>();
  let shapesLost = 0;
  return {
    add(steps, at, count, cut, start) {
      let h1 = cut ? 7 : count;
      let h2 = 0x2545f491;
      if (!cut) {
        for (let i = at; i < at + count; i++) {
          h1 = Math.imul(h1 ^ (steps[i] as number), 0x01000193) + 1;
          h2 = Math.imul(h2 ^ (steps[i] as number), 0x5bd1e995);
          h2 ^= h2 >>> 13;
        }
      }
      const key = (h1 >>> 0) * 2_097_152 + (h2 & 0x1fffff);
      const shape = shapes.get(key);
      if (shape !== undefined) {
        shape.n++;
        if (start < shape.first) shape.first = start;
        if (start > shape.last) shape.last = start;
      } else if (shapes.size < MAX_SHAPES) {
        shapes.set(key, {
          steps: cut ? [] : Array.from(steps.subarray(at, at + count)),
          cut,
          n: 1,
          first: start,
          last: start,
        });
      } else shapesLost++;
    },
    result: () => ({ shapes: [...shapes.values()].sort((a, b) => b.n - a.n), shapesLost }),
  };
}

/** Two tables as one. */
export function joinShapes(a: readonly Shape[], b: readonly Shape[]): Shape[] {
  const byKey = new Map<string, Shape>();
  for (const shape of [...a, ...b]) {
    const key = `${shape.cut} ${shape.steps.join()}`;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { ...shape });
    else {
      known.n += shape.n;
      known.first = Math.min(known.first, shape.first);
      known.last = Math.max(known.last, shape.last);
    }
  }
  return [...byKey.values()].sort((x, y) => y.n - x.n);
}

/** A shape of fewer sessions than this share is none that users have in common. */
const COMMON = 0.01;

/**
 * When the first and the last session began that did what others do too; `undefined` when most sessions did something of their
 * own. The calls by which somebody looked whether the system is up are none of these.
 */
export function commonSpan(shapes: readonly Shape[]): { readonly first: number; readonly last: number } | undefined {
  const total = shapes.reduce((sum, shape) => sum + shape.n, 0);
  const common = shapes.filter((shape) => shape.n >= Math.max(2, COMMON * total));
  if (common.reduce((sum, shape) => sum + shape.n, 0) < 0.5 * total || common.length === 0) return undefined;
  return {
    first: Math.min(...common.map((shape) => shape.first)),
    last: Math.max(...common.map((shape) => shape.last)),
  };
}
