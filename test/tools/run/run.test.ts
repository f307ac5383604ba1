import { existsSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { command } from '../../../tools/commands/run.ts';
import { type Manifest, readManifest, runState } from '../../../tools/results/manifest.ts';
import { K6_EXIT_CODES } from '../../../tools/run/k6-exit.ts';
import { cli, startCli } from '../../support/cli.ts';
import { type StubBehaviour, type StubK6, stubK6 } from '../../support/stub-k6.ts';

interface Ran {
  readonly code: unknown;
  readonly stderr: string;
  readonly stub: StubK6;
  readonly folder: string;
  readonly manifest: Manifest;
}

function workplace(): string {
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  writeFileSync(join(folder, 'my-test.js'), 'export default function () {}\n');
  return folder;
}

/** The command in this process, which spares each test the start of another Node. */
async function run(behaviour: StubBehaviour, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const stub = stubK6(behaviour);
  const cwd = workplace();
  for (const [name, value] of Object.entries({ K6_BIN: stub.path, ...env })) vi.stubEnv(name, value);
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const words = [join(cwd, 'my-test.js'), '--results', join(cwd, 'results'), ...args];
    await command().exitOverride().parseAsync(words, { from: 'user' });
    const stderr = written.mock.calls.map(([text]) => String(text)).join('');
    const folder = onlyRun(cwd);
    return { code: process.exitCode, stderr, stub, folder, manifest: readManifest(folder) };
  } finally {
    process.exitCode = undefined;
    written.mockRestore();
    vi.unstubAllEnvs();
  }
}

function onlyRun(cwd: string): string {
  const runs = readdirSync(join(cwd, 'results'));
  expect(runs).toHaveLength(1);
  return join(cwd, 'results', runs[0] as string);
}

function callOf(stub: StubK6, command: string): readonly string[] {
  const call = stub.calls().find((argv) => argv[0] === command);
  if (call === undefined) throw new Error(`k6 ${command} was never called`);
  return call;
}

describe('exit codes', () => {
  it.each([0, 2, 99, 105, 107, 255])('passes k6 exit code %i on and says what it means', async (exit) => {
    const { code, stderr, manifest, folder } = await run({ exit });
    expect(code).toBe(exit);
    const ended = { 0: 'complete', 99: 'complete', 105: 'interrupted' }[exit] ?? 'aborted';
    expect(manifest.status).toBe(ended);
    expect(manifest.outcome).toMatchObject({ exitCode: exit, signal: null, interrupted: false });
    const junit = join(folder, 'junit.xml');
    if (ended === 'complete') expect(existsSync(junit)).toBe(false);
    else expect(readFileSync(junit, 'utf8')).toContain(`<error message="exit code ${exit}: `);
    if (exit === 0) expect(stderr).not.toContain('exit code');
    else expect(stderr).toContain(`exit code ${exit}: ${K6_EXIT_CODES[exit]}`);
  });

  it.each([
    ['SIGKILL', 137],
    ['SIGSEGV', 139],
    ['SIGTERM', 143],
  ] as const)('a k6 killed by %s ends with %i, and what it had is kept', async (kill, code) => {
    const ran = await run({ kill });
    expect(ran.code).toBe(code);
    expect(ran.manifest.outcome).toMatchObject({ exitCode: code, signal: kill, interrupted: false });
    expect(ran.stderr).toContain(`killed by ${kill}`);
    expect(readFileSync(join(ran.folder, 'samples.csv'), 'utf8')).toContain('http_reqs');
  });

  it('names crossed thresholds besides a code that hides them, in both summary formats', async () => {
    const metric = 'http_req_duration{name:x}';
    const summary = {
      metrics: { [metric]: { values: {}, thresholds: { 'p(95)<1': { ok: false }, 'p(50)<9': { ok: true } } } },
    };
    const exported = { metrics: { [metric]: { avg: 1, thresholds: { 'p(95)<1': true, 'p(50)<9': false } } } };
    for (const behaviour of [
      { exit: 107, summary },
      { exit: 107, summaryExport: exported },
    ]) {
      const { stderr, manifest } = await run(behaviour);
      expect(manifest.outcome?.thresholdsCrossed).toEqual([`${metric}: p(95)<1`]);
      expect(stderr).toContain(`crossed thresholds: ${metric}: p(95)<1`);
    }
  });
});

describe('99 says what was crossed', () => {
  const crossed = (...names: string[]) => ({
    exit: 99,
    summary: { metrics: Object.fromEntries(names.map((name) => [name, { thresholds: { x: { ok: false } } }])) },
  });

  it.each([
    [['dropped_iterations{scenario:a}', 'out_of_stock'], /a limit of the test was crossed, no objective/],
    [['duration_2xx{name:x}', 'http_reqs{phase:measure}'], /the system did not keep an objective/],
    [['flow_errors{phase:measure}', 'checks'], /objectives of the system and limits of the test/],
    [[], /an objective of the system or a limit of the test/],
  ])('%j', async (names, sentence) => {
    const { stderr, manifest } = await run(crossed(...names));
    expect(stderr).toMatch(sentence);
    expect(manifest.outcome?.meaning).toMatch(sentence);
  });
});

describe('a run without load', () => {
  it.each([100, 105, 107, 108])(
    '%i before any session: nothing is said of samples or of the generator',
    async (exit) => {
      const { stderr, folder } = await run({ exit, removeSamples: true });
      expect(stderr).toContain(`exit code ${exit}:`);
      expect(stderr).not.toMatch(/disk full|generator:/);
      expect(readFileSync(join(folder, 'junit.xml'), 'utf8')).toContain(`exit code ${exit}`);
    },
  );

  it('missing samples are named once a session was counted', async () => {
    const summary = { metrics: { iterations: { values: { count: 3 } } } };
    expect((await run({ exit: 108, removeSamples: true, summary })).stderr).toContain('disk full');
  });
});

