import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSeed, type Random, sessionRandom } from '../../lib/model/random.ts';
import { buildSuite, sourcesOf } from '../../tools/build/main.ts';
import { buildModel, type TrafficModel } from '../../tools/traffic/model/model.ts';
import { toWorkload } from '../../tools/traffic/model/workload-out.ts';
import { writeSkeleton } from '../../tools/traffic/skeleton/write.ts';
import { cli, ROOT } from '../support/cli.ts';
import { accessLog, type VirtualLog, virtualRun } from '../support/virtual-log.ts';
import { analyse } from '../tools/traffic/helpers.ts';

const home = mkdtempSync(join(tmpdir(), 'skeleton-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A log of sessions, one every half a second; between two requests 0.5 to 1.5 s pass. */
function logOf(sessions: number, stepsOf: (random: Random, session: number) => readonly string[]): string {
  const random = sessionRandom(hashSeed('shop'), 0);
  const entries: { at: number; line: string }[] = [];
  for (let session = 0; session < sessions; session++) {
    let at = session * 500 + random() * 500;
    for (const step of stepsOf(random, session)) {
      const stamp = new Date(Date.UTC(2024, 2, 4, 10) + at).toISOString();
      const [method = '', path = ''] = step.split(' ');
      entries.push({
        at,
        line: JSON.stringify({ time: stamp, method, path, status: 200, session_id: `u${session}`, duration_ms: 5 }),
      });
      at += 5 + 1000 * (0.5 + random());
    }
  }
  return `${entries
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line)
    .join('\n')}\n`;
}

/** A shop that has nothing of the bookstore: 60 % look at things, 40 % sign in and pay. */
const shop = (random: Random, session: number): string[] =>
  random() < 0.6
    ? itemSteps(1 + Math.floor(200 * random() ** 2))
    : ['POST /login', `GET /users/${session}/cart`, 'POST /payments'];

/** A list, a thing, and its reviews: the same thing. */
function itemSteps(item: number): string[] {
  return ['GET /shop/items', `GET /shop/items/${item}`, `GET /shop/items/${item}/reviews`];
}

/** A list, and posts until the reader has enough. */
function geometric(random: Random): string[] {
  const steps = ['GET /list'];
  do steps.push(`GET /posts/post-number-${Math.floor(300 * random())}`);
  while (random() < 0.85);
  return steps;
}

/** Back and forth between pages: each next one depends on the one before only. */
function markov(random: Random): string[] {
  const next: Readonly<Record<string, readonly string[]>> = {
    'GET /home': ['GET /find', 'GET /list', 'GET /list'],
    'GET /find': ['GET /list', 'GET /find', ''],
    'GET /list': ['GET /detail', 'GET /detail', 'GET /find', ''],
    'GET /detail': ['GET /list', 'POST /basket', ''],
    'POST /basket': ['GET /list', ''],
  };
  const steps: string[] = [];
  for (let at = 'GET /home'; at !== ''; at = next[at]?.[Math.floor(random() * (next[at]?.length ?? 0))] ?? '')
    steps.push(at);
  return steps;
}

const modelOf = async (log: string) => buildModel(await analyse({ 'a.log': log }), { replicates: 5 });

/** The model's skeleton in a folder of its own, built; the bundle. */
async function builtSkeleton(model: TrafficModel, name: string): Promise<string> {
  const suite = join(home, name);
  writeSkeleton(model, suite, toWorkload(model, { peak: false }));
  await buildSuite({ ...sourcesOf(suite), outdir: join(suite, 'dist'), jslib: false, watch: false, metafile: false });
  return join(suite, 'dist', `${name}.js`);
}

/** The mix of the run, and of the log that the skeleton was made from. */
function expectMix(again: TrafficModel, model: TrafficModel): void {
  for (const { name, share } of model.endpoints) {
    // The sessions are as many as due; only rounding and those cut off at the end differ.
    const back = again.endpoints.find((endpoint) => endpoint.name === name)?.share ?? 0;
    expect(Math.abs(back - share), name).toBeLessThan(0.01);
  }
  expect(again.endpoints.map(({ name }) => name).sort()).toEqual(model.endpoints.map(({ name }) => name).sort());
}

describe('the suite of a log of another API', { timeout: 180_000 }, () => {
  let model: TrafficModel;
  let script: string;
  beforeAll(async () => {
    model = await modelOf(logOf(400, shop));
    script = await builtSkeleton(model, 'shop');
  });

  it('type-checks, and is formatted and clean to the linter', () => {
    expect(model.flows.kind).toBe('discovered');
    expect(model.endpoints.map(({ name }) => name).sort()).toEqual([
      'GET /shop/items',
      'GET /shop/items/{id}',
      'GET /shop/items/{id}/reviews',
      'GET /users/{id}/cart',
      'POST /login',
      'POST /payments',
    ]);
    const suite = join(home, 'shop');
    mkdirSync(join(suite, 'node_modules'), { recursive: true });
    // As `npm install` has it for a package that is named by its path.
    symlinkSync(ROOT, join(suite, 'node_modules', 'bookstore-load'));
    const run = (file: string, ...args: readonly string[]) =>
      execFileSync(process.execPath, [resolve('node_modules', file), ...args], { stdio: 'pipe' });
    run('typescript/bin/tsc', '--noEmit', '-p', suite);
    run('@biomejs/biome/bin/biome', 'check', '--vcs-enabled=false', '--config-path', ROOT, join(suite, 'scenarios'));
  });

  it('keeps what a user has written into any of its files, unless forced', () => {
    const other = join(home, 'other');
    const workload = toWorkload(model, { peak: false });
    const write = (force?: boolean) => writeSkeleton(model, other, workload, force);
    const files = [
      ...['data/workload.json', 'scenarios/other.ts', 'scenarios/other/suite.ts', 'thresholds/default.json'],
      ...['package.json', 'tsconfig.json', '.gitignore', 'data/id.csv', '.skeleton.json'],
    ];
    expect(write().written).toEqual(files.map((name) => join(other, name)));
    // As it was generated, it may be generated again.
    expect(write().written).toHaveLength(files.length);
    const test = join(other, 'scenarios/other.ts');
    writeFileSync(test, readFileSync(test, 'utf8').replace('json: {}', 'json: { mine: 1 }'));
    writeFileSync(join(other, 'data/id.csv'), 'id\nmine\n');
    writeFileSync(join(other, 'data/workload.json'), 'old');
    expect(() => write()).toThrow(
      /other: scenarios\/other\.ts, data\/id\.csv have been edited.* name another folder, overwrite with --force/,
    );
    expect(readFileSync(test, 'utf8')).toContain('mine');
    expect(readFileSync(join(other, 'data/workload.json'), 'utf8')).toBe('old');
    write(true);
    expect(readFileSync(test, 'utf8')).not.toContain('mine');
    // A file that nobody has made here.
    rmSync(join(other, '.skeleton.json'));
    writeFileSync(test, '// somebody else wrote this');
    expect(() => write()).toThrow(/--force/);
  });

  it('is built and keeps to itself whatever paths clients sent', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a client sent
    const odd = ["POST /it's", 'POST /a\\b', 'POST /`${x}`', 'POST /*/', 'POST /n"', 'POST /m/müller', 'POST /a,b'];
    const steps = [...odd, "GET /x/{o'}", 'GET /*/ export {}', 'OPTIONS *'];
    const endpoints = Object.fromEntries(steps.map((endpoint, i) => [`step${i}`, endpoint]));
    const forms = [{ share: 1, steps: Object.keys(endpoints) }];
    const suite = join(home, 'odd');
    const { remarks } = writeSkeleton(model, suite, {
      ...toWorkload(model, { peak: false }),
      endpoints,
      flows: { delete: { share: 1, thinkTimes: { '*->*': { law: 'fixed', value: 0 } }, sessions: { forms } } },
    });
    expect(remarks.find((text) => text.startsWith('POST /a,b'))).toBe('POST /a,b is sent as POST /a%2Cb');
    expect(remarks.find((text) => text.startsWith('OPTIONS *'))).toMatch(/sends nothing/);
    await buildSuite({ ...sourcesOf(suite), outdir: join(suite, 'dist'), jslib: false, watch: false, metafile: false });
    const run = await virtualRun({ script: join(suite, 'dist/odd.js'), env: { RATE: '5', DURATION: '2s' }, books: 10 });
    const sent = new Set(run.records.map(({ method, target }) => `${method} ${target.replace(/^\/x\/.*/, '/x/')}`));
    expect(sent).toContain("POST /it's");
    expect(sent).toContain('POST /m/m%C3%BCller');
    expect(sent).toContain('POST /a%2Cb');
    expect(sent.size).toBe(9);
    // Every session takes every step that can be sent.
    expect(run.records).toHaveLength(10 * 9);
  });

  describe('on the embedded engine', () => {
    let run: VirtualLog;
    const env = { RATE: '10', DURATION: '60s' };
    beforeAll(async () => {
      run = await virtualRun({ script, env, books: 10 });
    });

    it('gives mix and think times back by its log', async () => {
      // 0 says too that no session was dropped.
      expect(run.exitCode).toBe(0);
      const again = await modelOf(accessLog(run.records, ['cs(X-Session-Id)']));
      expectMix(again, model);
      expect(again.sessions.count).toBe(600);
      expect(again.sessions.requestsPerSession).toBeCloseTo(model.sessions.requestsPerSession, 2);
      const { dispersion = [] } = 'refused' in again.arrivals ? {} : again.arrivals;
      // A metronome gives 0.1 and less; one minute of Poisson scatters by 0.2 at a second.
      for (const scale of dispersion.filter(({ seconds }) => seconds <= 1)) expect(scale.index).toBeGreaterThan(0.5);
      expect(dispersion.some(({ seconds }) => seconds <= 1)).toBe(true);
      // Both logs think between 0.5 and 1.5 s everywhere; 600 sessions.
      const think = again.thinkTimes.find(
        ({ from, to }) => from === 'GET /shop/items' && to === 'GET /shop/items/{id}',
      );
      expect(think?.n).toBeGreaterThan(300);
      expect(Math.abs((think?.fit?.mean ?? 0) - 1)).toBeLessThan(0.1);
    });

    /** Ids of things that each session asked for. */
    function itemsOf({ records }: VirtualLog): Set<string>[] {
      const items = new Map<string, Set<string>>();
      for (const { sessionId = '', target } of records) {
        const id = /items\/(\d+)/.exec(target)?.[1];
        if (id !== undefined) items.set(sessionId, (items.get(sessionId) ?? new Set()).add(id));
      }
      return [...items.values()];
    }

    it('has sessions that keep their item, unless each view takes another one', async () => {
      const kept = itemsOf(run);
      expect(kept.every((ids) => ids.size === 1)).toBe(true);
      expect(new Set(kept.flatMap((ids) => [...ids])).size).toBeGreaterThan(50);
      const views = itemsOf(await virtualRun({ script, env: { ...env, DURATION: '10s', ITEM: 'view' }, books: 10 }));
      // Two of a thousand items are the same for one session in a thousand.
      expect(views.filter((ids) => ids.size === 2).length).toBeGreaterThan(0.9 * views.length);
    });

    it('sends the same sessions for the same seed, and others for another one', async () => {
      const sessions = (log: VirtualLog): string[] => {
        const targets = new Map<string, string>();
        for (const { sessionId = '', target } of log.records) {
          // The session's name ends in the seed.
          const name = sessionId.replace(/-[^-]*$/, '');
          targets.set(name, `${targets.get(name) ?? name} ${target}`);
        }
        return [...targets.values()].sort();
      };
      expect(sessions(await virtualRun({ script, env, books: 10 }))).toEqual(sessions(run));
      expect(sessions(await virtualRun({ script, env: { ...env, SEED: '2' }, books: 10 }))).not.toEqual(sessions(run));
    });
  });

  it.each([
    ['geometric', geometric],
    ['markov', markov],
  ] as const)('gives the mix of %s sessions back', async (name, steps) => {
    const log = await modelOf(logOf(1500, steps));
    const bundle = await builtSkeleton(log, name);
    const { exitCode, records } = await virtualRun({ script: bundle, env: { RATE: '20', DURATION: '60s' }, books: 10 });
    expect(exitCode).toBe(0);
    const again = await modelOf(accessLog(records, ['cs(X-Session-Id)']));
    expectMix(again, log);
    // 1,200 sessions, whose numbers of requests have a standard deviation of about 6 and of about 4.
    const mean = records.length / 1200;
    expect(Math.abs(mean - log.sessions.requestsPerSession)).toBeLessThan(4 * (6 / Math.sqrt(1200)));
  });
});

describe('the commands', { timeout: 180_000 }, () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  async function listen(host: string, listener: RequestListener, port = 0): Promise<number> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((done) => server.listen(port, host, done));
    return (server.address() as AddressInfo).port;
  }

  it('make a suite of a log, build it, and run it against the named host only', async () => {
    const seen: string[] = [];
    const elsewhere: string[] = [];
    const foreign = await listen('127.0.0.2', ({ url = '' }, response) => {
      elsewhere.push(url);
      response.end();
    });
    const port = await listen('127.0.0.1', (request, response) => {
      const { method, url, headers } = request;
      const session_id = headers['x-session-id'];
      const time = new Date().toISOString();
      // The pre-flight has no session.
      if (session_id !== undefined)
        seen.push(JSON.stringify({ time, method, uri: url, status: 200, session_id, duration_ms: 1 }));
      request.resume();
      if (url === '/login') response.writeHead(302, { Location: `http://127.0.0.2:${foreign}/welcome` });
      response.end('{}');
    });
    const log = join(home, 'shop.log');
    writeFileSync(log, logOf(400, shop));
    const suite = join(home, 'commands');

    const made = await cli(['traffic', log, '--skeleton', suite]);
    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout).toContain(
      `Next: bookstore-load build --suite ${suite}\nNext: cd ${suite} && bookstore-load run commands\n`,
    );
    const built = await cli(['build', '--suite', suite]);
    expect(built.code, built.stderr).toBe(0);
    const variables = {
      BASE_URL: `http://127.0.0.1:${port}`,
      RATE: '20',
      DURATION: '5s',
      THINK: '0.1',
      SESSION_ID: 'on',
    };
    const args = Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const run = await cli(['run', 'commands', ...args], { cwd: suite });
    expect(run.code, run.stderr + run.stdout).toBe(0);

    expectMix(await modelOf(`${seen.join('\n')}\n`), await modelOf(readFileSync(log, 'utf8')));
    // Read beside the suite, the log has the names of its table, and its flows are found anew.
    writeFileSync(join(home, 'run.log'), `${seen.join('\n')}\n`);
    const read = await cli(['traffic', join(home, 'run.log'), '--json'], { cwd: suite });
    expect(read.code, read.stderr).toBe(0);
    const again = JSON.parse(read.stdout) as TrafficModel;
    expect(again.flows.kind).toBe('discovered');
    expectMix(again, await modelOf(readFileSync(log, 'utf8')));
    expect(seen.filter((line) => line.includes('"/login"')).length).toBeGreaterThan(30);
    expect(elsewhere).toEqual([]);
  });
});
