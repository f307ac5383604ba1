import { existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { K6_EXIT_CODES } from '../../../lib/k6/exit-codes.ts';
import { callOf, run, workplace } from '../../support/run-command.ts';

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
  const crossed = (names: string[], expression = 'x') => ({
    exit: 99,
    summary: {
      metrics: Object.fromEntries(names.map((name) => [name, { thresholds: { [expression]: { ok: false } } }])),
    },
  });

  it.each<[string[], RegExp, string?]>([
    [['dropped_iterations{scenario:a}', 'data_exhausted'], /a limit of the test was crossed, no objective/],
    [['duration_2xx{name:x}', 'http_reqs{phase:measure}'], /the system did not keep an objective/],
    [['http_reqs{phase:measure}'], /whether the system keeps it was not tested/, 'count>0'],
    [['duration_2xx{name:x}'], /whether the system keeps it was not tested/, 'max>0'],
    [['dropped_iterations'], /a limit of the test was crossed/, 'count==0'],
    [['flow_errors{phase:measure}', 'checks'], /objectives of the system and limits of the test/],
    [[], /an objective of the system or a limit of the test/],
  ])('%j %s %s', async (names, sentence, expression) => {
    const { stderr, manifest } = await run(crossed(names, expression));
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
    // The archive lies on a disk for a moment.
    expect(archive).toContain('--exclude-env-vars');
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
