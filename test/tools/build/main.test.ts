import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { BUILD_DEFAULTS, buildScenarios } from '../../../tools/build/main.ts';
import { checkOutdir } from '../../../tools/build/outdir.ts';
import { SOURCES } from '../../../tools/build/prepare.ts';

const scratch = mkdtempSync(join(tmpdir(), 'build-main-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe('the folder of a build', () => {
  it.each(['.', './', 'lib', 'data', 'tools/build', join('test', '..'), 'node_modules/x'])('is not %s', (outdir) => {
    expect(() => checkOutdir(outdir, SOURCES)).toThrow(/--outdir .*which holds sources/);
  });

  it('is not empty, not a link to sources, and not where the given sources lie', () => {
    expect(() => checkOutdir('', SOURCES)).toThrow('--outdir is empty');
    symlinkSync(process.cwd(), join(scratch, 'link'));
    expect(() => checkOutdir(join(scratch, 'link'), SOURCES)).toThrow('which holds sources');
    const workload = join(scratch, 'data', 'workload.json');
    expect(() => checkOutdir(scratch, { ...SOURCES, workload })).toThrow('which holds sources');
    for (const outdir of ['dist', 'dist/jslib', join(scratch, 'out'), '../elsewhere'])
      expect(() => checkOutdir(outdir, SOURCES)).not.toThrow();
  });

  it.runIf(process.platform === 'linux')('that cannot be made is said in a sentence', async () => {
    const build = buildScenarios({ ...BUILD_DEFAULTS, outdir: '/proc/nowhere/y' });
    await expect(build).rejects.toThrow(/\/proc\/nowhere\/y\/data cannot be made \(.*\): name another --outdir/);
  });
});

describe('a build that fails', () => {
  it('leaves what was there as it was, bundles and data', async () => {
    const thresholds = join(scratch, 'thresholds');
    cpSync('thresholds', thresholds, { recursive: true });
    const outdir = join(scratch, 'out');
    mkdirSync(outdir);
    writeFileSync(join(outdir, 'browse.js'), 'the last good one');
    writeFileSync(join(thresholds, 'default.json'), '{');
    await expect(buildScenarios({ ...BUILD_DEFAULTS, thresholds, outdir })).rejects.toThrow('default.json');
    expect(readFileSync(join(outdir, 'browse.js'), 'utf8')).toBe('the last good one');
    expect(existsSync(join(outdir, 'data'))).toBe(false);
  });
});

describe('a build that watches', () => {
  it('builds again when objectives or the catalogue change', { timeout: 60_000 }, async () => {
    const thresholds = join(scratch, 'watched');
    cpSync('thresholds', thresholds, { recursive: true });
    const books = join(scratch, 'books.csv');
    writeFileSync(books, 'isbn,category\n9790000000001,a\n');
    const outdir = join(scratch, 'watch-out');
    const read = (name: string) => JSON.parse(readFileSync(join(outdir, 'data', `${name}.json`), 'utf8')) as object;
    const stop = await buildScenarios({ ...BUILD_DEFAULTS, thresholds, books, outdir, watch: true });
    try {
      await vi.waitUntil(() => existsSync(join(outdir, 'browse.js')), { timeout: 30_000, interval: 100 });
      cpSync(join(thresholds, 'smoke.json'), join(thresholds, 'mine.json'));
      await vi.waitUntil(() => 'mine' in read('thresholds'), { timeout: 30_000, interval: 100 });
      writeFileSync(books, 'isbn,category\n9790000000001,a\n9790000000018,b\n');
      await vi.waitUntil(() => Object.values(read('rows'))[0] === '2', { timeout: 30_000, interval: 100 });
    } finally {
      await stop();
    }
  });
});
