import { describe, expect, it } from 'vitest';
import { compareFractions, fractionText, parseSegment, segmentShare } from '../../../lib/k6/segment.ts';

describe('the share of a segment', () => {
  it.each([
    ['0:1/4', 0.25],
    ['1/4:1/2', 0.25],
    ['2/3:1', 1 / 3],
    ['1/2', 0.5],
    ['50%:75%', 0.25],
    ['0.25', 0.25],
    ['0:1', 1],
    ['', 1],
    [null, 1],
    ['nonsense', 1],
    [0.25, 1],
    [undefined, 1],
  ])('%s is %d', (segment, share) => expect(segmentShare(segment)).toBeCloseTo(share, 12));
});

describe('the borders of a segment', () => {
  it('are exact fractions in lowest terms', () => {
    const borders = ['2/8:75%', '0.5']
      .map((text) => parseSegment(text))
      .flatMap((one) => (one ? [one.from, one.to] : []));
    expect(borders.map(fractionText)).toEqual(['1/4', '3/4', '0', '1/2']);
  });

  it('are compared exactly, where doubles cannot tell them apart', () => {
    // 1/3 and its first fifteen digits differ by 3e-16.
    const [third, digits] = [
      { top: 1, bottom: 3 },
      { top: 333333333333333, bottom: 1_000_000_000_000_000 },
    ];
    expect(compareFractions(third, digits)).toBe(1);
    expect(compareFractions(digits, third)).toBe(-1);
    expect(compareFractions(third, { top: 2, bottom: 6 })).toBe(0);
  });
});
