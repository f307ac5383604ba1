/** k6's options as environment variables. */
import { describe, expect, it } from 'vitest';
import { specOfArguments } from '../../../tools/engine/command-line.ts';

const optionsOf = (environment: Readonly<Record<string, string>>, ...args: string[]) =>
  specOfArguments([...args, 'script.js'], environment).options;

describe('options of the environment', () => {
  it('are read by their kind', () => {
    const environment = {
      K6_VUS: '3',
      K6_STAGES: '30s:10, 1m:0',
      K6_MAX_REDIRECTS: '0',
      K6_NO_COOKIES_RESET: 'true',
      K6_SUMMARY_TREND_STATS: 'avg,p(99)',
      K6_USER_AGENT: '',
      OTHER: 'x',
    };
    expect(optionsOf(environment)).toEqual({
      vus: 3,
      stages: [
        { duration: '30s', target: 10 },
        { duration: '1m', target: 0 },
      ],
      maxRedirects: 0,
      noCookiesReset: true,
      summaryTrendStats: ['avg', 'p(99)'],
    });
  });

  it('give way to those of the command line', () => {
    expect(optionsOf({ K6_MAX_REDIRECTS: '5', K6_BATCH: '2' }, '--max-redirects', '1')).toEqual({
      maxRedirects: 1,
      batch: 2,
    });
    // The load is one thing: its parts do not mix.
    expect(optionsOf({ K6_DURATION: '1m', K6_VUS: '5' }, '--iterations', '3')).toEqual({ iterations: 3, vus: 5 });
  });

  it.each(['BLACKLIST_IPS', 'LOCAL_IPS', 'CONFIG', 'LOG_OUTPUT', 'THRESHOLDS'])('is refused by name: K6_%s', (name) => {
    expect(() => optionsOf({ [`K6_${name}`]: 'x' })).toThrow(`K6_${name} is not offered by the embedded engine`);
  });

  it('reads maps and outputs', () => {
    expect(optionsOf({ K6_TAGS: 'build:7, branch:main', K6_HOSTS: '{"a.test":"127.0.0.1:80"}', K6_RPS: '5' })).toEqual({
      tags: { build: '7', branch: 'main' },
      hosts: { 'a.test': '127.0.0.1:80' },
      rps: 5,
    });
    expect(specOfArguments(['script.js'], { K6_OUT: 'csv=x.csv' }).outputs).toEqual([{ type: 'csv', path: 'x.csv' }]);
    expect(() => optionsOf({ K6_TAGS: 'build=7' })).toThrow('K6_TAGS: "build=7" is not written as name:value');
  });

  it('is refused where it is no value of its kind', () => {
    expect(() => optionsOf({ K6_MAX_REDIRECTS: 'two' })).toThrow('K6_MAX_REDIRECTS: "two" is not a whole number');
    expect(() => optionsOf({ K6_THROW: 'yes' })).toThrow('K6_THROW: "yes" is neither true nor false');
  });
});
