import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { chiSquareTest } from '../../support/statistics.ts';

const SESSIONS = 400_000;
const SIDE = 20;

/** p-value of the pairs of numbers `left(i)`, `right(i)` over the cells of a square. */
function pairs(left: (i: number) => number, right: (i: number) => number): number {
  const counts = new Float64Array(SIDE * SIDE);
  for (let i = 0; i < SESSIONS; i++) {
    const cell = Math.floor(left(i) * SIDE) * SIDE + Math.floor(right(i) * SIDE);
    counts[cell] = (counts[cell] as number) + 1;
  }
  return chiSquareTest(counts, () => 1 / (SIDE * SIDE)).p;
}

/** Number `n` (0-based) of session `iteration`. */
function nth(base: number, iteration: number, n: number): number {
  const random = sessionRandom(base, iteration);
  for (let i = 0; i < n; i++) random();
  return random();
}

describe('sessionRandom', () => {
  const base = hashSeed('1/browse');

  it('is the same for the same seed and iteration, and another for the next', () => {
    const numbers = (b: number, i: number) => Array.from({ length: 5 }, sessionRandom(b, i));
    expect(numbers(base, 7)).toEqual(numbers(base, 7));
    expect(numbers(base, 7)).not.toEqual(numbers(base, 8));
    expect(numbers(base, 7)).not.toEqual(numbers(hashSeed('2/browse'), 7));
  });

  it('never gives two sessions of a scenario the same sequence', () => {
    // The generator's first number is not a bijection of its state, so two numbers tell states apart almost surely:
    // of 100,000 sessions about 100,000^2 / 2^65 pairs agree in both by chance, 3e-10.
    const seen = new Set<string>();
    for (let i = 0; i < 100_000; i++) {
      const random = sessionRandom(base, i);
      seen.add(`${random()} ${random()}`);
    }
    expect(seen.size).toBe(100_000);
  });

  it('numbers of one session, of neighbouring sessions and of two scenarios are independent', () => {
    const other = hashSeed('1/search');
    const p = {
      firstSecond: pairs(
        (i) => nth(base, i, 0),
        (i) => nth(base, i, 1),
      ),
      secondFifth: pairs(
        (i) => nth(base, i, 1),
        (i) => nth(base, i, 4),
      ),
      neighbours: pairs(
        (i) => nth(base, i, 0),
        (i) => nth(base, i + 1, 0),
      ),
      striped: pairs(
        (i) => nth(base, i, 1),
        (i) => nth(base, i + 16, 0),
      ),
      scenarios: pairs(
        (i) => nth(base, i, 0),
        (i) => nth(other, i, 0),
      ),
      along: (() => {
        const random = sessionRandom(base, 0);
        return pairs(random, random);
      })(),
    };
    for (const value of Object.values(p)) expect(value).toBeGreaterThan(0.001);
  });

  it('the pair test rejects neighbours that are seeded without mixing', () => {
    const weak = (i: number) => (Math.imul(i, 0x9e3779b1) >>> 0) / 2 ** 32;
    expect(pairs(weak, (i) => weak(i + 1))).toBeLessThan(1e-9);
  });
});

describe('hashSeed', () => {
  it('is an unsigned 32-bit integer, different for texts that differ in one character', () => {
    const texts = Array.from({ length: 50_000 }, (_, i) => `seed ${i}/browse`);
    const hashes = new Set(texts.map(hashSeed));
    // Birthday: 50,000^2 / 2^33 = 0.29 collisions are expected.
    expect(hashes.size).toBeGreaterThan(50_000 - 5);
    for (const h of hashes) expect(h >>> 0).toBe(h);
    expect(hashSeed('')).not.toBe(hashSeed('\0'));
  });
});
