/** `run --workers`: several processes are one run, and one that is not whole is refused by name. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../tools/results/manifest.ts';
import { analyse } from '../../tools/verdict/analyse.ts';
import { merge } from '../../tools/verdict/merge/merge.ts';
import { cli, startCli } from '../support/cli.ts';
import { startFakeBookstore } from '../support/fake-bookstore.ts';
import { K6 } from '../support/k6.ts';
import { stubK6 } from '../support/stub-k6.ts';

const ENGINES = [
  ['embedded', 2],
  ['k6', 4],
] as const;

function workplace(): string {
  return mkdtempSync(join(tmpdir(), 'workers-'));
}

function only(cwd: string): string {
  const [folder, ...more] = readdirSync(join(cwd, 'results'));
  expect(more).toEqual([]);
  return join(cwd, 'results', folder as string);
}

/** Durations of the measured phase by endpoint, from the files themselves. */
function durations(folders: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const folder of folders) {
    const text = readFileSync(join(folder, 'samples.csv'), 'utf8');
    for (const row of Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data) {
      if (row['metric_name'] !== 'http_req_duration' || !row['extra_tags']?.includes('phase=measure')) continue;
      const name = row['name'] ?? '';
      found.set(name, [...(found.get(name) ?? []), Number(row['metric_value'])]);
    }
  }
  return found;
}

/** Linear interpolation at p (n - 1), written out: k6's own definition. */
function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = p * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return low + (high - low) * (at - Math.floor(at));
}

interface Union {
  readonly populations: {
    endpoint: string;
    phase: string;
    n: number;
    latency: { quantiles: { p: number; value: number }[] };
  }[];
  readonly iterations: { finished: number; dropped: number };
  readonly merge: { workers: { worker: string; requests: number }[]; commonWindow: { seconds: number } };
}

const counts = (populations: Union['populations']) =>
  populations.filter((one) => one.phase === 'measure').map(({ endpoint, n }) => [endpoint, n]);

describe.each(ENGINES)('with %s', (engine, n) => {
  it.skipIf(engine === 'k6' && K6 === undefined)(
    'workers send what one process sends with the same seed, and their percentiles are those of all samples',
    async () => {
      const target = await startFakeBookstore();
      const words = ['run', 'browse', '-q', '--engine', engine, '-e', `BASE_URL=${target.url}`];
      const load = [
        '-e',
        'DURATION=2s',
        '-e',
        'RATE=20',
        '-e',
        'THINK=0.02',
        '-e',
        'SEED=5',
        '-e',
        'PREALLOCATED_VUS=40',
      ];
      /** How often each path was asked for since the request with this number. */
      const askedSince = (from: number): Map<string, number> => {
        const times = new Map<string, number>();
        for (const { path } of target.seen.slice(from)) times.set(path, (times.get(path) ?? 0) + 1);
        return times;
      };
      try {
        const together = workplace();
        const { code, stdout, stderr } = await cli([...words, ...load, '--workers', `${n}`, '--json'], {
          cwd: together,
        });
        expect([0, 99], stderr).toContain(code);
        const document = JSON.parse(stdout) as { workers: { exitCode: number }[]; union: Union };
        const byWorkers = askedSince(0);
        const before = target.seen.length;
        const alone = workplace();
        await cli([...words, ...load], { cwd: alone });
        const byOne = askedSince(before);
        const more = [...new Set([...byWorkers.keys(), ...byOne.keys()])]
          .map((path) => (byWorkers.get(path) ?? 0) - (byOne.get(path) ?? 0))
          .filter((difference) => difference !== 0);
        // The same requests to the last book, but that each process asks for the status and three books before it begins.
        expect(more).toEqual([n - 1, n - 1, n - 1, n - 1]);
        const { facts } = await analyse({ paths: [only(alone)] });
        const { union } = document;
        expect(counts(union.populations)).toEqual(counts(facts.populations as unknown as Union['populations']));
        expect(union.iterations).toEqual({ finished: 40, dropped: 0 });
        expect(facts.iterations).toEqual(union.iterations);
        expect(union.merge.workers.map(({ worker }) => worker).sort()).toEqual(
          Array.from({ length: n }, (_, k) => `${k + 1}`),
        );
        expect(union.merge.commonWindow.seconds).toBeGreaterThan(0.5);
        const folders = Array.from({ length: n }, (_, k) => join(only(together), `worker-${k + 1}`));
        for (const [endpoint, values] of durations(folders)) {
          const population = union.populations.find((one) => one.endpoint === endpoint && one.phase === 'measure');
          expect(population?.n).toBe(values.length);
          for (const { p, value } of population?.latency.quantiles ?? []) {
            expect(value, `${endpoint} ${p}`).toBeCloseTo(quantile(values, p), 9);
          }
        }
        await refusals(only(together), n);
      } finally {
        await target.close();
      }
    },
    90_000,
  );
});

