/**
 * The embedded engine against k6 v2.2: recorded observations always, and k6 itself where it is installed (a sample of the
 * cases; all of them with CONFORMANCE_LIVE=all). `npm run conformance:record` records again.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findK6 } from '../../tools/run/k6-binary.ts';
import { CASES, type ConformanceCase } from './cases.ts';
import { comparable, embeddedRunner, k6Runner, type Observation, observe, type Runner } from './observe.ts';
import { type ConformanceServer, startConformanceServer } from './server.ts';

const EXPECTED = join(import.meta.dirname, 'expected', 'k6-v2.2.json');
const recording = process.env['CONFORMANCE_RECORD'] === '1';
const k6 = await findK6();

const scripts = readdirSync(join(import.meta.dirname, 'scripts'))
  .filter((file) => file.endsWith('.js'))
  .map((file) => file.slice(0, -'.js'.length));
const listed = new Set(CASES.map((test) => test.name));
const cases: ConformanceCase[] = [...scripts.filter((name) => !listed.has(name)).map((name) => ({ name })), ...CASES];

/** Cases that are run on k6 in every test run: one of each kind, none longer than a second. */
const LIVE = [
  'authorization',
  'cookies',
  'multipart',
  'expected-statuses',
  'submetric-tag-order',
  'segment-shared',
  'shared-array',
];
const live = cases.filter((test) => process.env['CONFORMANCE_LIVE'] === 'all' || LIVE.includes(test.name));

/** A machine that is busy with other tests may take long; nothing here waits for it otherwise. */
const PATIENCE_MS = 90_000;

let server: ConformanceServer;
beforeAll(async () => {
  server = await startConformanceServer();
});
afterAll(() => server.close());

describe.runIf(recording)('recording from k6', () => {
  it('records every case', async () => {
    if (k6 === undefined) throw new Error('recording needs k6: put it on PATH or name it in K6_BIN');
    // All, or those whose names hold CONFORMANCE_ONLY.
    const only = process.env['CONFORMANCE_ONLY'] ?? '';
    const recorded = JSON.parse(readFileSync(EXPECTED, 'utf8')) as Record<string, Observation>;
    for (const test of cases.filter(({ name }) => name.includes(only)))
      recorded[test.name] = await observe(test, server.url, k6Runner(k6.path));
    writeFileSync(EXPECTED, `${JSON.stringify(recorded, undefined, 2)}\n`);
    expect(Object.keys(recorded).sort()).toEqual(cases.map(({ name }) => name).sort());
  }, 600_000);
});

describe.skipIf(recording)('the embedded engine agrees with recorded k6 v2.2', () => {
  const recorded = JSON.parse(readFileSync(EXPECTED, 'utf8')) as Record<string, Observation>;
  const compare = (run: Runner) => async (test: ConformanceCase) => {
    const expected = recorded[test.name];
    if (expected === undefined) throw new Error(`no recording of "${test.name}"; run npm run conformance:record`);
    const shown = await observe(test, server.url, run);
    expect(comparable(shown, test)).toEqual(comparable(expected, test));
    if (test.started !== undefined) {
      expect(shown.started).toBeGreaterThanOrEqual(test.started[0]);
      expect(shown.started).toBeLessThanOrEqual(test.started[1]);
    }
  };
  const alone = (test: ConformanceCase) => test.alone === true || test.inexact !== undefined;
  it.concurrent.each(cases.filter((test) => !alone(test)))('$name', compare(embeddedRunner), PATIENCE_MS);
  it.each(cases.filter(alone))('$name, alone', compare(embeddedRunner), PATIENCE_MS);
});

describe.skipIf(recording || k6 === undefined)('k6 on this machine agrees with the recording', () => {
  const recorded = JSON.parse(readFileSync(EXPECTED, 'utf8')) as Record<string, Observation>;
  it.each(live)('$name', async (test) => {
    const shown = await observe(test, server.url, k6Runner(k6?.path ?? ''));
    const expected = recorded[test.name];
    expect(expected === undefined ? undefined : comparable(shown, test)).toEqual(
      expected === undefined ? undefined : comparable(expected, test),
    );
  });
});

if (k6 === undefined) console.warn('k6 is not installed: the comparison with k6 itself was skipped');
