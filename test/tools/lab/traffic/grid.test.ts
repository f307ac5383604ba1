/** `prove --grid` in small: what its rows and its summary say of laws that are known. */
import { describe, expect, it } from 'vitest';
import { popularityGrid } from '../../../../tools/lab/traffic/grid.ts';

describe('the grid of known popularity laws', () => {
  const truths = ['zipf 0', 'zipf 1', 'power 1', 'power 3', 'two levels'];
  const rows = popularityGrid({ truths, items: [100], views: [4000], replicates: 100, seed: 'test' });
  const of = (truth: string) => rows.find((row) => row.truth === truth);

  it('names power laws by their own family, and others by none', () => {
    for (const row of rows) {
      expect(row, row.truth).toMatchObject({ finding: row.lawful ? 'right' : 'no power law' });
    }
    expect(rows).toHaveLength(5);
  });

  it('takes either name for equal popularity, with the interval of the named one', () => {
    for (const truth of ['zipf 0', 'power 1']) {
      const row = of(truth);
      const due = row?.family === 'zipf' ? 0 : 1;
      expect(row?.interval?.[0]).toBeLessThanOrEqual(due);
      expect(row?.interval?.[1]).toBeGreaterThanOrEqual(due);
      expect(row?.inside).toBe(true);
    }
  });

  it('gives exponents near the truth', () => {
    expect(of('zipf 1')).toMatchObject({ family: 'zipf', exponent: expect.closeTo(1, 1) });
    expect(of('power 3')).toMatchObject({ family: 'power', exponent: expect.closeTo(3, 0) });
    expect(of('two levels')?.exponent).toBeUndefined();
  });

  it('tells the size that the fit found where it is not given', () => {
    const [row] = popularityGrid({
      truths: ['power 3'],
      items: [300],
      views: [900],
      replicates: 10,
      seed: 'test',
      estimated: true,
    });
    expect(row).toMatchObject({ finding: 'right', catalogueInside: true, inside: true });
    expect((row?.catalogue ?? 0) / 300).toBeCloseTo(1, 0);
  });
});
