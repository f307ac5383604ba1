import { describe, expect, it } from 'vitest';
import { popularityCdf, popularitySampler } from '../../../lib/model/popularity.ts';
import { hashSeed, type Random, sessionRandom } from '../../../lib/model/random.ts';
import type { PopularityLaw } from '../../../lib/model/workload.ts';
import { harmonic, zipfSampler } from '../../../lib/model/zipf.ts';
import { chiSquareTest } from '../../support/statistics.ts';

const DRAWS = 1_000_000;
const EXPONENTS = [0, 1 / 3, 2 / 3, 1, 1.5];
const SIZES = [10, 1_000, 40_000];

function draw(sampler: (random: Random) => number, n: number, random: Random): Float64Array {
  const counts = new Float64Array(n);
  for (let i = 0; i < DRAWS; i++) {
    const index = sampler(random);
    counts[index] = (counts[index] as number) + 1;
  }
  return counts;
}

/** Exact probabilities of a Zipf law by adding up the definition, smallest term first. */
function zipfProbabilities(s: number, n: number): (index: number) => number {
  let sum = 0;
  for (let k = n; k >= 1; k--) sum += k ** -s;
  return (index) => (index + 1) ** -s / sum;
}

function generator(name: string): Random {
  return sessionRandom(hashSeed(name), 0);
}

describe('popularity laws against exact probabilities, a million draws each', () => {
  for (const n of SIZES) {
    for (const s of EXPONENTS) {
      it(`zipf s = ${s.toFixed(3)}, n = ${n}`, () => {
        const counts = draw(popularitySampler({ law: 'zipf', s }, n), n, generator(`zipf ${s} ${n}`));
        expect(chiSquareTest(counts, zipfProbabilities(s, n)).p).toBeGreaterThan(0.001);
      });
    }
    for (const g of [1, 2, 3]) {
      it(`power g = ${g}, n = ${n}`, () => {
        const counts = draw(popularitySampler({ law: 'power', g }, n), n, generator(`power ${g} ${n}`));
        const p = (i: number) => ((i + 1) / n) ** (1 / g) - (i / n) ** (1 / g);
        expect(chiSquareTest(counts, p).p).toBeGreaterThan(0.001);
      });
    }
    it(`uniform, n = ${n}`, () => {
      const counts = draw(popularitySampler({ law: 'uniform' }, n), n, generator(`uniform ${n}`));
      expect(chiSquareTest(counts, () => 1 / n).p).toBeGreaterThan(0.001);
    });
  }

  it('empirical: uniform within each piece of the curve', () => {
    const curve = [[1, 0.1], [10, 0.3], [100, 0.75], [1_000, 1]] as const; // biome-ignore format: one line reads as the curve
    const counts = draw(popularitySampler({ law: 'empirical', curve }, 1_200), 1_200, generator('empirical'));
    const p = (i: number) => (i < 1 ? 0.1 : i < 10 ? 0.2 / 9 : i < 100 ? 0.45 / 90 : i < 1_000 ? 0.25 / 900 : 0);
    expect(chiSquareTest(counts.subarray(0, 1_000), p).p).toBeGreaterThan(0.001);
    expect(counts.subarray(1_000).every((count) => count === 0)).toBe(true);
  });

  it('holds when every draw comes from the first numbers of a session of its own', () => {
    const base = hashSeed('1/browse');
    const sample = popularitySampler({ law: 'power', g: 3 }, 1_000);
    const p = (i: number) => ((i + 1) / 1_000) ** (1 / 3) - (i / 1_000) ** (1 / 3);
    let iteration = 0;
    const first = draw(() => sample(sessionRandom(base, iteration++)), 1_000, Math.random);
    expect(chiSquareTest(first, p).p).toBeGreaterThan(0.001);
    iteration = 0;
    const third = draw(
      () => {
        const random = sessionRandom(base, iteration++);
        random();
        random();
        return sample(random);
      },
      1_000,
      Math.random,
    );
    expect(chiSquareTest(third, p).p).toBeGreaterThan(0.001);
  });
});

describe('the same test rejects wrong samplers', () => {
  const s = 2 / 3;

  function pOf(sampler: (random: Random) => number, n = 1_000): number {
    return chiSquareTest(draw(sampler, n, generator('wrong')), zipfProbabilities(s, n)).p;
  }

  it('the right one passes', () => {
    expect(pOf(popularitySampler({ law: 'zipf', s }, 1_000))).toBeGreaterThan(0.001);
  });

  it('the power law that has the same tail exponent', () => {
    expect(pOf(popularitySampler({ law: 'power', g: 3 }, 1_000))).toBeLessThan(1e-9);
  });

  it('the continuous density, inverted and rounded, without the rejection', () => {
    const n = 10;
    const q = 1 - s;
    const H = (x: number) => (x ** q - 1) / q;
    const low = H(0.5);
    const width = H(n + 0.5) - low;
    const wrong = (random: Random) => Math.min(n, Math.floor((1 + q * (low + random() * width)) ** (1 / q) + 0.5)) - 1;
    expect(pOf(wrong, n)).toBeLessThan(1e-9);
  });

  it('an exponent off by 0.01', () => {
    expect(pOf(popularitySampler({ law: 'zipf', s: s + 0.01 }, 1_000))).toBeLessThan(1e-9);
  });

  it('one rank of a thousand never drawn', () => {
    const right = popularitySampler({ law: 'zipf', s }, 1_000);
    expect(pOf((random) => (right(random) === 500 ? 501 : right(random)))).toBeLessThan(1e-9);
  });
});