it("a JUnit file of an earlier run at the user's own path is not taken for this one's", async () => {
  const file = join(workplace(), 'mine.xml');
  writeFileSync(file, '<testsuites tests="9" failures="0"></testsuites>');
  utimesSync(file, 1, 1);
  const { folder } = await run({ kill: 'SIGKILL' }, ['-e', `JUNIT_XML=${file}`]);
  for (const path of [file, join(folder, 'junit.xml')]) {
    expect(readFileSync(path, 'utf8')).toContain('<testsuites tests="1" failures="0" errors="1"');
  }
});

describe('what k6 gets', () => {
  it("keeps the script's tags beside those of the command line", async () => {
    const { stub, manifest } = await run({ options: { tags: { release: '7', build: 'old' } } }, [
      '--tag',
      'build=123',
      '--',
      '--tag=team=a b',
    ]);
    const argv = callOf(stub, 'run');
    const tags = argv.filter((_, i) => argv[i - 1] === '--tag');
    expect(tags).toEqual(['release=7', 'build=123', 'team=a b']);
    expect(manifest.tags).toEqual({ release: '7', build: '123', team: 'a b' });
  });

  it('without tags on the command line it gets none, and the script keeps its own', async () => {
    const { stub } = await run({ options: { tags: { release: '7' } } });
    expect(callOf(stub, 'run')).not.toContain('--tag');
  });

  it('keeps outputs of the user and of K6_OUT beside the samples', async () => {
    const { stub, folder } = await run({}, ['--out', 'json=a.json', '--', '-o', 'web-dashboard'], {
      K6_OUT: 'statsd,cloud',
    });
    const argv = callOf(stub, 'run');
    const env = stub.environment();
    expect(argv.filter((_, i) => argv[i - 1] === '--out')).toEqual([
      'csv',
      'statsd',
      'cloud',
      'json=a.json',
      'web-dashboard',
    ]);
    expect(env['K6_CSV_FILENAME']).toBe(join(folder, 'samples.csv'));
    expect(env['K6_CSV_TIME_FORMAT']).toBe('unix_milli');
  });

  it('passes options on untouched and asks for the same options beforehand', async () => {
    const words = [
      '--vus',
      '3',
      '-d',
      '5s',
      '--http-debug',
      '--summary-export',
      'mine.json',
      '--linger',
      '--user-agent',
      '-e',
    ];
    const { stub } = await run({}, ['--', ...words]);
    const argv = callOf(stub, 'run');
    for (const word of words) expect(argv).toContain(word);
    expect(argv.filter((word) => word === '--summary-export')).toHaveLength(1);
    const archive = callOf(stub, 'archive');
    expect(archive).toEqual(expect.arrayContaining(['--vus', '3', '-d', '5s', '--user-agent', '-e']));
    expect(archive).not.toContain('--linger');
  });

  it('records variables with secrets masked, the options and the requirements', async () => {
    const { manifest, stub } = await run(
      { options: { scenarios: { a: { executor: 'constant-vus', env: { API_TOKEN: 'hush' } } } } },
      [
        '-e',
        'SEED=5',
        '-e',
        'API_TOKEN=hush',
        '-e',
        'BASE_URL=http://u:hush@127.0.0.1:1/x',
        '--',
        '-e',
        'PASSWORD=hush',
      ],
      { K6_NO_USAGE_REPORT: 'true' },
    );
    expect(manifest.env).toMatchObject({ SEED: '5', API_TOKEN: '***', PASSWORD: '***', K6_NO_USAGE_REPORT: 'true' });
    expect(manifest.seed).toBe('5');
    expect(manifest.requirements).toEqual({ maxVUs: 7, totalSeconds: 90 });
    expect(manifest.target).toMatchObject({ host: '127.0.0.1:1', sameHost: true, tls: false });
    expect(JSON.stringify(manifest)).not.toContain('hush');
    expect(callOf(stub, 'run')).toContain('API_TOKEN=hush');
  });

  it('runs a script that cannot be inspected all the same, so that k6 itself says what is wrong', async () => {
    const { code, manifest } = await run({ options: null, exit: 107 });
    expect(code).toBe(107);
    expect(manifest.options).toBeNull();
  });
});

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

  it('--quiet asks k6 to be quiet and says nothing on success', async () => {
    const { code, stdout, stderr, stub } = await runCli({}, '--quiet');
    expect([code, stdout, stderr]).toEqual([0, 'stdout of k6\n', '']);
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
      if (existsSync(file)) return Number(readFileSync(file, 'utf8'));
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

  it('when the wrapper itself is killed, the manifest says that the run was cut off', async () => {
    const stub = stubK6({ signals: 1 });
    const cwd = workplace();
    const { child, end } = startCli(['run', 'my-test.js'], { cwd, env: { K6_BIN: stub.path } });
    const k6 = await untilReady(stub);
    const running = readManifest(onlyRun(cwd));
    expect(runState(running)).toBe('running');
    expect(running.engine.pid).toBe(k6);
    child.kill('SIGKILL');
    await end;
    const left = readManifest(onlyRun(cwd));
    expect(left.outcome).toBeNull();
    expect(runState(left)).toBe('cut off');
    process.kill(k6, 'SIGTERM');
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
