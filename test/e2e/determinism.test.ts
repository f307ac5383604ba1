import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeBookstore, startFakeBookstore } from '../support/fake-bookstore.ts';
import { K6, runK6 } from '../support/k6.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** What each session drew, by `scenario/iteration`. */
type Traces = ReadonlyMap<string, string>;

describe.skipIf(K6 === undefined)('the sessions of a seed', { timeout: 120_000 }, () => {
  let fake: FakeBookstore;
  beforeAll(async () => {
    fake = await startFakeBookstore();
  });
  afterAll(() => fake?.close());

  async function traces(env: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<Traces> {
    const all = { BASE_URL: fake.url, DURATION: '4s', RATE: '30', THINK: '0.02', TRACE: 'on', ...env };
    const variables = Object.entries(all).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const run = await runK6(['run', '-q', '--log-format', 'raw', ...variables, ...args, 'dist/bookstore-mix.js'], ROOT);
    const found = new Map<string, string>();
    for (const [, json = ''] of run.stderr.matchAll(/^trace (\[.*\])$/gm)) {
      const [scenario, iteration, ...drawn] = JSON.parse(json) as (string | number)[];
      const key = `${scenario}/${iteration}`;
      expect(found.has(key), `${key} ran twice`).toBe(false);
      found.set(key, JSON.stringify(drawn));
    }
    return found;
  }

  /** k6's last ticks may be missing, more than one only on a busy machine; everything before them must be the same. */
  function expectSame(a: Traces, b: Traces): void {
    expect(Math.min(a.size, b.size)).toBeGreaterThan(100);
    const counts: Readonly<Record<string, number>> = { browse: 84, search: 24, checkout: 12 };
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      if (a.has(key) && b.has(key)) {
        expect(b.get(key)).toBe(a.get(key));
      } else {
        const [scenario = '', iteration] = key.split('/');
        expect(Number(iteration), `${key} ran in one of the two only`).toBeGreaterThan(
          0.85 * (counts[scenario] ?? 0) - 1,
        );
      }
    }
  }

  it('are the same in a second run, in a cold one, with evenly spaced arrivals, and split over two processes', async () => {
    const sequence = ['--execution-segment-sequence', '0,1/2,1', '--execution-segment'];
    const [first, again] = await Promise.all([traces({ SEED: '7' }), traces({ SEED: '7', CACHE: 'cold' })]);
    const [one, two] = await Promise.all([
      traces({ SEED: '7' }, [...sequence, '0:1/2']),
      traces({ SEED: '7' }, [...sequence, '1/2:1']),
    ]);
    const [metronome, other] = await Promise.all([
      traces({ SEED: '7', ARRIVALS: 'metronome' }),
      traces({ SEED: '8', THINK: '0' }),
    ]);
    expectSame(first, again);
    expectSame(first, metronome);
    for (const key of one.keys()) expect(two.has(key), `${key} ran on both`).toBe(false);
    expect(one.size).toBeGreaterThan(0.35 * first.size);
    expectSame(first, new Map([...one, ...two]));
    expect([...other.values()]).not.toEqual([...first.values()]);
  });
});
