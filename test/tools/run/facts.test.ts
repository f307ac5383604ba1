/** The small facts of a manifest: secrets, host, target, durations, thresholds, variables, scripts. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cpuLimit, groupLimits, memoryLimit } from '../../../tools/run/cgroup.ts';
import { generatorLine } from '../../../tools/run/closing-lines.ts';
import { hostFacts, targetFacts } from '../../../tools/run/host.ts';
import { readInspection } from '../../../tools/run/k6-engine.ts';
import { findScript, inputFile } from '../../../tools/run/script.ts';
import {
  maskArguments,
  maskOptions,
  maskUrl,
  maskVariable,
  secretValues,
  textMasker,
} from '../../../tools/run/secrets.ts';
import { crossedThresholds } from '../../../tools/run/thresholds.ts';
import { unknownVariables, variablesInForce } from '../../../tools/run/variables.ts';
import { parseProcStat, parsePs, usageFromProc } from '../../../tools/run/watch.ts';

describe('secrets', () => {
  const harmless = ['RATE', 'BASE_URL'];

  it.each(['PASS', 'JWT', 'BEARER', 'SESSION', 'LOGIN', 'API_TOKEN', 'K6_OTEL_HEADERS', 'X'])(
    'the variable %s is masked, as the suite does not know it to be harmless',
    (name) => {
      expect(maskVariable(name, 'hush', harmless)).toBe('***');
    },
  );

  it('a harmless variable is not, but for a user in its URL', () => {
    expect(maskVariable('RATE', '7', harmless)).toBe('7');
    expect(maskVariable('BASE_URL', 'http://u:hu@sh@h:1/x', harmless)).toBe('http://***@h:1/x');
    expect(maskVariable('BASE_URL', 'http://hush@h', harmless)).toBe('http://***@h');
  });

  it('variables among arguments in every spelling, and other words by what their names tell', () => {
    const words = ['-e', 'JWT=hush', '-eJWT=hush', '--env=JWT=hu=sh', '--env', 'JWT=hush', '-e', 'RATE=2'];
    const others = ['--tag', 'build=1', '--tag', 'auth=hush', 'https://u:hush@h/x', 'influxdb=http://h/db?token=hush'];
    expect(maskArguments([...words, ...others], harmless)).toEqual([
      ...['-e', 'JWT=***', '-eJWT=***', '--env=JWT=***', '--env', 'JWT=***', '-e', 'RATE=2'],
      ...['--tag', 'build=1', '--tag', 'auth=***', 'https://***@h/x', 'influxdb=http://h/db?token=***'],
    ]);
  });

  it('options at any depth, and the variables of each scenario', () => {
    const options = {
      tlsAuth: [{ cert: 'c', key: 'hush' }],
      scenarios: { a: { env: { WORD: 'hush', RATE: '1' }, rate: 5, exec: 'session' } },
      x: null,
    };
    const masked = maskOptions(options, harmless);
    expect(JSON.stringify(masked)).not.toContain('hush');
    expect(masked).toMatchObject({ scenarios: { a: { env: { RATE: '1' }, rate: 5, exec: 'session' } }, x: null });
  });

  it('values in a text: told by the name, long ones of unknown names, passwords of URLs', () => {
    const env = {
      RATE: '50000000',
      LOGIN: 'hush',
      DEBUG: 'true',
      WORD: 'longer-than-chance',
      BASE_URL: 'http://u:p%40ss@h',
    };
    const values = secretValues(env, harmless, ['LOGIN']);
    expect(values).toEqual(['hush', 'longer-than-chance', 'p%40ss', 'p@ss']);
    expect(textMasker(values)('50000000 true hush p@ss http://x:y@h/ longer-than-chance')).toBe(
      '50000000 true *** *** http://***@h/ ***',
    );
    // Too short to be told from other text, and empty, which is everywhere.
    expect(textMasker(['abc', ''])('abc')).toBe('abc');
    expect(maskUrl('write to a@b.org about http://h/x')).toBe('write to a@b.org about http://h/x');
  });
});

describe('host and target', () => {
  it.each([
    [
      'version 2, a group inside a tighter one',
      {
        'proc/self/cgroup': '0::/system.slice/load.service\n',
        'sys/fs/cgroup/system.slice/memory.max': '2147483648\n',
        'sys/fs/cgroup/system.slice/load.service/memory.max': '4294967296\n',
        'sys/fs/cgroup/system.slice/load.service/cpu.max': '150000 100000\n',
      },
      { cpuCores: 1.5, memoryBytes: 2 ** 31 },
    ],
    [
      'version 2 in a container, which sees its own group as the root',
      {
        'proc/self/cgroup': '0::/docker/0123\n',
        'sys/fs/cgroup/memory.max': '536870912\n',
        'sys/fs/cgroup/cpu.max': 'max 100000\n',
      },
      { cpuCores: null, memoryBytes: 2 ** 29 },
    ],
    [
      'version 1, with version 2 beside it',
      {
        'proc/self/cgroup': '4:memory:/a/b\n2:cpu,cpuacct:/a\n1:name=systemd:/x\n0::/\n',
        'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
        'sys/fs/cgroup/memory/a/b/memory.limit_in_bytes': '1073741824\n',
        'sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us': '50000\n',
        'sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us': '100000\n',
      },
      { cpuCores: 0.5, memoryBytes: 2 ** 30 },
    ],
    [
      'version 1 without limits',
      {
        'proc/self/cgroup': '4:memory:/\n1:cpu:/\n',
        'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
        'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
        'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
      },
      { cpuCores: null, memoryBytes: null },
    ],
    ['a system without control groups', {}, { cpuCores: null, memoryBytes: null }],
  ])('limits of control groups: %s', (_, files, expected) => {
    const root = mkdtempSync(join(tmpdir(), 'cgroup-'));
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    expect(groupLimits(root)).toEqual(expected);
    rmSync(root, { recursive: true });
  });

  it('limits of a container', () => {
    expect(cpuLimit('150000 100000\n')).toBe(1.5);
    expect(cpuLimit('max 100000\n')).toBeNull();
    expect(cpuLimit(undefined)).toBeNull();
    expect(memoryLimit('536870912\n')).toBe(536_870_912);
    expect(memoryLimit('max\n')).toBeNull();
    expect(memoryLimit(undefined)).toBeNull();
  });

  it('this machine', () => {
    const { cores, memoryBytes, node } = hostFacts();
    expect(cores).toBeGreaterThan(0);
    expect(memoryBytes).toBeGreaterThan(1e8);
    expect(node).toBe(process.version);
  });

  it.each([
    ['http://127.0.0.1:8080/x', '127.0.0.1:8080', true, false],
    ['https://[::1]:8443', '[::1]:8443', true, true],
    ['http://127.1.2.3', '127.1.2.3', true, false],
    ['https://192.0.2.1', '192.0.2.1', false, true],
    ['http://no-such-host.invalid', 'no-such-host.invalid', null, false],
  ])('%s', async (url, host, sameHost, tls) => {
    expect(await targetFacts(url)).toEqual({ url, host, sameHost, tls });
  });

  it('what is no URL has no facts', async () => {
    expect(await targetFacts('nowhere')).toBeNull();
  });
});

describe('what k6 says', () => {
  it('options without those left unset, requirements apart', () => {
    const json = '{"vus":null,"rps":3,"maxVUs":2,"totalDuration":"33s"}';
    expect(readInspection(json)).toEqual({ options: { rps: 3 }, requirements: { maxVUs: 2, totalSeconds: 33 } });
  });

  it('thresholds: `ok: false` in one format is `true` in the other', () => {
    const summary = { metrics: { a: { values: {}, thresholds: { x: { ok: false }, y: { ok: true } } }, b: {} } };
    const exported = { metrics: { a: { avg: 1, thresholds: { x: true, y: false } } } };
    for (const format of [summary, exported]) expect(crossedThresholds(JSON.stringify(format))).toEqual(['a: x']);
    for (const text of ['', '[]', 'null', '{"metrics":[]}', '{"results":{}}'])
      expect(crossedThresholds(text)).toBeNull();
  });
});

describe('variables', () => {
  const known = ['RATE', 'DURATION', 'BASE_URL', 'SEED'];

  it.each([
    ['RATES', 'RATE'],
    ['RAET', 'RATE'],
    ['DURATON', 'DURATION'],
    ['base_url', 'BASE_URL'],
  ])('%s is refused with %s', (given, near) => {
    expect(() => unknownVariables([given], known)).toThrow(`did you mean ${near}?`);
  });

  it('names that resemble none are only reported', () => {
    expect(unknownVariables(['RATE', 'BUILD_NUMBER'], known)).toEqual(['BUILD_NUMBER']);
  });

  it('the manifest has what was given and what the suite or k6 reads of the environment', () => {
    const environment = { RATE: '1', SEED: '2', HOME: '/x', K6_RPS: '5' };
    expect(variablesInForce({ RATE: '9', X: '' }, known, environment)).toEqual({
      K6_RPS: '5',
      RATE: '9',
      SEED: '2',
      X: '',
    });
  });
});

describe('scripts', () => {
  const dist = mkdtempSync(join(tmpdir(), 'dist-'));
  for (const name of ['browse', 'bookstore-mix']) writeFileSync(join(dist, `${name}.js`), 'x');
  mkdirSync(join(dist, 'folder.js'));

  it('a bare name is a scenario, a path is a path', () => {
    expect(findScript('browse', [dist])).toEqual({ scenario: 'browse', file: join(dist, 'browse.js'), own: true });
    expect(findScript(join(dist, 'browse.js'), [dist])).toMatchObject({ scenario: 'browse', own: true });
    expect(findScript(join(dist, 'browse.js'), ['/elsewhere'])).toMatchObject({ own: false });
  });

  it('is taken from the first folder that has it', () => {
    const other = mkdtempSync(join(tmpdir(), 'dist-'));
    writeFileSync(join(other, 'browse.js'), 'y');
    expect(findScript('browse', [other, dist]).file).toBe(join(other, 'browse.js'));
    expect(findScript('bookstore-mix', [other, dist]).file).toBe(join(dist, 'bookstore-mix.js'));
    expect(() => findScript('quite-another', [other, dist])).toThrow('there are bookstore-mix, browse, folder');
  });

  it.each([
    ['bookstore-mx', /did you mean "bookstore-mix"\?/],
    ['quite-another', /there are bookstore-mix, browse/],
    ['./nowhere.js', /there is no such script/],
    [join(dist, 'folder.js'), /a folder/],
    ['-', /standard input/],
  ])('%s is refused', (asked, message) => {
    expect(() => findScript(asked, [dist])).toThrow(message);
  });

  it('the hash is SHA-256 (FIPS 180-4 example "abc")', () => {
    const file = join(dist, 'abc');
    writeFileSync(file, 'abc');
    const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(inputFile(file)).toEqual({ file, bytes: 3, sha256 });
  });
});

describe('the closing line about the generator', () => {
  const series = {
    intervalMs: 1000,
    source: 'proc' as const,
    timeMs: [1, 2],
    rssBytes: [5e6, 7e6],
    cpuCores: [0.1, 0.3],
  };
  const line = (machineCores: number[]) => generatorLine({ ...series, machineCores }, 2);

  it('has mean and maximum, and warns when the machine was busy', () => {
    expect(line([0.5, 1])).toBe(
      'generator: 0.20 CPU cores on average, 0.30 at most, 7 MB; its machine: 0.75 of 2 cores busy',
    );
    expect(line([1.8, 2])).toMatch(/1\.90 of 2 cores busy: too busy, the latencies contain waiting for a core$/);
  });

  it('says nothing when nothing was observed', () => {
    expect(
      generatorLine({ intervalMs: 1000, source: null, timeMs: [], rssBytes: [], cpuCores: [], machineCores: [] }, 2),
    ).toBeUndefined();
  });
});

describe('process usage', () => {
  it('reads /proc/<pid>/stat whatever the program is called', () => {
    const rest = 'S 1 2 3 4 5 6 7 8 9 10 250 50 20 5 20 0 1 0 100';
    // utime 250 + stime 50 + cutime 20 + cstime 5 ticks of 10 ms.
    expect(parseProcStat(`42 (a ) b) ${rest}`).cpuSeconds).toBeCloseTo(3.25, 12);
  });

  it.each([
    ['  0:01.25  2048\n', 1.25],
    ['00:01:05 2048', 65],
    ['1-02:03:04 2048', 93_784],
  ])('reads ps: %j', (text, cpuSeconds) => {
    expect(parsePs(text)).toEqual({ cpuSeconds, rssBytes: 2_097_152 });
  });

  it('what ps does not know is nothing', () => {
    expect(parsePs('')).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('agrees with what the process says of itself', () => {
    const { user, system } = process.cpuUsage();
    const usage = usageFromProc(process.pid);
    // Ticks are 10 ms; children that have ended count too, so it may be more.
    expect(usage?.cpuSeconds).toBeGreaterThanOrEqual((user + system) / 1e6 - 0.05);
    expect(usage?.rssBytes).toBeGreaterThan(10e6);
    expect(usageFromProc(2 ** 22 + 1)).toBeUndefined();
  });
});

it('rules of an endpoint whose name is like that of a secret stay what they are', () => {
  const options = {
    thresholds: {
      'checks{name:POST /session}': ['rate>0.98'],
      'http_req_duration{name:GET /oauth/token}': ['p(95)<200'],
    },
    hosts: { 'auth.test': '127.0.0.1' },
  };
  expect(maskOptions({ ...options, tags: { token: 'hunter2' } }, [])).toEqual({ ...options, tags: { token: '***' } });
});
