import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { CATALOGUE_SIZE } from '../../../../bookstore/catalogue/books.ts';
import type { BenchResult } from '../../../../tools/lab/bench/bench.ts';
import { childTime, runJob } from '../../../../tools/lab/bench/k6-process.ts';
import { missedGoals, reportText } from '../../../../tools/lab/bench/report.ts';
import { EMPTY, FEATURES, featureScript, TEN_LINES } from '../../../../tools/lab/bench/scripts.ts';
import { spread } from '../../../../tools/lab/bench/spread.ts';
import { startTarget } from '../../../../tools/lab/bench/target.ts';
import { K6 } from '../../../support/k6.ts';

const folder = mkdtempSync(join(tmpdir(), 'bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('figures', () => {
  it('smallest, middle and largest', () => {
    expect(spread([3, 1, 2])).toEqual({ min: 1, median: 2, max: 3 });
    expect(spread([4, 1, 3, 2])).toEqual({ min: 1, median: 2.5, max: 4 });
    expect(spread([7])).toEqual({ min: 7, median: 7, max: 7 });
  });

  it('reads the time of the children in what sh prints for `times`, as dash, bash and a comma locale write it', () => {
    expect(childTime('output\n0m0.001s 0m0.002s\n1m2.500s 0m1.250s\n')).toBeCloseTo(63.75, 9);
    expect(childTime('0m0.00s 0m0.00s\n0m3.000000s 0m0.500000s\n')).toBeCloseTo(3.5, 9);
    expect(childTime('0m0,001s 0m0,002s\n0m1,5s 0m0,5s\n')).toBeCloseTo(2, 9);
    expect(() => childTime('no times here')).toThrow(/no `times`/);
  });
});

describe('the report', () => {
  const at = (median: number) => ({ min: median, median, max: median });
  const row = (script: string, samples: boolean, ratio: number) => ({
    ...{ script, samples, microseconds: at(100), ratio: at(ratio), steadyMicroseconds: at(90) },
    ...{ steadyRatio: at(ratio), startSeconds: at(0.5), rate: at(600) },
  });
  const result: BenchResult = {
    cpu: [row('ten lines', false, 1), row('bookstore-mix', false, 1.41), row('bookstore-mix', true, 1.59)],
    vus: [
      { script: 'ten lines', bytesPerVu: at(170_000), ratio: at(1), initSeconds: at(1), initExcess: at(0) },
      {
        script: 'book-details',
        bytesPerVu: at(Number.NaN),
        ratio: at(Number.NaN),
        initSeconds: at(2),
        initExcess: at(0.7),
      },
    ],
    features: [{ feature: 'sleep of 1 ms', microseconds: at(12.34) }],
  };

  it('names the goals that the medians miss, and only those', () => {
    expect(missedGoals(result)).toEqual([
      'processor time per request of bookstore-mix: 1.41 times, the goal is 1.4',
      'start of book-details: 0.70 s more than ten lines, the goal is 0.6',
    ]);
  });

  it('has a line for each figure and says what could not be measured', () => {
    const text = reportText(result);
    expect(text).toContain('170 (170-170)');
    expect(text).toContain('not measured here');
    expect(text).toContain('12.3 (12.3-12.3)');
    expect(reportText({ cpu: [], vus: [], features: [] }).trim()).toBe('');
  });
});

describe('the target', () => {
  it('answers as the bookstore does, and counts', async () => {
    const target = await startTarget();
    const ask = async (method: string, path: string) => {
      const response = await fetch(target.url + path, { method, ...(method === 'GET' ? {} : { body: '{}' }) });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    expect(target.firstAt).toBeUndefined();
    expect((await ask('GET', '/api/status')).body).toMatchObject({ books: CATALOGUE_SIZE, payments: 'stub' });
    expect((await ask('GET', '/api/books/9790000000018')).body['isbn']).toBe('9790000000018');
    expect((await ask('GET', '/api/books?category=x')).body['items']).toHaveLength(1);
    const cart = await ask('POST', '/api/carts');
    expect(cart.status).toBe(201);
    expect((await ask('PUT', `/api/carts/${cart.body['id']}/items/9790000000018`)).status).toBe(200);
    expect((await ask('POST', '/api/orders')).body['status']).toBe('Paid');
    expect((await ask('GET', '/elsewhere')).status).toBe(404);
    expect(target.requests).toBe(7);
    expect(target.firstAt).toBeGreaterThan(0);
    target.reset();
    expect(target.requests).toBe(0);
    await target.close();
  });
});

describe.skipIf(K6 === undefined)('with k6', () => {
  it('the cost of a run: its processor time, its requests, when the first one came', async () => {
    const target = await startTarget();
    try {
      const script = join(folder, 'ten.js');
      writeFileSync(script, TEN_LINES);
      const job = { name: 'ten', script, env: { RATE: '50', SECONDS: '1', VUS: '5' }, samples: true };
      const cost = await runJob(K6 ?? 'k6', job, target, folder);
      const samples = readFileSync(join(folder, 'samples.csv'), 'utf8').split('\n');
      expect(cost.requests).toBe(samples.filter((line) => line.startsWith('http_reqs,')).length);
      expect(cost.requests).toBeGreaterThan(0);
      expect(cost.cpuSeconds).toBeGreaterThan(0);
      expect(cost.initSeconds).toBeGreaterThan(0);
      if (process.platform === 'linux') expect(cost.peakRssBytes).toBeGreaterThan(1e6);
      const broken = { ...job, script: join(folder, 'absent.js') };
      await expect(runJob(K6 ?? 'k6', broken, target, folder)).rejects.toThrow(/k6 ended ten with exit code/);
    } finally {
      await target.close();
    }
  });

  it('every feature script bundles and runs', async () => {
    const target = await startTarget();
    try {
      // One iteration of each is enough to see it run; they go into one process after another, so the cheap ones only.
      for (const feature of [EMPTY, ...FEATURES]) {
        const script = join(folder, 'feature.js');
        const contents = featureScript({ ...feature, times: 500 });
        await build({
          stdin: { contents, resolveDir: join(import.meta.dirname, '../../../..'), loader: 'ts' },
          ...{ outfile: script, bundle: true, format: 'esm', target: 'es2020', external: ['k6', 'k6/*'] },
        });
        const cost = await runJob(K6 ?? 'k6', { name: feature.name, script, env: {} }, target, folder);
        expect(cost.cpuSeconds).toBeGreaterThan(0);
      }
    } finally {
      await target.close();
    }
  }, 60_000);
});
