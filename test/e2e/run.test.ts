/** `run` with the real k6: what the stand-in cannot show. */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../tools/results/manifest.ts';
import { analyse } from '../../tools/verdict/analyse.ts';
import { cli, startCli } from '../support/cli.ts';
import { startFakeBookstore } from '../support/fake-bookstore.ts';
import { K6 } from '../support/k6.ts';

const SCRIPT = `
import { Counter } from 'k6/metrics';
import { sleep } from 'k6';
const steps = new Counter('steps');
export const options = {
  scenarios: { only: { executor: 'constant-arrival-rate', rate: 20, timeUnit: '1s', duration: __ENV.LENGTH || '2s', preAllocatedVUs: 2 } },
  tags: { release: '7' },
  thresholds: { 'steps{release:7}': ['count>' + (__ENV.LEAST || 0)] },
};
export default function () { steps.add(1); }
`;

function workplace(): string {
  const cwd = mkdtempSync(join(tmpdir(), 'run-k6-'));
  writeFileSync(join(cwd, 'only.js'), SCRIPT);
  return cwd;
}

function onlyRun(cwd: string): string {
  const [run, ...more] = readdirSync(join(cwd, 'results'));
  expect(more).toEqual([]);
  return join(cwd, 'results', run as string);
}

/** Rows of samples.csv of one metric. */
function rows(folder: string, metric: string): Record<string, string>[] {
  const text = readFileSync(join(folder, 'samples.csv'), 'utf8');
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  return data.filter((row) => row['metric_name'] === metric);
}

describe.skipIf(K6 === undefined)('run with k6', () => {
  it("a tag of the command line leaves the script's tags, so its thresholds still see samples", async () => {
    const cwd = workplace();
    const before = Date.now();
    const { code } = await cli(['run', 'only.js', '-q', '--tag', 'build=1', '-e', 'API_TOKEN=hush'], { cwd });
    expect(code).toBe(0);
    const folder = onlyRun(cwd);
    const steps = rows(folder, 'steps');
    // 20/s for 2 s, and the tick at the end when it still falls inside.
    expect(steps.length).toBeGreaterThanOrEqual(40);
    expect(steps.length).toBeLessThanOrEqual(41);
    for (const row of steps) {
      expect(row['extra_tags']?.split('&').sort()).toEqual(['build=1', 'release=7']);
      // Milliseconds, not the seconds that k6 writes by default.
      expect(Number(row['timestamp'])).toBeGreaterThanOrEqual(before - 1000);
    }
    const manifest = readManifest(folder);
    expect(manifest.options).toMatchObject({ tags: { release: '7' }, scenarios: { only: { rate: 20 } } });
    // The plan of the only scenario: 2 VUs, 2 s and k6's 30 s of graceful stop.
    expect(manifest.requirements).toEqual({ maxVUs: 2, totalSeconds: 32 });
    expect(readFileSync(join(folder, 'manifest.json'), 'utf8')).not.toContain('hush');
    expect(manifest.outcome?.thresholdsCrossed).toEqual([]);
  });

  it('99 for a crossed threshold, which is named from the export of a script without a summary of its own', async () => {
    const cwd = workplace();
    const { code, stderr } = await cli(['run', 'only.js', '-q', '-e', 'LEAST=1000'], { cwd });
    expect(code).toBe(99);
    expect(stderr).toContain('exit code 99: a threshold was crossed');
    expect(readManifest(onlyRun(cwd)).outcome?.thresholdsCrossed).toEqual(['steps{release:7}: count>1000']);
  });

  it('options after -- are the ones that the manifest shows', async () => {
    const cwd = workplace();
    const { code } = await cli(['run', 'only.js', '-q', '--no-samples', '--', '--vus', '3', '--iterations', '6'], {
      cwd,
    });
    const { options, requirements } = readManifest(onlyRun(cwd));
    expect(options?.['scenarios']).toMatchObject({ default: { executor: 'shared-iterations', vus: 3, iterations: 6 } });
    expect(requirements?.maxVUs).toBe(3);
    expect(code).toBe(0);
  });

  it.each([
    ['104 for a refused option', ['-e', 'LENGTH=soon'], 104],
    ['255 for an unknown output', ['--out', 'nonsense'], 255],
  ])('%s', async (_, args, expected) => {
    const { code, stderr } = await cli(['run', 'only.js', ...args], { cwd: workplace() });
    expect(code).toBe(expected);
    expect(stderr).toContain(`exit code ${expected}:`);
  });

  it('a killed k6 leaves its samples', async () => {
    const cwd = workplace();
    const { end } = startCli(['run', 'only.js', '-q', '-e', 'LENGTH=30s'], { cwd });
    let pid: number | null = null;
    while (pid === null) {
      await new Promise((done) => setTimeout(done, 50));
      try {
        pid = readManifest(onlyRun(cwd)).engine.pid;
      } catch {
        // Not written yet.
      }
    }
    while (rowsSoFar(cwd) < 10) await new Promise((done) => setTimeout(done, 100));
    process.kill(pid, 'SIGKILL');
    expect((await end).code).toBe(137);
    expect(rows(onlyRun(cwd), 'steps').length).toBeGreaterThanOrEqual(10);
    expect(readManifest(onlyRun(cwd)).outcome).toMatchObject({ signal: 'SIGKILL', thresholdsCrossed: null });
  });

  it('the log is kept beside the samples, shown, and judged: an option that k6 ignored makes the test invalid', async () => {
    const cwd = workplace();
    writeFileSync(join(cwd, 'only.js'), SCRIPT.replace('thresholds:', 'treshold:'));
    const { code, stderr } = await cli(['run', 'only.js', '-q'], { cwd });
    expect(code).toBe(0);
    const log = readFileSync(join(onlyRun(cwd), 'k6.log'), 'utf8');
    expect(log).toContain('treshold');
    expect(stderr).toBe(`${log}results: ${relative(cwd, onlyRun(cwd))}\n`);
    const { verdict } = await analyse({ paths: [onlyRun(cwd)] });
    const ignored = verdict.reasons.find(({ rule }) => rule === 'options-ignored');
    expect(ignored?.message).toContain('treshold');
  });

  it('a healthy run leaves an empty log, which is judged too', async () => {
    const cwd = workplace();
    await cli(['run', 'only.js', '-q'], { cwd });
    const { verdict } = await analyse({ paths: [onlyRun(cwd)] });
    expect(verdict.notJudged.map(({ rule }) => rule)).not.toContain('options-ignored');
  });

  it("the suite's own summary and JUnit file land in the run's folder, with the files that shaped the run", async () => {
    const target = await startFakeBookstore();
    const cwd = workplace();
    const args = ['run', 'browse', '-q', '-e', `BASE_URL=${target.url}`, '-e', 'DURATION=3s', '-e', 'THINK=0'];
    const { code, stderr } = await cli(args, { cwd });
    await target.close();
    expect([0, 99], stderr).toContain(code);
    const folder = onlyRun(cwd);
    expect(readdirSync(folder).sort()).toEqual(['junit.xml', 'k6.log', 'manifest.json', 'samples.csv', 'summary.json']);
    const summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as Record<string, unknown>;
    expect(summary).toHaveProperty('bookstoreLoad.scenario', 'browse');
    const { inputs, target: facts } = readManifest(folder);
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(['lifecycle', 'rows', 'thresholds', 'workload']));
    expect(facts).toMatchObject({ sameHost: true, tls: false });
  });
});

function rowsSoFar(cwd: string): number {
  try {
    return rows(onlyRun(cwd), 'steps').length;
  } catch {
    return 0;
  }
}
