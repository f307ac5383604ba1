import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCutOff, readManifest } from '../../../tools/results/manifest.ts';
import { cli, startCli } from '../../support/cli.ts';
import { callOf, onlyRun, run, workplace } from '../../support/run-command.ts';
import { type StubBehaviour, type StubK6, stubK6 } from '../../support/stub-k6.ts';

describe('as a process', () => {
  async function runCli(behaviour: StubBehaviour, ...args: string[]) {
    const stub = stubK6({ print: 'stdout of k6', ...behaviour });
    const cwd = workplace();
    const result = await cli(['run', 'my-test.js', ...args], { cwd, env: { K6_BIN: stub.path } });
    return { ...result, stub, folder: onlyRun(cwd) };
  }

  it('--json prints one document on standard output and k6 goes to standard error', async () => {
    const { code, stdout, stderr, folder } = await runCli({ exit: 99 }, '--json');
    expect(code).toBe(99);
    const document = JSON.parse(stdout) as Record<string, unknown>;
    expect(document).toMatchObject({ schemaVersion: 1, exitCode: 99, folder, runId: folder.split('/').at(-1) });
    expect(document['files']).toMatchObject({ manifest: 'manifest.json', samples: 'samples.csv' });
    expect(stderr).toContain('stdout of k6');
  });

  it('--quiet asks k6 to be quiet and says on success only where the results lie', async () => {
    const { code, stdout, stderr, stub } = await runCli({}, '--quiet');
    expect([code, stdout]).toEqual([0, 'stdout of k6\n']);
    expect(stderr).toMatch(/^results: results\/\S+-my-test-\w{4}\n$/);
    expect(callOf(stub, 'run')).toContain('--quiet');
  });

  it('a results folder that goes away during the run is named, and hides no exit code', async () => {
    const stub = stubK6({ removeFolder: true, exit: 99 });
    const { code, stderr } = await cli(['run', 'my-test.js'], { cwd: workplace(), env: { K6_BIN: stub.path } });
    expect(code).toBe(99);
    expect(stderr).toMatch(/the manifest in .* could not be completed \(ENOENT\)/);
    expect(stderr).toMatch(/samples\.csv is empty or missing/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('--no-samples writes none', async () => {
    const { folder, stub } = await run({}, ['--no-samples']);
    expect(existsSync(join(folder, 'samples.csv'))).toBe(false);
    expect(callOf(stub, 'run')).not.toContain('--out');
  });

  it('reruns never overwrite, also when they start in the same second', async () => {
    const stub = stubK6();
    const cwd = workplace();
    const runs = await Promise.all(
      [1, 2].map(() => cli(['run', 'my-test.js', '-q'], { cwd, env: { K6_BIN: stub.path } })),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(readdirSync(join(cwd, 'results'))).toHaveLength(2);
  });
});

describe('signals', () => {
  async function untilReady(stub: StubK6): Promise<number> {
    for (let tries = 0; tries < 400; tries++) {
      const file = join(stub.folder, 'ready');
      // The file is there a moment before what is written into it.
      const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
      if (pid > 0) return pid;
      await new Promise((done) => setTimeout(done, 25));
    }
    throw new Error('the stand-in never ran');
  }

  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGTERM'],
    ['SIGHUP', 'SIGTERM'],
  ] as const)('%s reaches k6 once as %s, and the run counts as interrupted', async (sent, received) => {
    const stub = stubK6({ signals: 1 });
    const cwd = workplace();
    const { child, end } = startCli(['run', 'my-test.js'], { cwd, env: { K6_BIN: stub.path } });
    await untilReady(stub);
    child.kill(sent);
    const { code, stderr } = await end;
    expect(code).toBe(105);
    expect(stub.signals()).toEqual([received]);
    expect(readManifest(onlyRun(cwd))).toMatchObject({
      status: 'interrupted',
      outcome: { exitCode: 105, interrupted: true },
    });
    expect(readFileSync(join(onlyRun(cwd), 'junit.xml'), 'utf8')).toContain('errors="1"');
    expect(stderr).toContain('stopped by a signal');
  });

  it('a second Ctrl-C reaches k6 too, which then stops at once', async () => {
    const stub = stubK6({ signals: 2 });
    const { child, end } = startCli(['run', 'my-test.js'], { cwd: workplace(), env: { K6_BIN: stub.path } });
    await untilReady(stub);
    child.kill('SIGINT');
    while (stub.signals().length === 0) await new Promise((done) => setTimeout(done, 10));
    child.kill('SIGINT');
    expect((await end).code).toBe(105);
    expect(stub.signals()).toEqual(['SIGINT', 'SIGINT']);
  });

  it('when the wrapper itself is killed, k6 is ended and the manifest says that the run was cut off', async () => {
    const stub = stubK6({ signals: 1 });
    const cwd = workplace();
    const { child, end } = startCli(['run', 'my-test.js'], { cwd, env: { K6_BIN: stub.path } });
    const k6 = await untilReady(stub);
    const running = readManifest(onlyRun(cwd));
    expect(running.status).toBe('running');
    expect(isCutOff({ status: running.status, pid: running.tool.pid })).toBe(false);
    expect(running.engine.pid).toBe(k6);
    child.kill('SIGKILL');
    await end;
    const left = readManifest(onlyRun(cwd));
    expect(left.outcome).toBeNull();
    expect(isCutOff({ status: left.status, pid: left.tool.pid })).toBe(true);
    // What it started does not go on without it.
    await expect.poll(() => stub.signals(), { timeout: 20_000 }).toEqual(['SIGTERM']);
  });
});

describe('the generator is watched', () => {
  it('its CPU and memory over time are in the manifest', async () => {
    const { manifest, stub } = await run({ burnSeconds: 2.5 });
    const { source, timeMs, cpuCores, rssBytes, machineCores } = manifest.generator;
    expect(source).toBe(process.platform === 'linux' ? 'proc' : 'ps');
    expect(timeMs.length).toBeGreaterThanOrEqual(1);
    expect([cpuCores.length, rssBytes.length, machineCores.length]).toEqual(Array(3).fill(timeMs.length));
    // Cores times seconds between the samples: no more than the process says that it used in all, and some of it.
    const seconds = timeMs.map((time, i) => (time - (timeMs[i - 1] ?? Date.parse(manifest.startedAt))) / 1000);
    const used = cpuCores.slice(1).reduce((sum, cores, i) => sum + cores * (seconds[i + 1] ?? 0), 0);
    expect(used).toBeLessThanOrEqual(stub.cpuSeconds() + 0.1);
    expect(Math.max(...cpuCores)).toBeGreaterThan(0);
    expect(Math.max(...rssBytes)).toBeGreaterThan(10e6);
  });
});
