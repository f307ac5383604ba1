/**
 * Uniform sample of a stream of unknown length, seeded, so that a log gives the same figures again. Beyond the capacity it
 * draws how many values to skip rather than a number for each (K.-H. Li, "Reservoir-sampling algorithms of time complexity
 * O(n(1 + log(N/n)))", ACM TOMS 20, 1994, algorithm L).
 */
import { hashSeed, type Random, sessionRandom } from '../../../lib/random.ts';

export interface Reservoir {
  /** How many values were offered. */
  readonly n: number;
  /** The values kept: all of them while n is within the capacity. */
  readonly values: readonly number[];
  /** So many of the values to come are not kept, whatever they are: they may be told to `pass` instead. */
  readonly unseen: number;
  add(value: number): void;
  /** Counts `some` values, at most `unseen` of them, that are not kept. */
  pass(some: number): void;
}

export function reservoir(capacity: number, name: string): Reservoir {
  const random: Random = sessionRandom(hashSeed(`reservoir ${name}`), 0);
  const values: number[] = [];
  let n = 0;
  let weight = 1;
  // Number of the next value that replaces one of the kept.
  let next = Number.POSITIVE_INFINITY;

  function skip(): void {
    weight *= Math.exp(Math.log(1 - random()) / capacity);
    next = n + Math.floor(Math.log(1 - random()) / Math.log1p(-weight)) + 1;
  }

  return {
    get n() {
      return n;
    },
    values,
    get unseen() {
      return n < capacity ? 0 : next - n - 1;
    },
    pass(some) {
      n += some;
    },
    add(value) {
      n++;
      if (n < next && n > capacity) return;
      if (n <= capacity) {
        values.push(value);
        if (n === capacity) skip();
        return;
      }
      values[Math.floor(random() * capacity)] = value;
      skip();
    },
  };
}