describe('zipf for any exponent and any n', () => {
  it('always gives a rank within 1..n, also at the ends of the generator', () => {
    for (const s of [0, 1e-9, 0.5, 1 - 1e-12, 1, 1 + 1e-12, 2, 10, 100, 1_000]) {
      for (const n of [1, 2, 3, 1e6, 1e12]) {
        const sample = zipfSampler(s, n);
        const random = generator(`any ${s} ${n}`);
        let draws = 0;
        const ends: Random = () => [0, 1 - 2 ** -32][draws++] ?? random();
        for (let i = 0; i < 200; i++) {
          const k = sample(ends);
          expect(k >= 1 && k <= n && k % 1 === 0).toBe(true);
        }
      }
    }
  });

  it('needs 1.2 numbers a draw at most on average', () => {
    for (const s of [0, 0.3, 0.7, 1, 1.5, 3]) {
      const random = generator('cost');
      let used = 0;
      const counting: Random = () => {
        used++;
        return random();
      };
      const sample = zipfSampler(s, 40_000);
      for (let i = 0; i < 20_000; i++) sample(counting);
      expect(used / 20_000).toBeLessThan(1.2);
    }
  });

  it('harmonic numbers agree with adding up, and with zeta(2) and ln k + gamma', () => {
    for (const s of [0, 0.3, 2 / 3, 1, 1.5, 4, 30]) {
      for (const k of [0, 1, 29, 31, 60, 1_000, 40_000]) {
        let sum = 0;
        for (let i = k; i >= 1; i--) sum += i ** -s;
        expect(Math.abs(harmonic(k, s) - sum)).toBeLessThanOrEqual(1e-12 * Math.max(1, sum));
      }
    }
    expect(harmonic(1e15, 2)).toBeCloseTo(Math.PI ** 2 / 6, 13);
    expect(harmonic(1e9, 1)).toBeCloseTo(Math.log(1e9) + 0.5772156649015329 + 0.5e-9, 12);
  });
});

describe('popularityCdf', () => {
  const laws: PopularityLaw[] = [
    { law: 'single', index: 3 },
    { law: 'uniform' },
    { law: 'power', g: 3 },
    { law: 'zipf', s: 2 / 3 },
    { law: 'zipf', s: 1 },
    { law: 'empirical', curve: [[2, 0.5], [50, 0.9], [90, 1]] }, // biome-ignore format: one line reads as the curve
  ];

  it.each(laws)('rises from 0 to 1 and agrees with draws: $law', (law) => {
    const cdf = popularityCdf(law, 100);
    const sample = popularitySampler(law, 100);
    const random = generator('cdf');
    const counts = new Float64Array(100);
    for (let i = 0; i < 200_000; i++) {
      const index = sample(random);
      counts[index] = (counts[index] as number) + 1;
    }
    expect(cdf(0)).toBe(0);
    expect(cdf(100)).toBe(1);
    let seen = 0;
    for (let k = 1; k <= 100; k++) {
      expect(cdf(k)).toBeGreaterThanOrEqual(cdf(k - 1));
      seen += counts[k - 1] as number;
      // Six standard deviations of a binomial share at most: 6 * 0.5 / sqrt(200,000).
      expect(Math.abs(seen / 200_000 - cdf(k))).toBeLessThan(0.0068);
    }
  });

  // (1/40,000)^(1/3) = 0.0292; 1 / 100.15 and 4.124 / 100.15 from the sums of k^(-2/3).
  it('gives the reference shares: the first of 40,000 books 2.9 % by power, 1.0 % by zipf, the first ten 6.3 % and 4.1 %', () => {
    const power = popularityCdf({ law: 'power', g: 3 }, 40_000);
    const zipf = popularityCdf({ law: 'zipf', s: 2 / 3 }, 40_000);
    expect([power(1), zipf(1), power(10), zipf(10)].map((p) => Number((100 * p).toFixed(1)))).toEqual([
      2.9, 1, 6.3, 4.1,
    ]);
  });

  it('refuses what does not fit', () => {
    const wrong: [PopularityLaw, number, RegExp][] = [
      [{ law: 'uniform' }, 0, /item 1 of 0/],
      [{ law: 'uniform' }, Number.NaN, /item 1 of NaN/],
      [{ law: 'single', index: 10 }, 10, /item 11 of 10/],
      [{ law: 'single', index: -1 }, 10, /item 0 of 10/],
      [{ law: 'power', g: 0 }, 10, /exponent/],
      [{ law: 'power', g: -2 }, 10, /exponent/],
      [{ law: 'zipf', s: -1 }, 10, /exponent/],
      [{ law: 'zipf', s: Number.NaN }, 10, /exponent/],
      [{ law: 'empirical', curve: [[20, 1]] }, 10, /item 20 of 10/],
      [{ law: 'empirical', curve: [] }, 10, /item 0 of 10/],
    ];
    for (const [law, n, message] of wrong) {
      expect(() => popularitySampler(law, n)).toThrow(message);
      expect(() => popularityCdf(law, n)).toThrow(message);
    }
  });
});
