import { describe, expect, it } from 'vitest';
import { junitXml } from '../../../lib/summary/junit.ts';
import { withError } from '../../../tools/run/junit.ts';
import { defaultsInForce } from '../../../tools/run/suite.ts';
import { withoutGuards } from '../../../tools/run/thresholds.ts';

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

describe('withError', () => {
  it('adds one case with an error and keeps what the script wrote', () => {
    const before =
      '<?xml version="1.0"?>\n<testsuites tests="2" failures="1" skipped="0">\n  <testsuite name="a"><testcase name="x"/><testcase name="y"><failure/></testcase></testsuite>\n</testsuites>\n';
    const after = withError(before, 'mix', 'stopped & "gone"');
    expect(after).toContain('<testsuites tests="3" failures="1" skipped="0" errors="1">');
    expect(count(after, /<testcase /g)).toBe(3);
    expect(after).toContain('<error message="stopped &amp; &quot;gone&quot;"/>');
    expect(count(after, /<\/testsuites>/g)).toBe(1);
    expect(withError(after, 'mix', 'again')).toContain('<testsuites tests="4" failures="1" skipped="0" errors="2">');
  });

  it.each([undefined, '', '<testsuites tests="1"><testsuite'])('makes a new document of %j', (before) => {
    const after = withError(before, 'mix', 'gone');
    expect(after).toMatch(/^<\?xml[^\n]*\n<testsuites tests="1" failures="0" errors="1" skipped="0">/);
    expect(count(after, /<testsuite /g)).toBe(count(after, /<\/testsuite>/g));
  });
});

describe('defaultsInForce', () => {
  it('holds what nobody set, as -e would take it', () => {
    expect(defaultsInForce({})).toMatchObject({ SEED: '1', TIMEOUT: '60s', THINK: '1', PROFILE: 'default' });
    expect(defaultsInForce({ SEED: '' })).toHaveProperty('SEED', '1');
    expect(defaultsInForce({ SEED: '7' })).not.toHaveProperty('SEED');
  });
});

describe('a run that sent nothing', () => {
  it('has one error, with the reason, in the place of what the script wrote', () => {
    const own = junitXml(
      {
        metrics: { 'http_reqs{phase:measure}': { type: 'counter', values: { count: 0 } } },
        state: { testRunDurationMs: 5 },
      },
      'mix',
    );
    expect(count(own, /<error /g)).toBe(1);
    const after = withError(own, 'mix', 'exit code 108: no answer');
    expect(after).toContain('<testsuites tests="1" failures="0" errors="1" skipped="0">');
    expect(count(after, /<testcase /g)).toBe(1);
    expect(after).toContain('<error message="exit code 108: no answer"/>');
  });
});

describe('withoutGuards', () => {
  it('leaves out what only says that there was no sample', () => {
    const crossed = ['duration_2xx{name:a}: max>0', 'http_reqs{name:a}: count>0', 'checks: rate>0.9', 'x: max>0.5'];
    expect(withoutGuards(crossed)).toEqual(['checks: rate>0.9', 'x: max>0.5']);
    expect(withoutGuards(null)).toBeNull();
  });
});
