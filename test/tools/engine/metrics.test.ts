import { describe, expect, it } from 'vitest';
import { addToSink, newSink, sinkValues, trendAggregate } from '../../../tools/engine/metrics/sinks.ts';
import { evaluateThreshold, parseThresholds } from '../../../tools/engine/metrics/thresholds.ts';
import type { Sink } from '../../../tools/engine/metrics/types.ts';

function trendOf(values: readonly number[]): Sink & { type: 'trend' } {
  const sink = newSink('trend');
  for (const value of values) addToSink(sink, value);
  return sink as Sink & { type: 'trend' };
}

describe('sums of samples', () => {
  it("has k6's percentiles: linear between the sorted values (golden: 1 to 10)", () => {
    const sink = trendOf([10, 1, 9, 2, 8, 3, 7, 4, 6, 5]);
    const golden = { 'p(50)': 5.5, 'p(90)': 9.1, 'p(95)': 9.55, 'p(99)': 9.91, med: 5.5, avg: 5.5, min: 1, max: 10 };
    for (const [name, value] of Object.entries(golden)) expect(trendAggregate(sink, name)).toBeCloseTo(value, 12);
  });

  it('stays right when values come after a percentile was asked for', () => {
    const sink = trendOf([3, 1]);
    expect(trendAggregate(sink, 'med')).toBe(2);
    addToSink(sink, 0);
    expect(trendAggregate(sink, 'med')).toBe(1);
  });

  it('has zeros, which it only counts, in their place among the others (a second method: all values sorted)', () => {
    const values = [0, 4, -2, 0, 7.5, -0, -11, 0, 3, 0, -2, 0.25, 0];
    for (let n = 1; n <= values.length; n++) {
      const sorted = values.slice(0, n).sort((a, b) => a - b);
      const sink = trendOf(values.slice(0, n));
      expect(sink.values.length).toBe(16);
      for (let rank = 0; rank < n; rank++) {
        const percent = n === 1 ? 50 : (100 * rank) / (n - 1);
        expect(trendAggregate(sink, `p(${percent})`) + 0).toBeCloseTo(sorted[rank] ?? Number.NaN, 9);
      }
    }
    const sink = trendOf(Array.from({ length: 1000 }, () => 0));
    expect([sink.values.length, trendAggregate(sink, 'p(99)'), trendAggregate(sink, 'count')]).toEqual([16, 0, 1000]);
  });

  it('counts true samples of a Rate as passes', () => {
    const sink = newSink('rate');
    for (const value of [1, 0, 7]) addToSink(sink, value);
    expect(sinkValues(sink, [], 1)).toEqual({ rate: 2 / 3, passes: 2, fails: 1 });
  });
});

describe('thresholds', () => {
  const judge = (source: string, sink: Sink) => {
    const [threshold] = parseThresholds('m', [source]);
    return threshold === undefined ? undefined : evaluateThreshold(threshold, sink, 2);
  };

  it('judge an empty population as k6 does', () => {
    expect(judge('p(95)<5', newSink('trend'))).toBe(true);
    expect(judge('rate>0.99', newSink('rate'))).toBe(true);
    expect(judge('rate<0.01', newSink('rate'))).toBe(true);
    expect(judge('count>0', newSink('counter'))).toBe(false);
    expect(judge('count==0', newSink('counter'))).toBe(true);
  });

  it.each(['p95<1', 'p( 99.9 )<1', 'p(95) < 500ms', 'avg', '<500', 'p(101)<1', 'mean<3', 'avg<1 && max<2'])(
    'refuse "%s"',
    (source) => {
      expect(() => parseThresholds('m', [source])).toThrow('invalid threshold defined on m');
    },
  );

  it('take spaces, signs and exponents', () => {
    const sink = trendOf([-5]);
    for (const source of [
      ' avg == -5 ',
      'max<1e3',
      'p(99.9)<=-5',
      'min!=5',
      'max<.5E1',
      'min<+5',
      'p(99.90)<Inf',
      'p<0',
    ])
      expect(judge(source, sink)).toBe(true);
  });
});
