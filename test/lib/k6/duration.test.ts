import { describe, expect, it } from 'vitest';
import { bareSeconds, durationMs, durationSeconds } from '../../../lib/k6/duration.ts';

// k6's own answers about a hundred texts: recorded.test.ts.
describe('a duration', () => {
  it('is in milliseconds or seconds', () => {
    expect([durationMs('1m0.5s'), durationSeconds('1m0.5s')]).toEqual([60_500, 60.5]);
    expect([durationMs(90), durationSeconds(90)]).toEqual([90, 0.09]);
  });

  it('without a unit is milliseconds, or seconds in our own variables', () => {
    expect(['90', '1.5', '.5', '0'].map((text) => durationSeconds(text))).toEqual([0.09, 0.0015, 0.0005, 0]);
    expect(['90', '1.5', '.5', '0'].map((text) => bareSeconds(text))).toEqual([90, 1.5, 0.5, 0]);
    expect(['90ms', '-1s', '1d', '1h30m'].map((text) => bareSeconds(text))).toEqual([0.09, -1, 86_400, 5400]);
    for (const text of ['1e3', '+5', '0x10p0', '1_0', '1.2.3', '.', '', 'Inf']) {
      expect(bareSeconds(text), text).toBeUndefined();
    }
  });

  it('of decimal seconds keeps every digit that nanoseconds have', () => {
    for (const text of ['0.1', '0.29', '1.1', '2.3', '0.000000001', '4.35']) {
      expect(bareSeconds(text), text).toBe(Number(text));
    }
  });

  it('beyond 64 bits of nanoseconds is none', () => {
    // 2^63 ns are 106,751 days and 23.8 hours.
    expect(durationMs('106751d23h')).toBe((106_751 * 24 + 23) * 3_600_000);
    for (const value of ['106752d', '2562048h', 'Inf', 'NaN', '1e300', Number.NaN, Infinity, 1e300])
      expect(durationMs(value), String(value)).toBeUndefined();
  });

  it('of nothing is 0, not -0', () => {
    for (const value of ['-0s', '-0', '-0d', -0]) expect(durationMs(value)).toBe(0);
  });
});
