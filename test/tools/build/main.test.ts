import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type BuildSettings, buildSuite, sourcesOf } from '../../../tools/build/main.ts';
import { checkOutdir } from '../../../tools/build/outdir.ts';
import { GOOD_SUITE, writeSuite } from '../../support/suite-folder.ts';

const scratch = mkdtempSync(join(tmpdir(), 'build-main-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const SOURCES = sourcesOf('.');
/** Builds a small suite in a folder of its own. */
const settings = (name: string, rest: Partial<BuildSettings> = {}): BuildSettings => ({
  ...sourcesOf(writeSuite(join(scratch, name), GOOD_SUITE)),
  ...{ outdir: join(scratch, `${name}-out`), jslib: false, watch: false, metafile: false },
  ...rest,
});

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

  it('is none of another suite’s folders either', () => {
    const sources = sourcesOf(writeSuite(join(scratch, 'own'), GOOD_SUITE));
    for (const outdir of [sources.suite, join(sources.suite, 'scenarios'), join(sources.suite, 'data', 'x')])
      expect(() => checkOutdir(outdir, sources)).toThrow('which holds sources');
    const pools = { items: join(scratch, 'data', 'items.csv') };
    expect(() => checkOutdir(scratch, { ...sources, pools })).toThrow('which holds sources');
    expect(() => checkOutdir(join(sources.suite, 'dist'), sources)).not.toThrow();
  });

  it.runIf(process.platform === 'linux')('that cannot be made is said in a sentence', async () => {
    const build = buildSuite(settings('nowhere', { outdir: '/proc/nowhere/y' }));
    await expect(build).rejects.toThrow(/\/proc\/nowhere\/y\/data cannot be made \(.*\): name another --outdir/);
  });
});

describe('a build', () => {
  const built = settings('whole');
  const read = (name: string) => JSON.parse(readFileSync(join(built.outdir, 'data', `${name}.json`), 'utf8'));

  it('writes bundles, data and the facts of the suite with what its flows send', async () => {
    await buildSuite(built);
    expect(readdirSync(built.outdir).sort()).toEqual(['data', 'lib', 'shop.js']);
    expect(read('suite')).toMatchObject({
      schemaVersion: 1,
      popularPool: 'items',
      pools: { items: { from: 0, rows: 2, column: 'sku' } },
      flows: { workload: { look: { requests: { 'GET /items/{sku}': 1 }, thinks: ['a->b'], picks: { items: 1 } } } },
    });
  });
});

describe('a build that fails', () => {
  it('leaves what was there as it was, bundles and data', async () => {
    const broken = settings('broken');
    mkdirSync(broken.outdir);
    writeFileSync(join(broken.outdir, 'shop.js'), 'the last good one');
    writeFileSync(join(broken.thresholds, 'default.json'), '{');
    await expect(buildSuite(broken)).rejects.toThrow('default.json');
    expect(readFileSync(join(broken.outdir, 'shop.js'), 'utf8')).toBe('the last good one');
    expect(existsSync(join(broken.outdir, 'data'))).toBe(false);
  });

  it('names every load test that does not fit', async () => {
    const faulty = settings('faulty');
    writeFileSync(join(faulty.suite, 'scenarios', 'sale.ts'), GOOD_SUITE['scenarios/shop.ts'] as string);
    await expect(buildSuite(faulty)).rejects.toThrow('sale.ts: it calls itself "shop"');
    expect(existsSync(faulty.outdir)).toBe(false);
  });
});

describe('a build that watches', () => {
  it('builds again when objectives or a pool change', { timeout: 60_000 }, async () => {
    const watched = settings('watched', { watch: true });
    const { outdir, thresholds, suite } = watched;
    const read = (name: string) => JSON.parse(readFileSync(join(outdir, 'data', `${name}.json`), 'utf8')) as object;
    const stop = await buildSuite(watched);
    try {
      await vi.waitUntil(() => existsSync(join(outdir, 'shop.js')), { timeout: 30_000, interval: 100 });
      cpSync(join(thresholds, 'default.json'), join(thresholds, 'mine.json'));
      await vi.waitUntil(() => 'mine' in read('thresholds'), { timeout: 30_000, interval: 100 });
      writeFileSync(join(suite, 'data', 'items.csv'), 'sku\na\nb\nc\n');
      await vi.waitUntil(() => Object.values(read('rows'))[2] === 'c', { timeout: 30_000, interval: 100 });
      // The load tests are the same, and are counted again.
      const isNew = () => JSON.stringify(read('suite')).includes('"rows":3');
      await vi.waitUntil(isNew, { timeout: 30_000, interval: 100 });
      expect(read('suite')).toMatchObject({ flows: { workload: { look: {} } } });
    } finally {
      await stop();
    }
  });
});
