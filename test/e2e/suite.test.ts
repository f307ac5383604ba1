import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isbnOf } from '../../bookstore/catalogue/books.ts';
import { bundleOptions, writeBundles } from '../../tools/build/bundles.ts';
import { buildSuite, sourcesOf } from '../../tools/build/main.ts';
import { definitionFile } from '../../tools/build/suite-folder.ts';
import { type FakeBookstore, type FakeOptions, startFakeBookstore } from '../support/fake-bookstore.ts';
import { K6, type K6Run, runK6 } from '../support/k6.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const out = mkdtempSync(join(tmpdir(), 'suite-e2e-'));
let fake: FakeBookstore;

const SOURCES = sourcesOf(ROOT);
const BUILD = { ...SOURCES, outdir: out, jslib: false, watch: false, metafile: false };

/** Runs a bundle against a target for a few seconds. */
function suite(script: string, env: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<K6Run> {
  const variables = Object.entries({ BASE_URL: fake.url, ...env }).flatMap(([name, value]) => [
    '-e',
    `${name}=${value}`,
  ]);
  return runK6(['run', '-q', '--log-format', 'raw', ...variables, ...args, join(out, script)], ROOT);
}

async function withTarget<T>(
  options: FakeOptions,
  use: (url: string, target: FakeBookstore) => Promise<T>,
): Promise<T> {
  const target = await startFakeBookstore(options);
  try {
    return await use(target.url, target);
  } finally {
    await target.close();
  }
}

/** Many sessions in a short time. */
const QUICK = { DURATION: '3s', RATE: '40', THINK: '0.01' };

// Side by side, because each waits far longer than it computes.
describe.skipIf(K6 === undefined)('the suite in k6', { timeout: 120_000, concurrent: true }, () => {
  beforeAll(async () => {
    await buildSuite(BUILD);
    const fixture = bundleOptions({
      loadTests: [join(ROOT, 'test/fixtures/throwing-flow.ts')],
      definition: definitionFile(ROOT),
      uses: { redirects: false, rowsOnce: false, cdnShare: false, noCookies: false },
      ...{ outdir: out, jslib: false },
    });
    writeBundles(await build(fixture));
    fake = await startFakeBookstore();
  });
  afterAll(async () => {
    await fake?.close();
    rmSync(out, { recursive: true, force: true });
  });

  // Alone: it counts sessions, and its objectives may cross on a busy machine.
  it.sequential('runs the mix, meets its objectives and writes three summaries', async () => {
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
    expect(run.stdout).not.toContain('stay unpaid');
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
      // Kept, and so only counted.
      expect(run.stdout).toMatch(/THRESHOLDS: \d+ kept/);
      expect(run.stdout).not.toMatch(/(CROSSED|unseen) +http_req_failed\{name:POST \/api\/orders,phase:measure\}/);
      expect(run.stdout).toMatch(/\d+ orders were answered "not enough stock"/);
    });
  });

  it('counts orders that stay unpaid, whose latency is not that of paid ones', async () => {
    let orders = 0;
    const override: FakeOptions['override'] = ({ path }) =>
      path === '/api/orders' && ++orders <= 5
        ? { status: 201, body: { id: orders, status: 'PaymentPending', total: 99.9 } }
        : undefined;
    await withTarget({ override }, async (url) => {
      const run = await suite('checkout.js', { ...QUICK, RATE: '10', BASE_URL: url });
      expect(run.stdout).toMatch(/\b5 orders were answered unpaid \(PaymentPending\)/);
      expect(run.stdout).not.toMatch(/(CROSSED|unseen) +checks\{name:POST \/api\/orders,phase:measure\}/);
    });
  });

  it('catches a flow that throws, counts it and goes red', async () => {
    const run = await suite('throwing-flow.js', { ...QUICK, RATE: '10' });
    expect(run.exitCode).toBe(99);
    expect(run.stdout).toMatch(/CROSSED flow_errors\{phase:measure\} +rate==0 +was 1/);
    expect(run.stdout).toMatch(/\d+ sessions ended with an exception/);
    expect(run.stderr).toContain('ended with an exception: TypeError');
  });

  it('loses sessions while VUs are grown, most of them when none may be, and says that the test is at fault', async () => {
    // 40/s x 0.5 x 8.4 s of thinking keep far more than 6 VUs busy.
    const few = { ...QUICK, THINK: '0.5', PREALLOCATED_VUS: '6' };
    const dropped = (run: K6Run) =>
      Number(/(\d+) of 120 sessions never started .*: the test, not the system/.exec(run.stdout)?.[1]);
    const [grown, capped] = await Promise.all([
      suite('bookstore-mix.js', few),
      suite('bookstore-mix.js', { ...few, MAX_VUS: '6' }),
    ]);
    expect(grown.exitCode).toBe(99);
    expect(capped.exitCode).toBe(99);
    expect(dropped(grown)).toBeGreaterThan(0);
    expect(dropped(capped)).toBeGreaterThan(90);
    expect(dropped(grown)).toBeLessThan(dropped(capped));
  });

  // Alone: other answers must come within the time-out.
  it.sequential('counts requests without an answer apart and never as a latency', async () => {
    const override: FakeOptions['override'] = ({ path }) =>
      path.startsWith('/api/books?category') ? { status: 200, body: {}, delayMs: 1000 } : undefined;
    await withTarget({ override }, async (url) => {
      const run = await suite('browse.js', { ...QUICK, RATE: '10', BASE_URL: url, TIMEOUT: '200ms' });
      expect(run.exitCode).toBe(99);
      expect(run.stdout).toMatch(/CROSSED no_response\{phase:measure\}/);
      expect(run.stdout).toMatch(/GET \/api\/books +(29|30) +33\.3 % +(29|30)\n/);
      expect(run.stdout).not.toMatch(/GET \/api\/books +2xx/);
    });
  });

  it('follows no redirect: measures the 3xx, fails the check, counts a request once, and asks no other host', async () => {
    await withTarget({}, async (elsewhere, other) => {
      const { port } = new URL(elsewhere);
      const location = `http://localhost:${port}/api/status`;
      const away: FakeOptions['override'] = ({ path }) =>
        path.startsWith('/api/books?category') ? { status: 307, location } : undefined;
      await withTarget({ override: away }, async (url, target) => {
        const run = await suite('browse.js', { ...QUICK, RATE: '10', BASE_URL: url });
        expect(run.exitCode).toBe(99);
        expect(run.stdout).toMatch(/GET \/api\/books +3xx +30 /);
        const lists = target.seen.filter(({ path }) => path.startsWith('/api/books?category'));
        expect(lists).toHaveLength(30);
        expect(run.stdout).toMatch(/CROSSED checks\{/);
      });
      const everything = { override: () => ({ status: 307, location }) };
      await withTarget(everything, async (url) => {
        const run = await suite('browse.js', { ...QUICK, BASE_URL: url });
        expect(run.stderr).toContain('answers 307 (redirects are not followed)');
      });
      expect(other.seen).toHaveLength(0);
    });
  });

  // Alone: it counts sessions.
  it.sequential('leaves out what a CDN would answer, names sessions, and warms up apart from what it measures', async () => {
    const workload = join(out, 'cdn.json');
    const text = readFileSync(SOURCES.workload, 'utf8').replace('"cdnShare": 0', '"cdnShare": 0.5');
    writeFileSync(workload, text);
    await buildSuite({ ...BUILD, workload, outdir: join(out, 'cdn') });
    await withTarget({}, async (url, target) => {
      const env = { BASE_URL: url, DURATION: '3s', WARMUP: '1s', RATE: '40', THINK: '0', SESSION_ID: 'on' };
      const run = await suite('cdn/search.js', { ...env, THRESHOLDS: '', CACHE: 'warm' });
      expect(run.exitCode).toBe(0);
      // Each session asks for one book; half of 120 are sent, within four standard deviations of the binomial, 5.5.
      const [, n = 0] = /GET \/api\/books\/\{isbn\} +(\d+) /.exec(run.stdout) ?? [];
      expect(Math.abs(Number(n) - 60)).toBeLessThan(22);
      expect(run.stdout).toContain('WARM-UP, ms, not judged');
      const ids = target.seen.map(({ headers }) => headers['x-session-id']).filter((id) => id !== undefined);
      // 40 warm-up and 120 measured sessions, each with an id of its own; k6's last tick may be missing.
      expect(Math.abs(new Set(ids).size - 160)).toBeLessThanOrEqual(2);
    });
  });

  it.each([
    ['too little stock', { minimumStock: 0 }, 'stock will not last: '],
    ['a rate limiter', { rateLimit: { perSecond: 5 } }, 'switch the limiter off, or declare it'],
    ['another catalogue', { books: 7 }, 'the target has 7 books'],
    ['real payments', { payments: 'provider' }, 'the target charges a real payment provider'],
  ])('refuses %s before any load', async (_what, status, sentence) => {
    const target = await startFakeBookstore({ status });
    const run = await suite('bookstore-mix.js', { ...QUICK, BASE_URL: target.url });
    await target.close();
    expect(run.exitCode).toBe(108);
    expect(run.stderr).toContain(sentence);
    expect(target.seen.every(({ method, path }) => method === 'GET' && /^\/api\/(status|books\/\d+)$/.test(path))).toBe(
      true,
    );
  });

  it('refuses a target that is down', async () => {
    const target = await startFakeBookstore();
    await target.close();
    const run = await suite('bookstore-mix.js', { ...QUICK, BASE_URL: target.url });
    expect(run.exitCode).toBe(108);
    expect(run.stderr).toContain(`no answer from ${target.url}: start the system under test`);
    expect(run.stdout).toContain('NOTHING WAS SENT');
  });

  it('takes every book once and refuses sessions when none is left', async () => {
    const books = join(out, 'books.csv');
    const isbns = Array.from({ length: 60 }, (_, i) => isbnOf(i));
    writeFileSync(books, `isbn,category\n${isbns.map((isbn) => `${isbn},fiction`).join('\n')}\n`);
    await buildSuite({ ...BUILD, pools: { books }, outdir: join(out, 'small') });
    await withTarget({ status: { books: 60 } }, async (url) => {
      const env = { BASE_URL: url, DURATION: '2s', RATE: '50', POPULARITY: 'once' };
      const run = await suite('small/book-details.js', env);
      // 100 sessions, 60 books: each book once, the other 40 sessions refused.
      expect(run.exitCode).toBe(99);
      expect(run.stdout).toMatch(/GET \/api\/books\/\{isbn\} +2xx +60 /);
      expect(run.stdout).toMatch(/(39|40) times no row was left in a pool that gives each row once \(books\)/);
      expect(run.stderr).toMatch(/no row of books is left for session \d+ of details: POOL=wrap begins again/);
    });
  });

  it.each([
    [{ RATE: 'abc' }, 'RATE=abc is not valid: give a number from 0.001 to 100000'],
    [{ DURATION: '3 minutes' }, 'DURATION=3 minutes is not valid'],
    [{ POPULARITY: 'single:40000' }, 'popularity single: asks for item 40001 of 40000'],
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
