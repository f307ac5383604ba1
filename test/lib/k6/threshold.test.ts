import { describe, expect, it } from 'vitest';
import {
  AGGREGATES,
  aggregateName,
  faultText,
  holds,
  type Operator,
  parseThreshold,
  type ThresholdFault,
  thresholdOf,
} from '../../../lib/k6/threshold.ts';

describe('a threshold expression', () => {
  it.each([
    ['p(99.9) <= 1E3', { aggregate: 'p', percentile: 99.9, operator: '<=', limit: 1000 }],
    ['count===+5', { aggregate: 'count', operator: '==', limit: 5 }],
    ['rate!=.5', { aggregate: 'rate', operator: '!=', limit: 0.5 }],
    ['p>1', { aggregate: 'p', percentile: 0, operator: '>', limit: 1 }],
  ])('%s', (text, parsed) => expect(parseThreshold(text)).toEqual(parsed));

  it.each<[string, ThresholdFault['fault'], string]>([
    ['avg', 'comparison', 'avg'],
    ['mean<6', 'aggregate', 'mean'],
    ['p(101)<6', 'percentile', 'p(101)'],
    ['avg<6ms', 'limit', '6ms'],
  ])('%s is refused for its %s', (text, fault, given) => {
    expect(parseThreshold(text)).toEqual({ fault, given });
    expect(faultText({ fault, given })).toMatch(fault === 'comparison' ? 'compares with nothing' : `"${given}"`);
    expect(thresholdOf(text)).toBeUndefined();
  });

  it('names its aggregate as summaries do', () => {
    const names = ['p(95.0)<1', 'p(095)<1', 'p(99.99)<1', 'med<1', 'p<1'].map((text) => {
      const parsed = thresholdOf(text);
      return parsed && aggregateName(parsed);
    });
    expect(names).toEqual(['p(95)', 'p(95)', 'p(99.99)', 'med', 'p(0)']);
  });

  it('can be read for every aggregate of every type of metric', () => {
    for (const aggregate of Object.values(AGGREGATES).flat())
      expect(thresholdOf(`${aggregate}<1`)?.aggregate).toBe(aggregate);
  });
});

describe('a threshold holds', () => {
  it.each([
    ['<', [true, false, false]],
    ['<=', [true, true, false]],
    ['>', [false, false, true]],
    ['>=', [false, true, true]],
    ['==', [false, true, false]],
    ['!=', [true, false, true]],
  ] as [Operator, boolean[]][])('%s below, at and above the limit', (operator, expected) => {
    expect([1, 2, 3].map((value) => holds(value, operator, 2))).toEqual(expected);
  });

  it('for no value that is no number, but for "not equal"', () => {
    const operators: Operator[] = ['<', '<=', '>', '>=', '==', '!='];
    expect(operators.filter((operator) => holds(Number.NaN, operator, 2))).toEqual(['!=']);
  });
});
