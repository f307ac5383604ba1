/** Uniform sample of a stream of unknown length (Vitter's algorithm R), seeded, so that a log gives the same figures again. */
import { hashSeed, type Random, sessionRandom } from '../../../lib/random.ts';

export interface Reservoir {
  /** How many values were offered. */
  readonly n: number;
  /** The values kept: all of them while n is within the capacity. */
  readonly values: readonly number[];
  add(value: number): void;
}

export function reservoir(capacity: number, name: string): Reservoir {
  const random: Random = sessionRandom(hashSeed(`reservoir ${name}`), 0);
  const values: number[] = [];
  let n = 0;
  return {
    get n() {
      return n;
    },
    values,
    add(value) {
      n++;
      if (values.length < capacity) values.push(value);
      else {
        const place = Math.floor(random() * n);
        if (place < capacity) values[place] = value;
      }
    },
  };
}
