/** A suite that is not the bookstore's, with real k6: what its flows may use, and where its load never goes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildSuite, sourcesOf } from '../../tools/build/main.ts';
import { K6, runK6 } from '../support/k6.ts';
import { definition, GOOD_SUITE, ITEMS, lib, loadTest, writeSuite } from '../support/suite-folder.ts';

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** A server that answers what `answer` says and notes what it is asked. */
async function listen(host: string, answer: (one: Seen) => { status: number; location?: string; body?: string }) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers };
    seen.push(one);
    const { status, location, body = '{}' } = answer(one);
    response.writeHead(status, location === undefined ? {} : { location });
    response.end(body);
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  const close = () => new Promise((done) => server.closeAllConnections() ?? server.close(done));
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, seen, close };
}

const folder = mkdtempSync(join(tmpdir(), 'library-'));
type Server = Awaited<ReturnType<typeof listen>>;
let target: Server;
let elsewhere: Server;
let tokens = 0;

/** The newest token is good for three requests. */
let uses = 0;
beforeAll(async () => {
  elsewhere = await listen('127.0.0.2', () => ({ status: 200 }));
  target = await listen('127.0.0.1', ({ path, headers }) => {
    if (path === '/login') {
      uses = 0;
      return { status: 200, body: JSON.stringify({ token: `t${++tokens}` }) };
    }
    if (path.startsWith('/away')) return { status: 302, location: `${elsewhere.url}/x` };
    if (path.startsWith('/moved')) return { status: 307, location: '/items/a' };
    if (path.startsWith('/safe')) {
      const good = headers.authorization === `Bearer t${tokens}` && uses++ < 3;
      return { status: good ? 200 : 401 };
    }
    return { status: 200 };
  });
});
beforeEach(() => void (target.seen as Seen[]).splice(0));
afterAll(async () => {
  await Promise.all([target?.close(), elsewhere?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const ENDPOINTS = `
  login: { request: 'POST /login', expect: [200] },
  item: 'GET /items/{sku}',
  safe: 'GET /safe/{sku}',
  away: { request: 'GET /away', expect: [302], redirects: 3 },
  plain: { request: 'GET /away?plain=1', expect: [302] },
  moved: { request: 'GET /moved', redirects: 1 }`;
const REST = `${ITEMS}
  headers: { 'X-Tenant': '{TENANT}' },
  variables: {
    TENANT: { kind: 'text', default: 'acme', help: '' },
    PASSWORD: { kind: 'text', default: '', secret: true, help: '' },
  },
  counters: { cheap: { means: 'note', says: '{n} items were cheap' } },
  setup: ({ request }) => ({ token: JSON.parse(request('POST', '/login').body).token }),`;

/** Builds a load test of one flow. */
async function built(name: string, flow: string): Promise<string> {
  const imports = `import { bearer } from ${lib('session/login')};
import { add, check } from ${lib('session/checks')};
import { counter } from ${lib('session/metrics')};
import { page } from ${lib('session/page')};
import { timed } from ${lib('session/timed')};
const cheap = counter('cheap');
`;
  const test = loadTest(name).replace(/const flow = .*/, `const flow = (session) => { ${flow} };`);
  const files = {
    ...GOOD_SUITE,
    'suite.ts': definition(REST, ENDPOINTS),
    'scenarios/shop.ts': '',
    [`scenarios/${name}.ts`]: imports + test,
  };
  const { 'scenarios/shop.ts': _, ...own } = files;
  const suite = writeSuite(join(folder, name), own);
  const outdir = join(folder, `${name}-out`);
  await buildSuite({ ...sourcesOf(suite), outdir, jslib: false, watch: false, metafile: false });
  return join(outdir, `${name}.js`);
}

async function run(script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const summary = join(folder, 'summary.json');
  const given = { BASE_URL: target.url, RATE: '5', DURATION: '2s', THINK: '0', ARRIVALS: 'metronome' };
  const variables = Object.entries({ ...given, SUMMARY_JSON: summary }).flatMap(([name, value]) => [
    '-e',
    `${name}=${value}`,
  ]);
  const ended = await runK6(['run', '-q', '--log-format', 'raw', ...variables, ...args, script], folder, {
    ...process.env,
    PASSWORD: 'hunter2',
    ...env,
  });
  return { ...ended, summary };
}

describe.skipIf(K6 === undefined)('a suite of an API of its own, in k6', { timeout: 120_000 }, () => {
  it('logs in, checks, counts, loads pages and times steps, and is green', async () => {
    const script = await built(
      'uses',
      `const { call, pick } = session;
      bearer(session, () => call('login').json('token'), session.shared.token);
      call('safe', pick('items'), { headers: { 'If-None-Match': '1' } });
      check(session, 'is fine', true);
      add(session, cheap);
      page(session, () => { call('item', pick('items')); call('item', pick('items')); });
      timed(session, 'WS /stream', () => 'told');
      session.think('a->b');`,
    );
    const { exitCode, stdout, stderr, summary } = await run(script, [], { PASSWORD: 'hunter2' });
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    const { metrics, bookstoreLoad } = JSON.parse(readFileSync(summary, 'utf8'));
    const { finished } = bookstoreLoad.sessions[0];
    // 5/s for 2 s; k6's last tick may be one more or less.
    expect(Math.abs(finished - 10)).toBeLessThanOrEqual(1);
    const requests = Object.fromEntries(
      bookstoreLoad.requests.map((one: { endpoint: string; requests: number }) => [one.endpoint, one.requests]),
    );
    // Each renewal is a login and the request once more; each session starts with the token of the set-up.
    const renewed = metrics['logins_renewed']?.values.count ?? 0;
    expect(renewed).toBeGreaterThan(0);
    expect(requests).toEqual({
      ...{ 'GET /safe/{sku}': finished + renewed, 'GET /items/{sku}': 2 * finished, 'WS /stream': finished },
      'POST /login': renewed,
    });
    expect(metrics['http_req_failed{phase:measure}'].values.passes).toBe(0);
    expect(metrics['checks{phase:measure}'].values.fails).toBe(0);
    expect(stdout).toContain(`${finished} items were cheap`);
    const safe = target.seen.filter(({ path }) => path.startsWith('/safe'));
    expect(safe).toHaveLength(finished + renewed);
    for (const { headers } of safe) {
      expect(headers).toMatchObject({ 'x-tenant': 'acme', 'if-none-match': '1' });
    }
  });

  it('never tells a secret: not in its options, its summary, its log', async () => {
    const script = join(folder, 'uses-out', 'uses.js');
    const { stdout, stderr, summary } = await run(script, ['-v'], { PASSWORD: 'hunter2' });
    const inspected = await runK6(['inspect', '--execution-requirements', script], folder, {
      ...process.env,
      PASSWORD: 'hunter2',
    });
    for (const text of [stdout, stderr, readFileSync(summary, 'utf8'), inspected.stdout]) {
      expect(text).not.toContain('hunter2');
    }
  });

  it('follows redirects on the host that was named, and to no other', async () => {
    const script = await built('away', "for (const key of ['away', 'plain', 'moved']) session.call(key);");
    // To k6 the script's options stand above those of a file.
    const config = join(folder, 'config.json');
    writeFileSync(config, JSON.stringify({ maxRedirects: 10 }));
    const { exitCode } = await run(script, ['--config', config]);
    expect(exitCode).toBe(0);
    expect(elsewhere.seen).toEqual([]);
    expect(target.seen.filter(({ path }) => path === '/items/a').length).toBeGreaterThan(5);
  });

  it.each<[string, readonly string[], NodeJS.ProcessEnv]>([
    ['--max-redirects', ['--max-redirects', '10'], {}],
    ['K6_MAX_REDIRECTS', [], { K6_MAX_REDIRECTS: '10' }],
  ])('is refused when k6 is told by %s to follow redirects itself', async (_, args, env) => {
    const { exitCode, stderr } = await run(join(folder, 'away-out', 'away.js'), args, env);
    expect(exitCode).toBe(108);
    expect(stderr).toContain('k6 is told to follow 10 redirects, to whatever host');
    expect(elsewhere.seen).toEqual([]);
    expect(target.seen).toEqual([]);
  });

  it('is refused when the option hosts leads the target elsewhere', async () => {
    const config = join(folder, 'hosts.json');
    writeFileSync(config, JSON.stringify({ hosts: { '127.0.0.1': '127.0.0.2' } }));
    const { stderr } = await run(join(folder, 'away-out', 'away.js'), ['--config', config]);
    expect(stderr).toContain('the option hosts sends what is meant for 127.0.0.1 to 127.0.0.2, which nobody named');
    expect(elsewhere.seen).toEqual([]);
  });
});
