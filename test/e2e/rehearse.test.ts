/** `rehearse --results` as users call it: a real run's folder, the same for the same seed, marked as what it is. */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../tools/results/manifest.ts';
import { type CliResult, cli } from '../support/cli.ts';

const root = mkdtempSync(join(tmpdir(), 'rehearse-cli-'));
const folder = join(root, 'run');
const first = join(root, 'first');
const STAMPS = /^"(startedAt|updatedAt|endedAt)": .*\n/gm;

describe('rehearse --results', { timeout: 120_000 }, () => {
  let results: CliResult[];
  beforeAll(async () => {
    const args = ['rehearse', 'bookstore-mix', '--duration', '20s', '--rate', '10', '--seed', '4', '--results', folder];
    const before = await cli(args);
    renameSync(folder, first);
    results = [before, await cli(args)];
  }, 120_000);
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('writes the same bytes for the same seed, but for the stamps of the wall clock', () => {
    expect(results[0]?.stdout).toBe(results[1]?.stdout);
    expect(readdirSync(folder).sort()).toEqual(readdirSync(first).sort());
    for (const name of readdirSync(folder)) {
      const [a, b] = [first, folder].map((at) => readFileSync(join(at, name), 'utf8').replace(STAMPS, ''));
      expect(a, name).toBe(b);
    }
  });

  it("leaves a run's files, the manifest whole and marked", () => {
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining(['junit.xml', 'manifest.json', 'samples.csv', 'summary.json']),
    );
    const manifest = readManifest(folder);
    expect(manifest.engine.name).toBe('rehearsal');
    expect(manifest.seed).toBe('4');
    expect(manifest.status).toBe('complete');
    expect(manifest.outcome?.exitCode).toBe(results[1]?.code);
    expect(manifest.requirements?.totalSeconds).toBeGreaterThanOrEqual(20);
    expect(Object.keys(manifest.inputs)).toContain('workload');
    expect(manifest.env['RATE']).toBe('10');
    const summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as Record<string, unknown>;
    expect(summary['engine']).toBe('rehearsal');
    expect(summary).toHaveProperty('bookstoreLoad');
    expect(summary).toHaveProperty(['rehearsal', 'sessions', 'finished'], 200);
  });

  it('keeps no megabytes of stages', () => {
    expect(readFileSync(join(folder, 'manifest.json')).length).toBeLessThan(60_000);
  });
});
