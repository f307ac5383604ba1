import { describe, expect, it } from 'vitest';
import { holds, type Operator } from '../../../lib/k6/comparison.ts';

describe('a threshold holds', () => {
  it.each([
    ['<', [true, false, false]],
    ['<=', [true, true, false]],
    ['>', [false, false, true]],
    ['>=', [false, true, true]],
    ['==', [false, true, false]],
    ['===', [false, true, false]],
    ['!=', [true, false, true]],
  ] as [Operator, boolean[]][])('%s below, at and above the limit', (operator, expected) => {
    expect([1, 2, 3].map((value) => holds(value, operator, 2))).toEqual(expected);
  });

  it('for no value that is no number, but for "not equal"', () => {
    const operators: Operator[] = ['<', '<=', '>', '>=', '==', '===', '!='];
    expect(operators.filter((operator) => holds(Number.NaN, operator, 2))).toEqual(['!=']);
  });
});
