import { describe, expect, it } from 'vitest';
import { figure, percent } from '../../../lib/summary/figures.ts';

describe('figures', () => {
  it.each([
    [0.0043, undefined, '0.0043'],
    [0.9978, undefined, '0.9978'],
    [0.99999, undefined, '0.999990'],
    [0.01004, 0.01, '0.01004'],
    [299.7, 300, '299.7'],
    [300.2, 300, '300.2'],
    [123.4, 300, '123'],
    [1.0004, undefined, '1.0004'],
    [4.25, undefined, '4.25'],
    [0, 0, '0'],
    [300, 300, '300'],
  ])('%d beside the limit %s is %s', (value, limit, text) => {
    expect(figure(value, limit)).toBe(text);
  });
  it('in percent are neither 0 nor 100 unless they are', () => {
    expect([0, 0.0001, 0.25, 0.99999, 1].map(percent)).toEqual(['0.0 %', '0.01 %', '25.0 %', '99.999 %', '100.0 %']);
  });
});
