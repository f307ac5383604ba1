import { expect, it } from 'vitest';
import { samplesNeeded } from '../../../lib/model/samples-needed.ts';

it('a quantile needs ten samples beyond it: 10 / (1 - p), on the thinner side', () => {
  expect([0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999].map(samplesNeeded)).toEqual([
    20, 100, 200, 1000, 10_000, 100_000, 1_000_000,
  ]);
  expect(samplesNeeded(99.9 / 100)).toBe(10_000);
  expect(samplesNeeded(0.1)).toBe(100);
  expect(samplesNeeded(0.97)).toBe(334);
  expect([0, 1].map(samplesNeeded)).toEqual([Infinity, Infinity]);
});
