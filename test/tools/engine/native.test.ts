/** A script rehearsed as V8's own code does what the interpreter does, to the byte. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SERVER_MODEL } from '../../../tools/engine/model/server-model.ts';
import { rehearse } from '../../../tools/rehearse/rehearse.ts';
import { servedBookstore } from '../../support/served-bookstore.ts';

const folder = mkdtempSync(join(tmpdir(), 'native-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CONFORMANCE = join(import.meta.dirname, '../../conformance/scripts');
const model = SERVER_MODEL.parse({
  endpoints: { '*': { latency: { law: 'exponential', mean: 100 }, statuses: { 500: 0.1, 0: 0.05 } } },
});

/** Everything that a rehearsal leaves behind. */
async function trace(script: string, interpreted: boolean, env: Readonly<Record<string, string>> = {}) {
  const csv = join(folder, 'samples.csv');
  let log = '';
  let stdout = '';
  const { result, by } = await rehearse({
    script,
    env: { BASE: 'http://127.0.0.1', ...env },
    model,
    suite: servedBookstore(),
    seed: 7,
    interpreted,
    summary: true,
    outputs: [{ type: 'csv', path: csv }],
    log: (text) => {
      log += text;
    },
    stdout: (text) => {
      stdout += text;
    },
  });
  const { exitCode, summary, iterations, interrupted, vuSeconds } = result;
  return {
    by,
    log,
    data: { exitCode, summary, iterations, interrupted, vuSeconds, stdout, rows: readFileSync(csv, 'utf8') },
  };
}

const OWN = join(import.meta.dirname, 'scripts');

/** What each shows is told by its name; the rest of the folder agrees too, and takes longer. */
const AGREEING = [
  'arrival-growth',
  'batch',
  'bodies',
  'every-iteration-throws',
  'graceful-stop-cuts',
  'groups-and-checks',
  'imports-and-open',
  'per-vu-iterations',
  'ramping-vus',
  'setup-data',
  'shared-array',
  'test-abort',
  'throws-anything',
  'undefined-tag',
  'vu-tags',
].map((name) => join(CONFORMANCE, `${name}.js`));

describe('a script rehearsed as native code', () => {
  it.each([
    [join(OWN, 'syntax.js'), 'native'],
    [join(OWN, 'isolation.js'), 'native'],
    [join(OWN, 'wrong-requests.js'), 'native'],
    [join(OWN, 'callbacks.js'), 'interpreter'],
    [join(OWN, 'generators.js'), 'interpreter'],
    ...AGREEING.map((file) => [file, 'native']),
  ])('%s: leaves the same behind as interpreted, run by the %s', async (script, way) => {
    const first = await trace(script, false);
    const second = await trace(script, true);
    expect(first.by).toBe(way);
    expect(second.by).toBe('interpreter');
    expect(first.data).toEqual(second.data);
    expect(logged(first.log)).toEqual(logged(second.log));
    expect(first.data.rows.split('\n').length).toBeGreaterThan(2);
  });
});

it('keeps what a VU changes from the others, in either way', async () => {
  for (const interpreted of [false, true]) {
    const { log } = await trace(join(OWN, 'isolation.js'), interpreted);
    const seen = logged(log).filter((line) => line.includes(' sees '));
    expect(seen).toHaveLength(3 * 2 * 5);
    for (const line of seen) expect(line).toContain('sees undefined');
    // `http` itself is each VU's own, and keeps what the VU made of it.
    for (const vu of [1, 2, 3]) {
      expect(log).toContain(`${vu} 0 http undefined`);
      expect(log).toContain(`${vu} 1 http ${vu}`);
    }
  }
});

it('runs the callbacks of promises before time goes on', async () => {
  const { log, by } = await trace(join(OWN, 'promises.js'), false);
  expect(by).toBe('native');
  for (const vu of [1, 2]) {
    expect(log).toContain(`${vu} 0 told 0 then 2`);
    expect(log).toContain(`${vu} 1 told 2 then 4`);
  }
});

/** What the script itself logged; the engine's own sentences hold the words of V8 or of the interpreter. */
const logged = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('source=console'))
    .map((line) => line.replace(/^time="[^"]*" /, ''))
    // What happens at one moment has no order.
    .sort();
