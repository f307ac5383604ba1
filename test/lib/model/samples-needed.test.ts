import { expect, it } from 'vitest';
import { samplesForShare, samplesNeeded, samplesToDecide } from '../../../lib/model/samples-needed.ts';

it('a quantile needs ten samples beyond it: 10 / (1 - p), on the thinner side', () => {
  expect([0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999].map(samplesNeeded)).toEqual([
    20, 100, 200, 1000, 10_000, 100_000, 1_000_000,
  ]);
  expect(samplesNeeded(99.9 / 100)).toBe(10_000);
  expect(samplesNeeded(0.1)).toBe(100);
  expect(samplesNeeded(0.97)).toBe(334);
  expect([0, 1].map(samplesNeeded)).toEqual([Infinity, Infinity]);
});

it('a share needs so many samples without a miss that the exact interval leaves the limit out', () => {
  // "Rule of three point seven": 1 - 0.025^(1/n) < limit, tried number by number.
  for (const limit of [0.001, 0.01, 0.02, 0.05, 0.5]) {
    let n = 1;
    while (1 - 0.025 ** (1 / n) >= limit) n += 1;
    expect(samplesForShare(limit), String(limit)).toBe(n);
  }
  expect(samplesForShare(0.01)).toBe(368);
  expect(samplesForShare(0)).toBe(Infinity);
});

it('an objective needs those of its aggregate; a fact needs one', () => {
  expect(samplesToDecide('p', 95, '<', 300)).toBe(200);
  expect(samplesToDecide('p', 100, '<', 300)).toBe(1);
  expect(samplesToDecide('med', undefined, '<', 300)).toBe(20);
  expect(samplesToDecide('rate', undefined, '<', 0.02)).toBe(183);
  expect(samplesToDecide('rate', undefined, '>', 0.98)).toBe(183);
  for (const exact of [
    ['rate', '==', 0],
    ['rate', '<=', 1],
    ['count', '>', 0],
    ['max', '<', 9],
  ] as const)
    expect(samplesToDecide(exact[0], undefined, exact[1], exact[2]), exact.join(' ')).toBe(1);
});
