/**
 * Uniform sample of a stream of unknown length, seeded, so that a log gives the same figures again. Beyond the capacity it
 * draws how many values to skip rather than a number for each (K.-H. Li, "Reservoir-sampling algorithms of time complexity
 * O(n(1 + log(N/n)))", ACM TOMS 20, 1994, algorithm L).
 */
import { hashSeed, type Random, sessionRandom } from '../../../lib/model/random.ts';

export interface Sample {
  /** How many values were offered. */
  readonly n: number;
  /** The values kept: all of them while n is within the capacity. */
  readonly values: Float64Array;
}

export interface Reservoir extends Sample {
  add(value: number): void;
}

/** Seed of the sample of this name, before it is mixed. */
export function sampleSeed(name: string): number {
  return hashSeed(`reservoir ${name}`);
}

export function reservoir(capacity: number, name: string): Reservoir {
  const random: Random = sessionRandom(sampleSeed(name), 0);
  let values = new Float64Array(64);
  let n = 0;
  let weight = 1;
  // Number of the next value that is kept.
  let next = 1;

  function skip(): void {
    weight *= Math.exp(Math.log(1 - random()) / capacity);
    next = n + Math.floor(Math.log(1 - random()) / Math.log1p(-weight)) + 1;
  }

  return {
    get n() {
      return n;
    },
    get values() {
      return values.subarray(0, Math.min(n, capacity));
    },
    add(value) {
      n++;
      if (n < next) return;
      if (n > capacity) {
        values[Math.floor(random() * capacity)] = value;
        skip();
        return;
      }
      if (n > values.length) {
        const larger = new Float64Array(Math.min(capacity, values.length * 2));
        larger.set(values);
        values = larger;
      }
      values[n - 1] = value;
      if (n === capacity) skip();
      else next = n + 1;
    },
  };
}
