/** Counts sessions by what they did: the sequence of their routes. */

/** A sequence of routes and how many sessions had it; sequences too long to be kept are cut: without steps, and marked. */
export interface Shape {
  readonly steps: readonly number[];
  readonly cut: boolean;
  n: number;
}

export interface ShapeCounter {
  /** A session of `count` steps that stand in `steps` from `at` on. */
  add(steps: Uint16Array, at: number, count: number, cut: boolean): void;
  /** The most frequent first, and the sessions of shapes that no longer fitted into the table. */
  result(): { shapes: Shape[]; shapesLost: number };
}

const MAX_SHAPES = 20_000;

export function shapeCounter(): ShapeCounter {
  const shapes = new Map<number, Shape>();
  let shapesLost = 0;
  return {
    add(steps, at, count, cut) {
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
      if (shape !== undefined) shape.n++;
      else if (shapes.size < MAX_SHAPES) {
        shapes.set(key, { steps: cut ? [] : Array.from(steps.subarray(at, at + count)), cut, n: 1 });
      } else shapesLost++;
    },
    result: () => ({ shapes: [...shapes.values()].sort((a, b) => b.n - a.n), shapesLost }),
  };
}
