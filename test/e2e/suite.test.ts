import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isbnOf } from '../../lib/books.ts';
import { bundleOptions } from '../../tools/build/bundles.ts';
import { BUILD_DEFAULTS, buildScenarios } from '../../tools/build/main.ts';
import { type FakeBookstore, type FakeOptions, startFakeBookstore } from '../support/fake-bookstore.ts';
import { K6, type K6Run, runK6 } from '../support/k6.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const out = mkdtempSync(join(tmpdir(), 'suite-e2e-'));
let fake: FakeBookstore;

/** Runs a bundle against a target for a few seconds. */
function suite(script: string, env: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<K6Run> {
  const variables = Object.entries({ BASE_URL: fake.url, ...env }).flatMap(([name, value]) => [
    '-e',
    `${name}=${value}`,
  ]);
  return runK6(['run', '-q', '--log-format', 'raw', ...variables, ...args, join(out, script)], ROOT);
}

async function withTarget<T>(options: FakeOptions, use: (url: string) => Promise<T>): Promise<T> {
  const target = await startFakeBookstore(options);
  try {
    return await use(target.url);
  } finally {
    await target.close();
  }
}

/** Many sessions in a short time. */
const QUICK = { DURATION: '3s', RATE: '40', THINK: '0.01' };

describe.skipIf(K6 === undefined)('the suite in k6', () => {
  beforeAll(async () => {
    await buildScenarios({ ...BUILD_DEFAULTS, outdir: out });
    const fixture = bundleOptions({ scenarios: ['test/fixtures/throwing-flow.ts'], outdir: out, jslib: false });
    await build(fixture);
    fake = await startFakeBookstore();
  });
  afterAll(async () => {
    await fake?.close();
    rmSync(out, { recursive: true, force: true });
  });

  it('runs the mix, meets its objectives and writes three summaries', async () => {
    const json = join(out, 'summary.json');
    const junit = join(out, 'junit.xml');
    const run = await suite('bookstore-mix.js', {
      ...QUICK,
      THRESHOLDS: 'smoke',
      SUMMARY_JSON: json,
      JUNIT_XML: junit,
    });
    expect(run.stderr).toBe('');
    expect(run.exitCode).toBe(0);
    const summary = JSON.parse(readFileSync(json, 'utf8'));
    const { populations, requests, sessions } = summary.bookstoreLoad;
    expect(populations).toHaveLength(6);
    // 40 sessions/s for 3 s in shares of 70, 20 and 10 %; k6's last tick may be missing.
    const finished = Object.fromEntries(
      sessions.map((one: { flow: string; finished: number }) => [one.flow, one.finished]),
    );
    expect(finished.browse).toBeGreaterThanOrEqual(83);
    expect(finished.browse).toBeLessThanOrEqual(84);
    expect(finished.search).toBeGreaterThanOrEqual(23);
    expect(finished.checkout).toBeGreaterThanOrEqual(11);
    const n = (endpoint: string) => requests.find((one: { endpoint: string }) => one.endpoint === endpoint).requests;
    expect(n('GET /api/books/{isbn}')).toBe(2 * finished.browse + finished.search + finished.checkout);
    expect(n('POST /api/orders')).toBe(finished.checkout);
    expect(run.stdout).toContain('POST /api/orders');
    expect(readFileSync(junit, 'utf8')).toContain('failures="0"');
  });

  it('ends with 99 when an objective speaks of an endpoint that got no request', async () => {
    const run = await suite('browse.js', { ...QUICK, THRESHOLDS: 'ci' });
    expect(run.exitCode).toBe(99);
    expect(run.stdout).toMatch(/CROSSED http_reqs\{name:POST \/api\/orders,phase:measure\} +count>0 +no samples/);
  });

  it('counts refused orders apart from failures and ends with 99 on a crossed objective', async () => {
    const override: FakeOptions['override'] = ({ path }) =>
      path === '/api/orders' ? { status: 409, body: { error: 'not enough stock' } } : undefined;
    await withTarget({ override }, async (url) => {
      const run = await suite('checkout.js', { ...QUICK, BASE_URL: url });
      expect(run.exitCode).toBe(99);
      expect(run.stdout).toMatch(/CROSSED out_of_stock\{phase:measure\} +count==0 +was \d+/);
      expect(run.stdout).toMatch(/ok +http_req_failed\{phase:measure\}/);
      expect(run.stdout).toMatch(/\d+ orders were answered "not enough stock"/);
    });
  });

  it('catches a flow that throws, counts it and goes red', async () => {
    const run = await suite('throwing-flow.js', { ...QUICK, RATE: '10' });
    expect(run.exitCode).toBe(99);
    expect(run.stdout).toMatch(/CROSSED flow_errors\{phase:measure\} +rate==0 +was 1/);
    expect(run.stdout).toMatch(/\d+ sessions ended with an exception/);
    expect(run.stderr).toContain('ended with an exception: TypeError');
  });

  it('says that the test is at fault when VUs run out', async () => {
    const run = await suite('bookstore-mix.js', { ...QUICK, THINK: '0.5', PREALLOCATED_VUS: '6', MAX_VUS: '6' });
    expect(run.exitCode).toBe(99);
    expect(run.stdout).toMatch(/\d+ of 120 sessions never started .*: the test, not the system, is at fault/);
  });

  it('takes every book once and refuses sessions when none is left', async () => {
    const books = join(out, 'books.csv');
    const isbns = Array.from({ length: 60 }, (_, i) => isbnOf(i));
    writeFileSync(books, `isbn,category\n${isbns.map((isbn) => `${isbn},fiction`).join('\n')}\n`);
    await buildScenarios({ ...BUILD_DEFAULTS, books, outdir: join(out, 'small') });
    await withTarget({ status: { books: 60 } }, async (url) => {
      const env = { BASE_URL: url, DURATION: '2s', RATE: '50', POPULARITY: 'once' };
      const run = await suite('small/book-details.js', env);
      // 100 sessions, 60 books: each book once, the other 40 sessions refused.
      expect(run.exitCode).toBe(99);
      expect(run.stdout).toMatch(/GET \/api\/books\/\{isbn\} +2xx +60 /);
      expect(run.stdout).toMatch(/(39|40) times no data row was left/);
      expect(run.stderr).toMatch(/no book is left for session \d+ of details: POOL=wrap begins again/);
    });
  });

  it.each([
    [{ RATE: 'abc' }, 'RATE=abc is not valid: give a number from 0.001 to 100000'],
    [{ THINK: '-1' }, 'THINK=-1 is not valid: give a number from 0 to 100'],
    [{ DURATION: '3 minutes' }, 'DURATION=3 minutes is not valid'],
    [{ CACHE: 'tepid' }, 'CACHE=tepid is not valid: give one of cold, warm'],
    [{ THRESHOLDS: 'defualt' }, 'THRESHOLDS=defualt is not valid: give one of ci, cold, default'],
    [{ SHARES: 'browse=1,shop=2' }, 'SHARES=browse=1,shop=2 is not valid at "shop=2"'],
    [{ POPULARITY: 'single:40000' }, 'popularity single: asks for item 40001 of 40000'],
    [{ CACHE: 'cold', WARMUP: '5s' }, 'CACHE=cold and WARMUP=5s exclude each other'],
    [{ BASE_URL: 'http://shop.example/' }, 'add -e ALLOW_TARGET=shop.example if you may send load there'],
  ])('%o ends before any load in one sentence', async (env, sentence) => {
    const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const script = join(out, 'bookstore-mix.js');
    const run = await runK6(['inspect', '--log-format', 'raw', ...variables, script], ROOT);
    expect(run.exitCode).not.toBe(0);
    expect(run.stderr).toContain(sentence);
    expect(run.stderr.trim().split('\n')).toHaveLength(1);
  });
});
