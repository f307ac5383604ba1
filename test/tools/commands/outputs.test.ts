/** Files beside what is printed: a refused one loses nothing, and only one that was asked for changes the exit code. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { analyseCommand } from '../../../tools/commands/analyse.ts';
import { compareCommand } from '../../../tools/commands/compare.ts';
import { mergeCommand } from '../../../tools/commands/merge.ts';
import { fixture, HEADER, made, requestRows } from '../verdict/support.ts';

afterEach(() => vi.restoreAllMocks());

const rows = Array.from({ length: 600 }, (_, i) => requestRows(1_795_982_260_000 + i * 20, 5 + (i % 40))).join('');
const samples = () => made('samples.csv', `${HEADER}\n${rows}`);

/** A results folder: samples and a manifest. */
function folder(): string {
  const path = dirname(samples());
  writeFileSync(join(path, 'manifest.json'), '{"runId": "r1"}');
  return path;
}

/** Runs a command in this process and gives what it said. */
async function said(command: () => Promise<number>) {
  const caught = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      caught[stream] += String(text);
      return true;
    });
  }
  const code = await command();
  vi.restoreAllMocks();
  return { code, ...caught };
}

const flags = { by: [] };

describe('analyse', () => {
  it('adds report and verdict to a results folder', async () => {
    const path = folder();
    const { code, stdout } = await said(() => analyseCommand([path], flags));
    expect(code).toBe(0);
    for (const name of ['report.html', 'verdict.json']) {
      expect(existsSync(join(path, name))).toBe(true);
      expect(stdout).toContain(`Written: ${join(path, name)}`);
    }
  });

  it.each(['samples.csv', 'summary.json'])('leaves the neighbourhood of %s in such a folder alone', async (name) => {
    const path = folder();
    if (name === 'summary.json')
      writeFileSync(
        join(path, name),
        JSON.stringify({
          metrics: { http_reqs: { type: 'counter', values: { count: 1, rate: 1 } } },
          root_group: {},
          bookstoreLoad: { target: { rateLimit: null } },
        }),
      );
    const { code, stdout } = await said(() => analyseCommand([join(path, name)], flags));
    expect([0, 3]).toContain(code);
    expect(stdout).toContain('Verdict on the test');
    expect(existsSync(join(path, 'report.html'))).toBe(false);
  });

  it('prints the analysis of a folder that takes no files, with a note and the same exit code', async () => {
    const path = folder();
    // What the system refuses to everybody, the administrator too: a folder of that name.
    for (const name of ['report.html', 'verdict.json']) mkdirSync(join(path, name));
    const { code, stdout, stderr } = await said(() => analyseCommand([path], flags));
    expect(code).toBe(0);
    expect(stdout).toContain('Verdict on the test');
    expect(stdout).not.toContain('Written');
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^Note: .*report\.html: cannot be written \(it is a folder/),
      expect.stringMatching(/^Note: .*verdict\.json: cannot be written \(it is a folder/),
    ]);
  });

  it.each([
    ['report', { report: 'FILE/x.html' }],
    ['markdown', { markdown: 'FILE/x.md' }],
    ['junit', { junit: 'FILE/x.xml' }],
  ])('ends with 2 after the analysis when --%s cannot be written', async (_, given) => {
    const path = samples();
    const asked = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value.replace('FILE', path)]));
    const { code, stdout, stderr } = await said(() => analyseCommand([path], { ...flags, ...asked, json: true }));
    expect(code).toBe(2);
    expect(JSON.parse(stdout).verdict.status).toBe('UNPROVEN');
    expect(stderr).toMatch(/^bookstore-load: [^\n]*cannot be written \([^\n]*\n$/);
  });

  it('ends with 2 after the analysis when --parquet cannot be written', async () => {
    const path = samples();
    mkdirSync(path.replace('.csv', '.parquet'));
    const { code, stdout, stderr } = await said(() => analyseCommand([path], { ...flags, parquet: true }));
    expect([code, stdout.includes('Verdict on the test')]).toEqual([2, true]);
    expect(stderr).toMatch(/^bookstore-load: [^\n]*samples\.parquet: cannot be written \(it is a folder[^\n]*\n$/);
  });
});

it('compare makes missing folders for --report, and a refused one is never a regression', async () => {
  const path = samples();
  const options = { a: [], b: [], minMs: '1', minPercent: '5', change: '10' };
  const report = join(dirname(path), 'new', 'x.html');
  expect((await said(() => compareCommand(path, path, { ...options, report }))).code).toBe(0);
  expect(existsSync(report)).toBe(true);
  const refused = await said(() => compareCommand(path, path, { ...options, report: join(path, 'x.html') }));
  expect(refused.code).toBe(2);
  expect(refused.stdout).toContain('No regression shown');
  expect(refused.stderr).toMatch(/cannot be written/);
});

it('merge prints what it found when --out cannot be written', async () => {
  const workers = [fixture('w1.csv.gz'), fixture('w2.csv.gz')];
  const { code, stdout, stderr } = await said(() => mergeCommand(workers, { out: join(samples(), 'x.parquet') }));
  expect(code).toBe(2);
  expect(stdout).toContain('2 workers');
  expect(stderr).toMatch(/x\.parquet: cannot be written/);
});