/** What does not add up to one run is refused, and the worker that does not fit is named. */
async function refusals(parent: string, n: number): Promise<void> {
  const worker = (k: number) => join(parent, `worker-${k}`);
  const all = Array.from({ length: n }, (_, k) => worker(k + 1));
  /** A copy of the last worker with another manifest in the place of the worker itself. */
  const changed = (change: (manifest: Record<string, unknown>) => void): string[] => {
    const copy = join(mkdtempSync(join(tmpdir(), 'worker-')), 'odd-one');
    cpSync(worker(n), copy, { recursive: true });
    const manifest = readManifest(copy) as unknown as Record<string, unknown>;
    change(manifest);
    writeFileSync(join(copy, 'manifest.json'), JSON.stringify(manifest));
    return [...all.slice(0, -1), copy];
  };
  const refused = (paths: readonly string[]) => expect(merge(paths, {})).rejects;
  await refused([...all, worker(1)]).toThrow(/worker-1\S* and \S*worker-1\S* hold the same samples/);
  await refused(all.slice(0, -1).length < 2 ? [worker(1), worker(1)] : all.slice(0, -1)).toThrow(
    n === 2 ? /hold the same samples/ : /No worker ran the segment from 3\/4 to 1/,
  );
  await refused(changed((manifest) => Object.assign(manifest, { seed: '6' }))).toThrow(
    /odd-one\S* ran with another seed \(6\)/,
  );
  await refused(
    changed((manifest) => Object.assign(manifest, { outcome: { ...(manifest['outcome'] as object), exitCode: 137 } })),
  ).toThrow(/odd-one\S* did not run to its end \(exit code 137\)/);
  await refused(
    changed((manifest) =>
      Object.assign(manifest, {
        status: 'running',
        outcome: null,
        // No process has this number: it is above every system's highest.
        tool: { ...(manifest['tool'] as object), pid: 2 ** 30 },
      }),
    ),
  ).toThrow(/odd-one\S* was killed/);
}

describe.skipIf(K6 === undefined)('a worker that is killed', () => {
  it('ends the others, is named, and gives the exit code', async () => {
    const target = await startFakeBookstore();
    const cwd = workplace();
    const words = ['run', 'browse', '-e', `BASE_URL=${target.url}`, '-e', 'DURATION=40s', '-e', 'THINK=0'];
    const { end } = startCli([...words, '--workers', '2'], { cwd });
    // The pre-flight is over: both run.
    while (target.seen.length < 20) await new Promise((done) => setTimeout(done, 50));
    const { pid } = readManifest(join(only(cwd), 'worker-2')).engine;
    if (pid === null) throw new Error('worker-2 has no process');
    await new Promise((done) => setTimeout(done, 1500));
    process.kill(pid, 'SIGKILL');
    const { code, stderr } = await end;
    await target.close();
    expect(code).toBe(137);
    expect(stderr).toContain('worker-2 ended with exit code 137; the other workers are stopped');
    expect(stderr).toMatch(/merge refused: .*worker-2\S* did not run to its end \(exit code 137\)/);
    expect(readManifest(join(only(cwd), 'worker-1')).outcome?.exitCode).toBe(105);
  }, 60_000);
});

describe('signals and options', () => {
  it('Ctrl-C reaches every worker once', async () => {
    const stub = stubK6({ signals: 1 });
    const cwd = workplace();
    writeFileSync(join(cwd, 'my-test.js'), 'export default function () {}\n');
    const { child, end } = startCli(['run', 'my-test.js', '--workers', '3'], { cwd, env: { K6_BIN: stub.path } });
    const ready = () => {
      try {
        return readFileSync(join(stub.folder, 'ready'), 'utf8').trim().split('\n').length;
      } catch {
        return 0;
      }
    };
    while (ready() < 3) await new Promise((done) => setTimeout(done, 25));
    child.kill('SIGINT');
    const { code, stderr } = await end;
    expect(code, stderr).toBe(105);
    expect(stub.signals()).toEqual(['SIGINT', 'SIGINT', 'SIGINT']);
    expect(stderr).not.toContain('the other workers are stopped');
    const segments = stub
      .calls()
      .filter(([command]) => command === 'run')
      .map((argv) => argv[argv.indexOf('--execution-segment') + 1]);
    expect(segments.sort()).toEqual(['0:1/3', '1/3:2/3', '2/3:1']);
  }, 60_000);

  it.each([
    [['--no-samples'], /--no-samples: percentiles of workers cannot be combined/],
    [['-e', 'SUMMARY_JSON=x.json'], /SUMMARY_JSON: each worker writes its own/],
    [['--', '--execution-segment', '0:1/2'], /--execution-segment: --workers sets it itself/],
    [['--', '--paused'], /--paused: --workers sets it itself/],
  ])('%j is refused before any load', async (more, sentence) => {
    const stub = stubK6();
    const cwd = workplace();
    writeFileSync(join(cwd, 'my-test.js'), 'export default function () {}\n');
    const { code, stderr } = await cli(['run', 'my-test.js', '--workers', '2', ...more], {
      cwd,
      env: { K6_BIN: stub.path },
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
    expect(stub.calls().some(([command]) => command === 'run')).toBe(false);
  });
});
