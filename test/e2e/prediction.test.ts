/**
 * A rehearsal says how many sessions k6 will drop for want of VUs. The same bundle, seed and VUs on both; PREDICTION=full takes the
 * brief's case (20 sessions/s, 50 VUs, three minutes) in place of a short one.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultServerModel } from '../../tools/engine/model/server-model.ts';
import { rehearse } from '../../tools/rehearse/rehearse.ts';
import { type FakeBookstore, startFakeBookstore } from '../support/fake-bookstore.ts';
import { K6, runK6 } from '../support/k6.ts';
import { servedBookstore } from '../support/served-bookstore.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BUNDLE = 'dist/bookstore-mix.js';
const FULL = process.env['PREDICTION'] === 'full';
/** Sessions of 8.4 s at 20 a second keep 169 VUs busy; the short case is the same at 0.3 times the think time. */
const ENV = FULL
  ? { RATE: '20', DURATION: '3m', PREALLOCATED_VUS: '50', SEED: '5', TRACE: 'off' }
  : { RATE: '20', DURATION: '20s', PREALLOCATED_VUS: '20', SEED: '5', THINK: '0.3' };
const CASES = [
  { name: 'as many VUs as preallocated', env: { ...ENV, MAX_VUS: ENV.PREALLOCATED_VUS } },
  { name: 'growth', env: { ...ENV, MAX_VUS: FULL ? '250' : '100' } },
] as const;

interface Counts {
  readonly dropped: number;
  readonly finished: number;
}

async function measured(env: Readonly<Record<string, string>>, url: string, csv: string): Promise<Counts> {
  const variables = Object.entries({ ...env, BASE_URL: url }).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const { exitCode, stderr } = await runK6(['run', '-q', ...variables, '--out', `csv=${csv}`, BUNDLE], ROOT);
  // Thresholds may be crossed; nothing else may go wrong.
  if (![0, 99].includes(exitCode)) throw new Error(`k6 ended with ${exitCode}: ${stderr.slice(-500)}`);
  const rows = readFileSync(csv, 'utf8').split('\n');
  const sum = (metric: string) =>
    rows.filter((row) => row.startsWith(`${metric},`)).reduce((total, row) => total + Number(row.split(',')[2]), 0);
  return { dropped: sum('dropped_iterations'), finished: sum('iterations') };
}

async function predicted(env: Readonly<Record<string, string>>): Promise<Counts> {
  const { tally } = await rehearse({
    script: resolve(ROOT, BUNDLE),
    env,
    model: defaultServerModel(5),
    suite: servedBookstore(),
    seed: 1,
  });
  const sum = (map: ReadonlyMap<string, number>) => [...map.values()].reduce((a, b) => a + b, 0);
  return { dropped: sum(tally.dropped), finished: sum(tally.finished) };
}

describe.skipIf(K6 === undefined)('dropped sessions', { timeout: 400_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'prediction-'));
  let fake: FakeBookstore;
  let k6: Counts[];
  let rehearsed: Counts[];
  beforeAll(async () => {
    fake = await startFakeBookstore();
    rehearsed = [];
    for (const { env } of CASES) rehearsed.push(await predicted(env));
    k6 = await Promise.all(CASES.map(({ name, env }) => measured(env, fake.url, join(folder, `${name}.csv`))));
    if (FULL) console.log(JSON.stringify({ rehearsed, k6 }));
  }, 400_000);
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await fake?.close();
  });

  it('with a limit of VUs: within 5 %', () => {
    const [planned, real] = [rehearsed[0]?.dropped ?? 0, k6[0]?.dropped ?? 0];
    expect(real).toBeGreaterThan(50);
    expect(Math.abs(planned / real - 1)).toBeLessThan(0.05);
  });

  it('while VUs are added: within a factor of two', () => {
    const [planned, real] = [rehearsed[1]?.dropped ?? 0, k6[1]?.dropped ?? 0];
    expect(real).toBeGreaterThan(0);
    expect(planned / real).toBeGreaterThan(0.5);
    expect(planned / real).toBeLessThan(2);
  });
});
