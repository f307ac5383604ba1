import { expect, it } from 'vitest';
import { junitDocument } from '../../../lib/model/junit.ts';

it('counts what its cases hold, in each suite and in all, and escapes every text', () => {
  const text = junitDocument([
    {
      name: 'a & b',
      seconds: 1.5,
      cases: [
        { classname: 'c', name: 'passed' },
        { classname: 'c', name: 'noted', note: 'n < 3' },
        { classname: 'c', name: 'failed', outcome: { kind: 'failure', message: 'm"', text: 'a > b' }, note: 'few' },
      ],
    },
    {
      name: 'empty-handed',
      cases: [
        { classname: 'd', name: 'e', outcome: { kind: 'error', message: 'none' } },
        { classname: 'd', name: 's', outcome: { kind: 'skipped', message: 'unseen' } },
      ],
    },
  ]);
  expect(text).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5" failures="1" errors="1" skipped="1" time="1.500">
  <testsuite name="a &amp; b" tests="3" failures="1" errors="0" skipped="0" time="1.500">
    <testcase classname="c" name="passed"/>
    <testcase classname="c" name="noted">
      <system-out>n &lt; 3</system-out>
    </testcase>
    <testcase classname="c" name="failed">
      <failure message="m&quot;">a &gt; b</failure>
      <system-out>few</system-out>
    </testcase>
  </testsuite>
  <testsuite name="empty-handed" tests="2" failures="0" errors="1" skipped="1">
    <testcase classname="d" name="e">
      <error message="none"/>
    </testcase>
    <testcase classname="d" name="s">
      <skipped message="unseen"/>
    </testcase>
  </testsuite>
</testsuites>
`);
});
