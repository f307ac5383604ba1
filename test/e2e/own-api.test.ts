/** A suite for another API stands in a folder of its own: the guide's example is built, rehearsed, run and judged there. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTicketTracker } from '../fixtures/ticket-tracker/server.ts';
import { ROOT, cli as runCli } from '../support/cli.ts';
import { K6, runK6 } from '../support/k6.ts';

const EXAMPLE = join(ROOT, 'examples/ticket-tracker');
const PASSWORD = 'CANARY-user-password';
let folder: string;

/** A user's folder: the example's own files, and the package where npm would put it. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-api-'));
  cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !/\/(dist|results)$/.test(path) });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/bookstore-load'));
  symlinkSync(join(ROOT, 'node_modules/typescript'), join(folder, 'node_modules/typescript'));
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(ts|json)$/.test(file));
const cli = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => runCli(args, { cwd: folder, env });

describe('the ticket tracker', () => {
  it('has at most 120 lines of TypeScript and JSON', () => {
    const own = files(EXAMPLE).filter((file) => !/^(dist|results)\//.test(file));
    const lines = own.map((file) => readFileSync(join(EXAMPLE, file), 'utf8').split('\n').length - 1);
    expect(lines.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(120);
  });

  it('is built in its folder, and writes nothing elsewhere', async () => {
    const before = execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' });
    const built = await cli(['build']);
    expect(built).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(join(folder, 'dist')).sort()).toEqual(['data', 'lib', 'tracker-mix.js']);
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' })).toBe(before);
  });

  it.each([
    ['endpoint', "call('issue', { id });\n  check", "call('isue', { id });\n  check", '"isue"'],
    ['step', "think('issues->issue')", "think('issues->isue')", '"issues->isue"'],
    ['pool', "pick('issues')", "pick('isues')", '"isues"'],
  ])('does not build when a flow names no %s', async (_, right, wrong, said) => {
    const file = join(folder, 'scenarios/tracker/flows.ts');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(right.split('\n')[0]);
    writeFileSync(file, text.replace(right.split('\n')[0] as string, wrong.split('\n')[0] as string));
    const built = await cli(['build']);
    writeFileSync(file, text);
    expect(built.code).toBe(1);
    expect(built.stdout + built.stderr).toContain(said);
  });

  it('is rehearsed without a server', async () => {
    const { code, stdout } = await cli(['rehearse', 'tracker-mix', '--json', '-e', 'DURATION=60s'], { PASSWORD });
    const plan = JSON.parse(stdout) as { requests: { byEndpoint: Record<string, { n: number }> }; sessions: object };
    expect(code).toBe(0);
    // 600 sessions: 300 triage, 180 report, 120 dashboard, each with a login.
    expect(plan.requests.byEndpoint['POST /v1/login']?.n).toBe(600);
    expect(plan.requests.byEndpoint['GET /v1/export?format=']?.n).toBe(120);
    expect(plan.sessions).toMatchObject({ finished: 600, dropped: 0 });
  });

  it.concurrent.each(K6 === undefined ? ['embedded'] : ['k6', 'embedded'])(
    'runs with %s, pre-flight on, and is judged',
    async (engine) => {
      const tracker = await startTicketTracker({ lifetimeSeconds: 120 });
      const target = ['-e', `BASE_URL=${tracker.url}`, '-e', 'DURATION=20s', '-e', 'THINK=0.2'];
      const run = await cli(['run', 'tracker-mix', '--engine', engine, '--json', ...target], { PASSWORD });
      await tracker.close();
      expect(run.code).toBe(0);
      const { folder: results } = JSON.parse(run.stdout) as { folder: string };
      const sent = tracker.counters.requests;
      expect(Object.keys(sent).some((name) => name.startsWith('PATCH /v1/issues/{id}'))).toBe(true);
      // The pre-flight asks for /, which this API does not have: that is no failed request of the run.
      const asked = readFileSync(join(results, 'samples.csv'), 'utf8').match(/^http_req_failed,.*pre-flight.*$/gm);
      expect(asked?.map((row) => Number(row.split(',')[2]))).toEqual([0]);
      for (const file of readdirSync(results)) {
        expect(readFileSync(join(results, file), 'utf8')).not.toContain(PASSWORD);
      }
      const analysed = await cli(['analyse', results, '--json']);
      expect(JSON.parse(analysed.stdout)).toMatchObject({
        verdict: { status: expect.stringMatching(/VALID|SUSPECT/) },
      });
      expect([0, 99]).toContain(analysed.code);
    },
  );
});

describe('single pieces in a script that is no suite', () => {
  it.skipIf(K6 === undefined)('are bundled by plain esbuild and run by k6', async () => {
    const out = join(folder, 'pieces.js');
    await build({
      entryPoints: [join(ROOT, 'examples/pieces/script.js')],
      bundle: true,
      format: 'esm',
      external: ['k6', 'k6/*'],
      outfile: out,
    });
    const tracker = await startTicketTracker({ lifetimeSeconds: 60 });
    const run = await runK6(['run', '-q', '-e', 'SECONDS=10', '-e', `BASE_URL=${tracker.url}`, out], folder);
    await tracker.close();
    // Every answer is 404, which the guarded thresholds notice: the population of good answers is empty.
    expect(run.exitCode).toBe(99);
    expect(run.stdout).toMatch(/all requests\s+4xx\s+400 /);
  });
});
