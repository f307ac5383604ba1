/** Cold against warm, on made samples whose populations can be counted by hand. */
import { describe, expect, it } from 'vitest';
import { poissonCounts } from '../../../lib/model/arrivals.ts';
import { sessionRandom } from '../../../lib/model/random.ts';
import { flatFrom, LEAST_STEPS } from '../../../tools/experiments/cold-warm/flat.ts';
import { cacheFacts } from '../../../tools/experiments/cold-warm/populations.ts';
import { coldWarm, printColdWarm } from '../../../tools/experiments/cold-warm/report.ts';
import { HEADER, made } from '../verdict/support.ts';

const START = 1795982260000;

/** An answer of the details endpoint as the suite's own Trend tells of it. */
function answer(second: number, ms: number, item: string, cache: 'HIT' | 'MISS', phase = 'measure'): string {
  const end = START + Math.round(second * 1000 + ms);
  return `duration_2xx,${end},${ms.toFixed(6)},,,,,,,GET /api/books/{isbn},,details,,200,,,,cache=${cache}&item=${item}&phase=${phase},\n`;
}

const BOOKS = Array.from({ length: 2000 }, (_, n) => `book-${n + 1}`);

describe('populations of a cached endpoint', () => {
  it('first touches and repeats stand apart, by popularity, and warm-up counts for nothing', async () => {
    const rows = [
      answer(0, 9, 'book-1', 'MISS', 'warmup'),
      // A first touch that ends after the repeat that overtook it is the first one all the same.
      answer(1, 900, 'book-1', 'MISS'),
      ...Array.from({ length: 30 }, (_, n) => answer(1.2 + n / 100, 1, 'book-1', 'HIT')),
      ...Array.from({ length: 40 }, (_, n) => answer(3 + n / 10, 8, `book-${101 + n}`, 'MISS')),
      answer(8, 2, 'book-101', 'HIT'),
      answer(9, 3, 'unknown', 'MISS'),
    ];
    const { populations, curve, seconds } = await cacheFacts(
      made('samples.csv', `${HEADER}\n${rows.join('')}`),
      BOOKS,
      4,
    );
    const of = (touch: string, band: string) => populations.find((one) => one.touch === touch && one.band === band);
    expect(of('all', 'all')).toMatchObject({ n: 73, hitRatio: 31 / 73, p50: 8, maxMs: 900 });
    expect(of('first', 'top 10')).toEqual({ touch: 'first', band: 'top 10', n: 1, hitRatio: 0, maxMs: 900 });
    expect(of('repeat', 'top 10')).toMatchObject({ n: 30, hitRatio: 1, p50: 1 });
    expect(of('first', '101-1000')).toMatchObject({ n: 40, hitRatio: 0, p50: 8 });
    // A p95 of 40 has two samples beyond it.
    expect(of('first', '101-1000')).not.toHaveProperty('p95');
    expect(of('repeat', '101-1000')?.n).toBe(1);
    expect(of('first', 'rest')).toMatchObject({ n: 1, maxMs: 3 });
    // From the first request's begin at 1 s to the last one's end at 9.003 s, in four parts.
    expect(seconds).toBeCloseTo(8.003, 3);
    expect(curve.map(({ n }) => n)).toEqual([31, 20, 20, 2]);
    expect(curve.map(({ hits }) => hits)).toEqual([30, 0, 0, 1]);
  });

  it('samples without the tag are refused with a sentence', async () => {
    const plain = answer(1, 2, 'x', 'HIT').replace('cache=HIT&', '');
    await expect(cacheFacts(made('samples.csv', `${HEADER}\n${plain}`), BOOKS, 4)).rejects.toThrow(/X-Cache/);
  });

  it('cold, warm and ratio stand side by side and are never blended', async () => {
    const run = (miss: number, hit: number, share: number) => {
      const rows = Array.from({ length: 400 }, (_, n) =>
        n % 10 < 10 * share
          ? answer(n / 40, hit, `book-${n + 1}`, 'HIT')
          : answer(n / 40, miss, `book-${n + 1}`, 'MISS'),
      );
      return cacheFacts(made('samples.csv', `${HEADER}\n${rows.join('')}`), BOOKS, 10);
    };
    const found = coldWarm(await run(12, 3, 0.2), await run(6, 2, 0.8));
    expect(found.rows[0]).toMatchObject({ touch: 'all', ratio: { p50: 12 / 2, p95: 12 / 6 } });
    expect(found.rows.map(({ touch, band }) => `${touch} ${band}`)).toEqual([
      'all all',
      'first all',
      'first top 10',
      'first 11-100',
      'first 101-1000',
    ]);
    // Constant answers: however the blocks of time are drawn, the median of the cold run is 12 ms, the warm one's 2 ms
    // (to the grid of the resampling, a tenth of a percent).
    const [low = 0, high = 0] = found.rows[0]?.ratioInterval.p50 ?? [];
    expect([low, high]).toEqual([expect.closeTo(6, 1), expect.closeTo(6, 1)]);
    expect(found.flat).toEqual({ hitRatioSecond: 0, medianSecond: 0 });
    const text = printColdWarm(found);
    expect(text).toContain('20.0 %');
    expect(text).toContain('80.0 %');
    expect(text).not.toContain('50.0 %');
  });
});

