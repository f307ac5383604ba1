import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BUNDLE_BUDGET,
  bundleOptions,
  JSLIB_SUMMARY,
  overBudget,
  type Uses,
  writeBundles,
} from '../../../tools/build/bundles.ts';
import { buildSuite, sourcesOf } from '../../../tools/build/main.ts';
import { scanBundle } from '../../../tools/build/scan.ts';
import { definition, GOOD_SUITE, ITEMS, loadTest, WORKLOAD, writeSuite } from '../../support/suite-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOTHING: Uses = { redirects: false, rowsOnce: false, cdnShare: false, noCookies: false };
const read = (...names: string[]) => readFileSync(join(folder, ...names), 'utf8');

describe('bundles', () => {
  const suite = join(folder, 'suite');
  const settings = {
    loadTests: [join(suite, 'scenarios', 'shop.ts'), join(suite, 'scenarios', 'sale.ts')],
    definition: join(suite, 'suite.ts'),
    uses: NOTHING,
    outdir: folder,
    jslib: false,
  };
  beforeAll(() => void writeSuite(suite, { ...GOOD_SUITE, 'scenarios/sale.ts': loadTest('sale') }));

  it('are within the budget, clean, without help texts, and keep only k6 outside', async () => {
    const result = await build(bundleOptions(settings));
    if (!result.metafile) throw new Error('no metafile');
    writeBundles(result);
    expect(overBudget(result.metafile)).toEqual([]);
    for (const name of ['shop.js', 'sale.js']) {
      const code = read(name);
      expect(scanBundle(code)).toEqual([]);
      const imports = [...code.matchAll(/from\s*"([^"]+)"/g)].map((match) => match[1]);
      expect(imports.length).toBeGreaterThan(2);
      for (const one of imports) expect(one).toMatch(/^k6(\/\w+)?$/);
    }
  });

  it('stand beside one file with the life cycle and the definition, which no virtual user reads', () => {
    const lifecycle = read('lib', 'lifecycle.js');
    expect(scanBundle(lifecycle)).toEqual([]);
    expect(lifecycle).not.toContain('Origin of the system under test');
    // Statements, since it is read as text.
    const { start, suite: defined } = new Function(`${lifecycle};return lifecycle`)();
    expect(start).toBeTypeOf('function');
    expect(defined.pools).toEqual({ items: { file: 'items.csv', columns: { sku: 'text' }, law: 'workload' } });
    expect(read('shop.js')).not.toContain('items.csv');
  });

  it('over the budget are named', () => {
    const output = { bytes: BUNDLE_BUDGET + 1, inputs: {}, imports: [], exports: [] };
    expect(
      overBudget({ inputs: {}, outputs: { 'dist/x.js': output, 'dist/y.js': { ...output, bytes: BUNDLE_BUDGET } } }),
    ).toEqual([expect.stringContaining(`dist/x.js has ${BUNDLE_BUDGET + 1} bytes`)]);
  });

  it('of the jslib variant import the published summary by URL', async () => {
    writeBundles(await build(bundleOptions({ ...settings, outdir: join(folder, 'jslib'), jslib: true })));
    expect(read('jslib', 'shop.js')).toContain(`from"${JSLIB_SUMMARY}"`);
  });
});

describe('code of what a suite does not use', () => {
  /** The bundle of a suite that differs from the plain one in these files. */
  async function bundleOf(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const suite = writeSuite(join(folder, name), { ...GOOD_SUITE, ...files });
    const outdir = join(folder, `${name}-out`);
    await buildSuite({ ...sourcesOf(suite), outdir, jslib: false, watch: false, metafile: false });
    return readFileSync(join(outdir, 'shop.js'), 'utf8');
  }
  let plain = '';
  beforeAll(async () => {
    plain = await bundleOf('plain', {});
  });

  // Each text is one that only the code in question holds.
  it.each([
    ['redirects', 'Location', { 'suite.ts': definition(ITEMS, "item: { request: 'GET /items/{sku}', redirects: 2 }") }],
    ['no cookies', 'CookieJar', { 'suite.ts': definition(`${ITEMS} cookies: 'off',`) }],
    ['a CDN share', 'cacheable', { 'data/workload.json': WORKLOAD.replace('"cdnShare":0', '"cdnShare":0.5') }],
  ])('is not there: %s', async (name, text, files) => {
    expect(plain).not.toContain(text);
    expect(await bundleOf(name.replace(/ /g, '-'), files as unknown as Record<string, string>)).toContain(text);
  });

  it('is the counter of used-up rows, which only virtual user 0 makes then', async () => {
    const once = await bundleOf('once', { 'suite.ts': definition(ITEMS.replace("'workload'", "'once'")) });
    expect(plain).toMatch(/POPULARITY/);
    expect(once).not.toMatch(/POPULARITY/);
    const environment = { 'environments/rows.json': '{ "POPULARITY": "once" }' };
    expect(await bundleOf('environment', environment)).not.toMatch(/POPULARITY/);
  });
});
