import { describe, expect, it } from 'vitest';
import { BASE_URL, POPULARITY, rangeOf, read, SEED, THINK, TIMEOUT } from '../../../lib/plan/variable.ts';
import { DURATION, PROFILE, VARIABLES, VUS } from '../../../lib/plan/variables.ts';

const SECONDS = { ...DURATION, name: 'T', min: 0, max: 1e6 };

describe('durations', () => {
  it.each([
    ['90', 90],
    ['90s', 90],
    ['3m', 180],
    ['1h30m', 5400],
    ['500ms', 0.5],
    ['1m0.5s', 60.5],
    // k6's grammar; a number alone is seconds.
    ['1.5', 1.5],
    ['.5s', 0.5],
    ['2500ms', 2.5],
    ['1d', 86_400],
  ])('%s is %d s', (text, value) => expect(read(SECONDS, { T: text })).toBeCloseTo(value, 9));

  it.each(['m', '3 m', '3M', '-3s', '1e3', '3m5', '٣s', 'Infinity', '1.2.3'])('%j is none', (text) => {
    expect(() => read(SECONDS, { T: text })).toThrow('give a duration from 0s to 1000000s');
  });
});

describe('reading a variable', () => {
  it('takes the default when it is unset or empty', () => {
    expect(read(THINK, {})).toBe(1);
    expect(read(THINK, { THINK: '' })).toBe(1);
    // Where the load goes is never chosen by a shell variable that was not set.
    expect(() => read(BASE_URL, { BASE_URL: '' })).toThrow('BASE_URL is empty');
    expect(read(BASE_URL, {})).toBe(BASE_URL.default);
  });

  it.each(['abc', '1,5', '0x10', ' 1', '101', '-0.1', 'NaN', 'Infinity', '1e999'])(
    'refuses THINK=%s in a sentence',
    (text) => {
      expect(() => read(THINK, { THINK: text })).toThrow(`THINK=${text} is not valid: give a number from 0 to 100`);
    },
  );

  it('takes decimal and exponent forms', () => {
    expect(read(THINK, { THINK: '0.25' })).toBe(0.25);
    expect(read(THINK, { THINK: '2.5e-1' })).toBe(0.25);
  });

  it('refuses fractions of a VU and unknown choices', () => {
    expect(() => read(VUS, { VUS: '1.5' })).toThrow('a whole number from 1');
    expect(() => read(PROFILE, { PROFILE: 'SMOKE' })).toThrow('one of smoke, default, soak, stress, spike');
    expect(() => read(TIMEOUT, { TIMEOUT: '1h' })).toThrow('a duration from 0.01s to 600s');
  });

  it.each([
    ['single', { law: 'single' }],
    ['single:17', { law: 'single', index: 17 }],
    ['uniform', { law: 'uniform' }],
    ['power', { law: 'power', g: 3 }],
    ['power:2.5', { law: 'power', g: 2.5 }],
    ['zipf:0', { law: 'zipf', s: 0 }],
    ['zipf:.8', { law: 'zipf', s: 0.8 }],
    ['once', 'once'],
  ])('POPULARITY=%s', (text, law) => expect(read(POPULARITY, { POPULARITY: text })).toEqual(law));

  it.each([
    'zipf:',
    'zipf:-1',
    'power:0',
    `power:${'9'.repeat(330)}`,
    'power:0.000000000001',
    'power:101',
    'single:1.5',
    'uniform:3',
    'pareto',
    'zipf:99',
    'power:1:2',
    'single:1:',
    'zipf:1:1',
  ])('refuses POPULARITY=%s', (text) => {
    expect(() => read(POPULARITY, { POPULARITY: text })).toThrow(`POPULARITY=${text} is not valid`);
  });
});

describe('texts', () => {
  it.each(['a\nb', 'a\r', '\u0000', '\u007f', 'a\tb'])('refuses control characters, on one line: %j', (text) => {
    let message = '';
    try {
      read(SEED, { SEED: text });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('without control characters');
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(() => read(PROFILE, { PROFILE: text })).toThrow(/^[^\n\r]*$/);
  });
  it('takes any other', () => expect(read(SEED, { SEED: 'été 7 / ü' })).toBe('été 7 / ü'));
});

describe('the table', () => {
  it('names each variable once, with help and a range, and its defaults are valid', () => {
    expect(new Set(VARIABLES.map(({ name }) => name)).size).toBe(VARIABLES.length);
    for (const variable of VARIABLES) {
      expect(variable.help, variable.name).not.toBe('');
      expect(rangeOf(variable), variable.name).not.toBe('');
      if (typeof variable.default === 'number') {
        expect(read(variable, { [variable.name]: String(variable.default) })).toBe(variable.default);
      }
    }
  });
});
