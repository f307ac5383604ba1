import { describe, expect, it } from 'vitest';
import { stripingOf, WHOLE } from '../../../tools/engine/segment.ts';

describe('execution segments', () => {
  it('deals every position to exactly one segment of a sequence', () => {
    const sequence = '0,1/4,1/2,1';
    const segments = ['0:1/4', '1/4:1/2', '1/2:1'].map((segment) => stripingOf(segment, sequence));
    const dealt = segments.flatMap((striping) => Array.from({ length: 8 }, (_, i) => striping.global(i)));
    // Eight of each: the first 16 positions are all dealt by then, none twice.
    expect(new Set(dealt).size).toBe(24);
    expect([...dealt].sort((a, b) => a - b).slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, i) => i));
  });

  it('gives each segment its share of any number, and all of it together', () => {
    const sequence = '0,1/3,1';
    const [small, large] = ['0:1/3', '1/3:1'].map((segment) => stripingOf(segment, sequence));
    for (let n = 0; n < 20; n++) {
      expect((small?.scale(n) ?? 0) + (large?.scale(n) ?? 0)).toBe(n);
      expect(Math.abs((small?.scale(n) ?? 0) - n / 3)).toBeLessThanOrEqual(1);
    }
  });

  it('reads fractions, decimals and percentages alike', () => {
    for (const text of ['0:1/4', '1/4', '0:0.25', '25%']) {
      const striping = stripingOf(text, undefined);
      expect([striping.cycle, striping.ours.length]).toEqual([4, 1]);
    }
    expect(stripingOf(undefined, undefined)).toBe(WHOLE);
  });

  it('deals iterations by the VUs, as k6 v2.2 does: recorded with 5 VUs and a third of the work', () => {
    const striping = stripingOf('0:1/3', '0,1/3,1').rescale(5);
    expect([0, 1, 2, 3, 4].map((i) => striping.global(i))).toEqual([1, 3, 6, 8, 11]);
  });

  it.each([
    ['1/2:1/4', undefined, '"1/2:1/4" is not an execution segment'],
    ['2', undefined, '"2" is not an execution segment'],
    ['0:x', undefined, '"0:x" is not an execution segment'],
    ['0:1/2', '0,1,1/2', '"0,1,1/2" is not an execution segment sequence'],
    ['0:1/2', '0,1/4,1', 'the segment 0:1/2 is not part of the execution segment sequence 0,1/4,1'],
    [undefined, '0,1/2,1', 'the segment 0:1 is not part'],
  ])('refuses %s of %s', (text, sequence, sentence) => {
    expect(() => stripingOf(text, sequence)).toThrow(sentence);
  });

  it('takes what a sequence leaves out for the work of others, as k6 v2.2 does: recorded with 8 iterations', () => {
    const striping = stripingOf('0:1/4', '0,1/4,1/2');
    expect([0, 1].map((i) => striping.global(i))).toEqual([1, 5]);
    const second = stripingOf('1/4:1/2', '1/4,1/2');
    expect([0, 1].map((i) => second.global(i))).toEqual([3, 7]);
  });
});
