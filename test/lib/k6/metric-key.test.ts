import { describe, expect, it } from 'vitest';
import { canonicalKey, isMetricName, metricKey, parseMetricKey } from '../../../lib/k6/metric-key.ts';

it('a metric has a name of 2 to 129 letters, digits and underscores: tried with k6 v2.2', () => {
  const names = ['a', 'ab', '_1', '1a', 'a-b', 'aé', 'a'.repeat(129), 'a'.repeat(130)];
  expect(names.map(isMetricName)).toEqual([false, true, true, false, false, false, true, false]);
});

describe('metric keys', () => {
  it('have one tag order, whatever order the tags come in', () => {
    expect(metricKey('m', { phase: 'measure', name: 'GET /b/{id}' })).toBe('m{name:GET /b/{id},phase:measure}');
    expect(metricKey('m', { name: 'GET /b/{id}', phase: 'measure' })).toBe('m{name:GET /b/{id},phase:measure}');
    expect(metricKey('m', {})).toBe('m');
  });

  it('refuse a comma, which k6 takes for the end of a value', () => {
    expect(() => metricKey('m', { name: 'a,b' })).toThrow(/comma/);
  });

  it('are read back as they were written, or not written', () => {
    const values = ['a', 'a b', 'a:b', '{a}', "it's", 'say "x" now', 'é', ' a', 'a ', '"a"', "a'", ',', '', 'a\n'];
    const written = values.filter((value) => {
      try {
        expect(parseMetricKey(metricKey('m', { t: value, u: '1' }))).toEqual({
          metric: 'm',
          tags: { t: value, u: '1' },
        });
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
        return false;
      }
    });
    expect(written).toEqual(values.slice(0, 7));
    for (const name of ['', ' a', 'a:b', 'a,b', '"a"'])
      expect(() => metricKey('m', { [name]: 'x' })).toThrow(RangeError);
  });

  it('of one set of tags have one spelling', () => {
    expect(canonicalKey(`m{ b:"2" ,a:'1'}`)).toBe('m{a:1,b:2}');
    expect(canonicalKey('m')).toBe('m');
    expect(canonicalKey('m{a}')).toBe('m{a}');
  });

  it('may name tags as members of every object are named', () => {
    expect(parseMetricKey('m{__proto__:x,constructor:y}')).toEqual({
      metric: 'm',
      tags: Object.assign(Object.create(null), JSON.parse('{"__proto__":"x","constructor":"y"}')),
    });
  });
});
