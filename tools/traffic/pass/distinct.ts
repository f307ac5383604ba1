/** How many different clients there were: exact up to a limit, beyond it a HyperLogLog sketch with its error stated. */
import { mix32 } from '../readers/hashes.ts';

export interface DistinctCount {
  readonly count: number;
  /** Relative standard error; 0 when exact. */
  readonly relativeError: number;
}

export interface DistinctCounter {
  add(key1: number, key2: number): void;
  result(): DistinctCount;
}

const REGISTER_BITS = 14;
const REGISTERS = 1 << REGISTER_BITS;

/** @param limit different keys that are kept exactly (8 bytes each) */
export function distinctCounter(limit = 1 << 20): DistinctCounter {
  const registers = new Uint8Array(REGISTERS);
  let size = 1 << 12;
  let keys: Int32Array | undefined = new Int32Array(size * 2);
  let taken = new Uint8Array(size);
  let count = 0;

  function place(table: Int32Array, marks: Uint8Array, a: number, b: number): boolean {
    const mask = marks.length - 1;
    let cell = mix32(b ^ Math.imul(a, 0x9e3779b1)) & mask;
    while (marks[cell] === 1) {
      if (table[2 * cell] === a && table[2 * cell + 1] === b) return false;
      cell = (cell + 1) & mask;
    }
    marks[cell] = 1;
    table[2 * cell] = a;
    table[2 * cell + 1] = b;
    return true;
  }

  return {
    add(a, b) {
      const h = mix32(a ^ mix32(b));
      const rank = Math.clz32((h << REGISTER_BITS) | (1 << (REGISTER_BITS - 1))) + 1;
      const register = h >>> (32 - REGISTER_BITS);
      if (rank > (registers[register] as number)) registers[register] = rank;
      if (keys === undefined || !place(keys, taken, a, b)) return;
      count++;
      if (count > limit) {
        keys = undefined;
        taken = new Uint8Array(0);
      } else if (count * 2 > size) {
        const larger = new Int32Array(size * 4);
        const marks = new Uint8Array(size * 2);
        for (let i = 0; i < size; i++) {
          if (taken[i] === 1) place(larger, marks, keys[2 * i] as number, keys[2 * i + 1] as number);
        }
        keys = larger;
        taken = marks;
        size *= 2;
      }
    },
    result() {
      if (keys !== undefined) return { count, relativeError: 0 };
      // Flajolet, Fusy, Gandouet, Meunier, "HyperLogLog" (2007): error 1.04 / sqrt(m).
      let sum = 0;
      for (const rank of registers) sum += 2 ** -rank;
      const alpha = 0.7213 / (1 + 1.079 / REGISTERS);
      return {
        count: Math.round((alpha * REGISTERS * REGISTERS) / sum),
        relativeError: 1.04 / Math.sqrt(REGISTERS),
      };
    },
  };
}
