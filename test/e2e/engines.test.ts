/** The same bundle with the same seed: k6, the embedded engine and a rehearsal draw the same sessions. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultServerModel } from '../../tools/engine/model/server-model.ts';
import { runEmbedded } from '../../tools/engine/run.ts';
import { rehearse } from '../../tools/rehearse/rehearse.ts';
import { type FakeBookstore, startFakeBookstore } from '../support/fake-bookstore.ts';
import { K6, runK6 } from '../support/k6.ts';
import { servedBookstore } from '../support/served-bookstore.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BUNDLE = join(ROOT, 'dist', 'bookstore-mix.js');
const ENV = { DURATION: '4s', RATE: '30', THINK: '0.02', TRACE: 'on', SEED: '7' };
/** Sessions that the plan holds. */
const PLANNED = 120;

/** What each session drew, by `scenario/iteration`; every engine logs it as text of the console. */
function tracesIn(log: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, quoted = ''] of log.matchAll(/msg=("trace (?:[^"\\]|\\.)*")/g)) {
    const [scenario, iteration, ...drawn] = JSON.parse(
      (JSON.parse(quoted) as string).slice('trace '.length),
    ) as unknown[];
    found.set(`${String(scenario)}/${String(iteration)}`, JSON.stringify(drawn));
  }
  return found;
}

describe('the sessions of a seed', { timeout: 120_000 }, () => {
  let fake: FakeBookstore;
  let rehearsed: Map<string, string>;
  beforeAll(async () => {
    if (!existsSync(BUNDLE)) throw new Error('build first: npm run build');
    fake = await startFakeBookstore();
    let log = '';
    await rehearse({
      script: BUNDLE,
      env: ENV,
      model: defaultServerModel(5),
      suite: servedBookstore(),
      seed: 1,
      log: (text) => {
        log += text;
      },
    });
    rehearsed = tracesIn(log);
  });
  afterAll(() => fake?.close());

  /** On a busy machine a tick at the end may be dropped; whatever ran drew the same. */
  function expectSame(traces: Map<string, string>): void {
    expect(traces.size).toBeGreaterThan(0.8 * PLANNED);
    for (const [key, drawn] of traces) expect(`${key} ${drawn}`).toBe(`${key} ${rehearsed.get(key)}`);
  }

  it('are all there in a rehearsal, on its virtual clock', () => {
    expect(rehearsed.size).toBe(PLANNED);
  });

  it('are the same on the embedded engine', async () => {
    let log = '';
    await runEmbedded({
      script: BUNDLE,
      env: { ...ENV, BASE_URL: fake.url },
      noSummary: true,
      stdout: () => undefined,
      stderr: (text) => {
        log += text;
      },
    });
    expectSame(tracesIn(log));
  });

  it.skipIf(K6 === undefined)('are the same on k6', async () => {
    const variables = Object.entries({ ...ENV, BASE_URL: fake.url }).flatMap(([name, value]) => [
      '-e',
      `${name}=${value}`,
    ]);
    const { stderr } = await runK6(['run', '-q', ...variables, BUNDLE], ROOT);
    expectSame(tracesIn(stderr));
  });
});
