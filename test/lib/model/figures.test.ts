import { describe, expect, it } from 'vitest';
import { elapsed, figure, needed, percent, quantity, shortPercent } from '../../../lib/model/figures.ts';

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
    expect([0, 0.0001, 0.25, 0.99999, 1].map((share) => percent(share))).toEqual([
      '0.0 %',
      '0.01 %',
      '25.0 %',
      '99.999 %',
      '100.0 %',
    ]);
  });
  it('in percent take what the last bits of a sum make of 1 for 1', () => {
    // Ten times 0.1 is 0.9999999999999999 in binary.
    const sum = Array.from({ length: 10 }, () => 0.1).reduce((total, part) => total + part, 0);
    expect(sum).toBeLessThan(1);
    expect(percent(sum)).toBe('100.0 %');
  });
  it('in sentences have no trailing zeros', () => {
    expect([0, 0.05, 0.07, 0.1234, 0.9999, 1].map((share) => shortPercent(share))).toEqual([
      '0 %',
      '5 %',
      '7 %',
      '12.3 %',
      '99.99 %',
      '100 %',
    ]);
    expect(shortPercent(0.0125, 3)).toBe('1.25 %');
  });
  it('of samples have about four digits', () => {
    expect([0, 0.123456, 1.23456, 12.3456, 123.456, 1234.56, -1234.56].map(quantity)).toEqual([
      '0',
      '0.1235',
      '1.23',
      '12.35',
      '123.5',
      '1235',
      '-1235',
    ]);
  });
  it('of time that has passed are rounded, of what is needed rounded up', () => {
    expect([8.03, 119.94, 300, 7200].map(elapsed)).toEqual(['8.0 s', '119.9 s', '5.0 min', '2.0 h']);
    expect([8.03, 119.2, 301, 7201].map(needed)).toEqual(['9 s', '120 s', '6 min', '2.1 h']);
  });
});
