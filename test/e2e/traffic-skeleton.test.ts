import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { build, transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../lib/model/random.ts';
import * as sampling from '../../lib/sampling.ts';
import { buildModel, type TrafficModel } from '../../tools/traffic/model/model.ts';
import { toWorkload } from '../../tools/traffic/model/workload-out.ts';
import type * as declared from '../../tools/traffic/skeleton/sampling.d.ts';
import { scenarioText } from '../../tools/traffic/skeleton/scenario.ts';
import { writeSkeleton } from '../../tools/traffic/skeleton/write.ts';
import { K6, runK6 } from '../support/k6.ts';
import { accessLog, virtualRun } from '../support/virtual-log.ts';
import { analyse } from '../tools/traffic/helpers.ts';

// Inside the project, so that the type check finds @types/k6.
const folder = mkdtempSync(resolve('test/e2e/.skeleton-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A shop that has nothing of the bookstore: 60 % look at things, 40 % sign in and pay. */
function shopLog(): string {
  const random = sessionRandom(hashSeed('shop'), 0);
  const entries: { at: number; line: string }[] = [];
  for (let session = 0; session < 400; session++) {
    let at = session * 500 + random() * 500;
    const steps =
      random() < 0.6
        ? itemSteps(1 + Math.floor(200 * random() ** 2))
        : ['POST /login', `GET /users/${session}/cart`, 'POST /payments'];
    for (const step of steps) {
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

/** A list, a thing, and its reviews: the same thing. */
function itemSteps(item: number): string[] {
  return ['GET /shop/items', `GET /shop/items/${item}`, `GET /shop/items/${item}/reviews`];
}

/** The mix of the run, and of the log that the skeleton was made from. */
function expectMix(again: TrafficModel, model: TrafficModel): void {
  for (const { name, share } of model.endpoints) {
    // The sessions are as many as due; only rounding and those cut off at the end differ.
    const back = again.endpoints.find((endpoint) => endpoint.name === name)?.share ?? 0;
    expect(Math.abs(back - share), name).toBeLessThan(0.01);
  }
}

describe('a scenario skeleton for another API', { timeout: 180_000 }, () => {
  let model: TrafficModel;
  beforeAll(async () => {
    model = buildModel(await analyse({ 'shop.log': shopLog() }), { replicates: 5 });
    await writeSkeleton(model, folder, toWorkload(model, { peak: false }));
  });

  it('sees the sampling as it is', () => {
    // The type check compares every function with its declaration.
    const seen: typeof declared = sampling;
    expect(Object.keys(seen).sort()).toEqual([
      'durationSeconds',
      'hashSeed',
      'popularitySampler',
      'requestPath',
      'runOptions',
      'sessionOf',
      'sessionRandom',
      'shiftSeconds',
      'stagePieces',
    ]);
    expect([seen.durationSeconds('1m30s'), seen.durationSeconds('5')]).toEqual([90, 5]);
    for (const wrong of ['', '0s', '1 m']) expect(() => seen.durationSeconds(wrong)).toThrow(/DURATION=.* 3m or 1h30m/);
  });

  it('type-checks', () => {
    expect(model.flows.kind).toBe('discovered');
    expect(model.endpoints.map(({ name }) => name).sort()).toEqual([
      'GET /shop/items',
      'GET /shop/items/{id}',
      'GET /shop/items/{id}/reviews',
      'GET /users/{id}/cart',
      'POST /login',
      'POST /payments',
    ]);
    const tsc = resolve('node_modules/typescript/bin/tsc');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          target: 'es2022',
          lib: ['es2022'],
          module: 'esnext',
          moduleResolution: 'bundler',
          types: ['k6'],
          skipLibCheck: true,
        },
        files: ['scenario.ts'],
      }),
    );
    execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'pipe' });
  });

  it('keeps what a user has written into the scenario, unless forced', () => {
    const other = mkdtempSync(resolve('test/e2e/.skeleton-'));
    try {
      const write = (force?: boolean) => writeSkeleton(model, other, toWorkload(model, { peak: false }), force);
      const names = ['workload.json', 'sampling.js', 'sampling.d.ts', 'scenario.ts'];
      expect(write()).toEqual(names.map((name) => join(other, name)));
      // As it was generated, it may be generated again.
      expect(write()).toHaveLength(4);
      const scenario = join(other, 'scenario.ts');
      writeFileSync(scenario, readFileSync(scenario, 'utf8').replace("'{}'", '\'{"mine":1}\''));
      writeFileSync(join(other, 'workload.json'), 'old');
      expect(() => write()).toThrow(/scenario\.ts has been edited .* name another folder, overwrite it with --force/);
      expect(readFileSync(scenario, 'utf8')).toContain('mine');
      expect(readFileSync(join(other, 'workload.json'), 'utf8')).toBe('old');
      write(true);
      expect(readFileSync(scenario, 'utf8')).not.toContain('mine');
      writeFileSync(scenario, '// somebody else wrote this');
      expect(() => write()).toThrow(/--force/);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('compiles and keeps to itself whatever paths clients sent', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what a client sent
    const odd = ["POST /it's", 'POST /a\\b', 'POST /`${x}`', 'POST /*/', 'POST /\n"', 'POST /m/müller', "GET /x/{o'}"];
    const text = scenarioText({ endpoints: odd, items: 3 });
    const { code } = await transform(text, { loader: 'ts' });
    for (const endpoint of odd.slice(0, 6)) {
      expect(text).toContain(`case ${JSON.stringify(endpoint)}:`);
      expect(code.length).toBeGreaterThan(0);
    }
    expect(text).toContain('case "o\'":');
  });

  it('runs on the embedded engine, and its log gives mix and think times back', async () => {
    const script = join(folder, 'scenario.js');
    const entryPoints = [join(folder, 'scenario.ts')];
    await build({ entryPoints, outfile: script, format: 'esm', bundle: true, external: ['k6'], logLevel: 'error' });
    const { exitCode, records } = await virtualRun({ script, env: { RATE: '10', DURATION: '60s' }, books: 10 });
    // 0 says too that no session was dropped.
    expect(exitCode).toBe(0);
    const log = accessLog(records, ['cs(X-Session-Id)']);
    const again = buildModel(await analyse({ 'run.log': log }), { replicates: 5 });
    expectMix(again, model);
    const items = new Map<string, Set<string>>();
    for (const { sessionId = '', target } of records) {
      const id = /items\/(\d+)/.exec(target)?.[1];
      if (id !== undefined) items.set(sessionId, (items.get(sessionId) ?? new Set()).add(id));
    }
    // A session keeps its item, and sessions have theirs.
    expect([...items.values()].every((ids) => ids.size === 1)).toBe(true);
    expect(new Set([...items.values()].flatMap((ids) => [...ids])).size).toBeGreaterThan(50);
    const { dispersion = [] } = 'refused' in again.arrivals ? {} : again.arrivals;
    // A metronome gives 0.1 and less; one minute of Poisson scatters by 0.2 at a second.
    for (const scale of dispersion.filter(({ seconds }) => seconds <= 1)) expect(scale.index).toBeGreaterThan(0.5);
    expect(dispersion.some(({ seconds }) => seconds <= 1)).toBe(true);
    // Both logs think between 0.5 and 1.5 s everywhere; 600 sessions.
    const think = again.thinkTimes.find(({ from, to }) => from === 'GET /shop/items' && to === 'GET /shop/items/{id}');
    expect(think?.n).toBeGreaterThan(300);
    expect(Math.abs((think?.fit?.mean ?? 0) - 1)).toBeLessThan(0.1);
  });

  it.skipIf(K6 === undefined)('runs in k6, and its log gives the mix back', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      const session = String(request.headers['x-session-id']);
      seen.push(
        JSON.stringify({
          time: new Date().toISOString(),
          method: request.method,
          uri: request.url,
          status: 200,
          session_id: session,
          duration_ms: 1,
        }),
      );
      request.resume();
      response.end('{}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const { port } = server.address() as AddressInfo;
      const env = ['-e', `BASE_URL=http://127.0.0.1:${port}`, '-e', 'RATE=20', '-e', 'DURATION=5s', '-e', 'THINK=0.1'];
      const run = await runK6(['run', '--quiet', ...env, 'scenario.ts'], folder);
      expect(run.stderr).not.toMatch(/level=error/);
      expect(run.exitCode).toBe(0);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    const again = buildModel(await analyse({ 'run.log': `${seen.join('\n')}\n` }), { replicates: 5 });
    expectMix(again, model);
  });
});
