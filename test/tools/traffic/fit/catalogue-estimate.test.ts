/** How many items exist when nobody tells: estimates, their intervals, and what is said where the log leaves it open. */
import { describe, expect, it } from 'vitest';
import { estimateCatalogue, LOSS_95 } from '../../../../tools/traffic/fit/catalogue-estimate.ts';
import { chao1 } from '../../../../tools/traffic/fit/chao.ts';
import { fitPopularity } from '../../../../tools/traffic/fit/popularity-fit.ts';
import { drawnViews } from './drawn-views.ts';

/** Views per item seen. */
const counts = (...drawn: Parameters<typeof drawnViews>) =>
  Float64Array.from(drawnViews(...drawn)).filter((n) => n > 0);

describe('the estimated catalogue', { timeout: 120_000 }, () => {
  it.each([
    [{ law: 'power', g: 2 }, 2000, 3000, 0.05],
    [{ law: 'power', g: 3 }, 2000, 6000, 0.05],
    [{ law: 'zipf', s: 0.9 }, 3000, 1500, 0.25],
    [{ law: 'zipf', s: 1 }, 5000, 10_000, 0.06],
    [{ law: 'uniform' }, 500, 3000, 0.01],
  ] as const)(
    'of %j over %d items from %d views is the true one, and so are its intervals',
    (law, items, views, off) => {
      const estimates = Array.from({ length: 10 }, (_, i) => {
        const family = law.law === 'uniform' ? 'zipf' : law.law;
        return estimateCatalogue(family, counts(law, items, views, `catalogue ${JSON.stringify(law)} ${i}`));
      });
      const sizes = estimates.map((one) => one.items).sort((a, b) => a - b);
      expect(Math.abs(((sizes[4] as number) + (sizes[5] as number)) / 2 / items - 1)).toBeLessThan(off);
      const holding = estimates.filter((one) => {
        const [low, high] = one.interval(LOSS_95);
        return low <= items && items <= high;
      });
      // Fewer than 7 of 10 would be one in a thousand for 95 % intervals.
      expect(holding.length).toBeGreaterThanOrEqual(7);
    },
  );

  it('is what was seen when all items were seen many times', () => {
    const estimate = estimateCatalogue('zipf', counts({ law: 'zipf', s: 0.8 }, 200, 40_000, 'all seen'));
    expect(estimate.items).toBe(200);
    expect(estimate.interval(LOSS_95)).toEqual([200, 200]);
  });

  it('is bounded from below by the items seen once and twice', () => {
    // 4 seen once, 2 twice, one five times: 7 + 4 * 3 / (2 * 3).
    expect(chao1([1, 1, 1, 1, 2, 2, 5, 0])).toBe(9);
    const seen = counts({ law: 'uniform' }, 1000, 1500, 'chao');
    expect(chao1(seen) / 1000).toBeCloseTo(1, 1);
  });
});

describe('fits without a given catalogue', { timeout: 120_000 }, () => {
  /** Fewer than 70 replicates reject nothing, but cost less. */
  const fitted = (seen: Float64Array, options: { catalogue?: number; own?: number; replicates?: number } = {}) =>
    fitPopularity(seen, { replicates: 3, ...options });

  it('find law, exponent and size together', () => {
    const found = fitted(counts({ law: 'power', g: 2 }, 2000, 3000, 'together'), { replicates: 70 });
    expect(found).toMatchObject({ powerLaw: true, catalogueFrom: 'estimated' });
    const [low, high] = found?.catalogueInterval ?? [0, 0];
    expect(low).toBeLessThan(2000);
    expect(high).toBeGreaterThan(2000);
    const [from, to] = found?.families.find((one) => one.interval !== undefined)?.interval ?? [0, 0];
    expect(from).toBeLessThan(2);
    expect(to).toBeGreaterThan(2);
  });

  it('call two levels no power law and give the lower bound', () => {
    const curve: [number, number][] = [
      [25, 0.55],
      [500, 1],
    ];
    const seen = counts({ law: 'empirical', curve }, 500, 2000, 'levels');
    const found = fitted(seen, { replicates: 70 });
    expect(found).toMatchObject({ powerLaw: false, catalogueFrom: 'at least', catalogue: chao1(seen) });
    expect(found?.catalogueInterval).toBeUndefined();
  });

  it('give a lower bound when hardly an item was seen twice', () => {
    const found = fitted(counts({ law: 'uniform' }, 60_000, 400, 'hardly'));
    expect(found).toMatchObject({ powerLaw: true, catalogueFrom: 'at least' });
  });

  it("take the suite's own catalogue unless the log speaks against it", () => {
    const small = counts({ law: 'power', g: 3 }, 2000, 4000, 'small shop');
    const found = fitted(small, { own: 40_000 });
    expect(found).toMatchObject({ catalogueFrom: 'estimated', catalogueRefused: { items: 40_000, from: 'suite' } });
    expect((found?.catalogue ?? 0) / 2000).toBeCloseTo(1, 0);
    const large = fitted(counts({ law: 'power', g: 3 }, 40_000, 4000, 'own shop'), { own: 40_000 });
    expect(large).toMatchObject({ catalogue: 40_000, catalogueFrom: 'suite', powerLaw: true });
    expect(large?.catalogueRefused).toBeUndefined();
  });

  it('do not take a catalogue of fewer items than were seen, and leave out shares of more items than were seen', () => {
    const seen = counts({ law: 'zipf', s: 1 }, 75, 2000, 'few');
    const found = fitted(seen, { catalogue: 20 });
    expect(found).toMatchObject({ catalogueFrom: 'estimated', catalogueRefused: { items: 20, from: 'given' } });
    expect(found?.top.map(({ top }) => top)).toEqual([10]);
  });
});