it('the ratio of two runs of one system has an interval that holds 1, and that of two systems their ratio', async () => {
  const run = async (seed: number, factor: number) => {
    const random = sessionRandom(seed, 1);
    const rows = Array.from({ length: 1200 }, (_, n) =>
      answer(n / 40, factor * 2 * Math.exp(0.5 * Math.sqrt(12) * (random() - 0.5)), `book-${n + 1}`, 'MISS'),
    );
    return cacheFacts(made('samples.csv', `${HEADER}\n${rows.join('')}`), BOOKS, 10);
  };
  for (const factor of [1, 3]) {
    const [all] = coldWarm(await run(factor, factor), await run(7 + factor, 1)).rows;
    for (const interval of [all?.ratioInterval.p50, all?.ratioInterval.p95]) {
      const [low = Number.NaN, high = Number.NaN] = interval ?? [];
      expect(low).toBeLessThan(factor);
      expect(high).toBeGreaterThan(factor);
      expect(high / low).toBeLessThan(1.5);
    }
  }
});

describe('the moment from which it is flat', () => {
  /** Counts around an expectation, as a system's noise would give them. */
  function noisy(expected: (step: number) => number, steps: number, seed: number): number[] {
    const random = sessionRandom(seed, 0);
    return Array.from({ length: steps }, (_, step) => expected(step) + 4 * (random() - 0.5));
  }

  it('is where the climb ends, to a few steps, over many series', () => {
    // Up from 20 to 60 in 20 steps, then level: what is found lies near 20.
    const found = Array.from({ length: 100 }, (_, seed) =>
      flatFrom(noisy((step) => Math.min(60, 20 + 2 * step), 60, seed)),
    ).map((step) => step ?? Number.NaN);
    const near = found.filter((step) => step >= 16 && step <= 26).length;
    expect(near).toBeGreaterThanOrEqual(85);
  });

  it('is the beginning of a series without a climb, in most of many series', () => {
    const found = Array.from({ length: 100 }, (_, seed) => flatFrom(noisy(() => 50, 40, seed)));
    expect(found.filter((step) => step === 0).length).toBeGreaterThanOrEqual(75);
  });

  it('does not exist while the series still climbs', () => {
    for (let seed = 0; seed < 20; seed++) expect(flatFrom(noisy((step) => 3 * step, 40, seed))).toBeUndefined();
  });

  it('needs steps enough to tell', () => {
    expect(flatFrom(Array.from({ length: LEAST_STEPS - 1 }, () => 1))).toBeUndefined();
    expect(flatFrom(poissonCounts(800, LEAST_STEPS, () => 0.5))).toBe(0);
  });
});
