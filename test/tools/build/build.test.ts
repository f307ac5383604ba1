import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { BUNDLE_BUDGET, bundleOptions, JSLIB_SUMMARY, overBudget, writeBundles } from '../../../tools/build/bundles.ts';
import { readData, SOURCES, writeData } from '../../../tools/build/prepare.ts';
import { scanBundle } from '../../../tools/build/scan.ts';

const out = mkdtempSync(join(tmpdir(), 'build-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

describe('the scan of a bundle', () => {
  it.each([
    ['new URL("x")', 'the global URL'],
    ['a(structuredClone(b))', 'the global structuredClone'],
    [`\`$\{process.env.X}\``, 'the global process'],
    ['x=/\\p{L}/u', '\\p{...} compiles but never matches'],
    ['f(/a/d)', 'the flags d and v are refused'],
    ['(5).toLocaleString("en-US")', 'toLocaleString'],
    ['await import("x")', 'dynamic import'],
    ['for await(const x of y);', 'for await'],
    ['Object.groupBy(a,b)', 'Object.groupBy'],
    ['const u=a?URL:0;new u("x")', 'the global URL'],
    ['globalThis.fetch("x")', 'the global fetch'],
    ['globalThis?.fetch?.("x")', 'the global fetch'],
    ['globalThis["process"]', 'the global process'],
    ['const g=globalThis,n="pro"+"cess";g[n]', 'the global process'],
    ['const{fetch:f}=globalThis', 'the global fetch'],
    ['x={fetch}', 'the global fetch'],
    ['Function("return process")()', 'the global process'],
    ['new Function("a","return structuredClone(a)")', 'the global structuredClone'],
    ['eval("new URL(x)")', 'the global URL'],
    ['a.map(Iterator.from)', 'the global Iterator'],
    ['f(Set.prototype.union)', 'the method union'],
    ['new Set(a).isSubsetOf(b)', 'the method isSubsetOf'],
    ['m.values().map(f)', 'the method map of an iterator'],
    ['const i=m.entries();i.take(2)', 'the method take of an iterator'],
    ['function*g(){yield 1}g().filter(f)', 'the method filter of an iterator'],
    ['text.matchAll(r).map(f)', 'the method map of an iterator'],
    ['const{groupBy:g}=Object;g(a,b)', 'Object.groupBy'],
    ['new RegExp("\\\\p{L}","u")', '\\p{...} compiles but never matches'],
    ['RegExp(`\\\\p{Lu}`,"u")', '\\p{...} compiles but never matches'],
    ['const p="\\\\p{L}+";new RegExp("^"+p,"u")', '\\p{...} compiles but never matches'],
    ['RegExp(a,"v")', 'the flags d and v are refused'],
    ['async function*g(){}', 'async generator'],
    ['(n).toLocaleString(l)', 'toLocaleString'],
    ['import a from "./a.json" with {type:"json"}', 'import attributes'],
    ['a=(', 'cannot be read'],
    ['//# sourceMappingURL=data:application/json;base64,e30=', 'inline source map'],
  ])('finds what k6 lacks in %s', (code, what) => {
    expect(scanBundle(code).join()).toContain(what);
  });

  it.each([
    'x.URL(1)',
    'const o={URL:1}',
    '"new URL(1)"',
    "'process'",
    '`process`',
    '// process',
    '/* fetch(1) */',
    'typeof process',
    'a/b/process_d',
    'x=/process/g',
    'a=b/2;c=d/v',
    'BASE_URL',
    'function f(URL){return new URL(1)}',
    'class A{fetch(){}}new A().fetch()',
    'typeof globalThis.fetch',
    'setTimeout(f,1)',
    'x=/(?<=a)b/',
    'Object.values(o).map(f)',
    '[...m.values()].map(f)',
    'const s={union(){}};s.union()',
    'a.difference>b.difference',
    'n.toLocaleString()',
    'new Function("return "+open("./x"))()',
    'x.then(a).at(-1).with(0,1)',
  ])('leaves %s alone', (code) => expect(scanBundle(code)).toEqual([]));
});

describe('bundles', () => {
  const scenarios = ['scenarios/bookstore-mix.ts', 'scenarios/ramp.ts'];

  it('are within the budget, clean, without help texts, and keep only k6 outside', async () => {
    const result = await build({ ...bundleOptions({ scenarios, outdir: out, jslib: false }) });
    if (!result.metafile) throw new Error('no metafile');
    writeBundles(result);
    expect(overBudget(result.metafile)).toEqual([]);
    for (const name of ['bookstore-mix', 'ramp']) {
      const code = readFileSync(join(out, `${name}.js`), 'utf8');
      expect(scanBundle(code)).toEqual([]);
      const imports = [...code.matchAll(/from\s*"([^"]+)"/g)].map((match) => match[1]);
      for (const one of imports) expect(one).toMatch(/^k6(\/\w+)?$/);
    }
    const lifecycle = readFileSync(join(out, 'lib', 'lifecycle.js'), 'utf8');
    expect(scanBundle(lifecycle)).toEqual([]);
    expect(lifecycle).not.toContain('Origin of the system under test');
    expect(Object.keys(new Function(`return ${lifecycle}`)())).toContain('createSuite');
  });

  it('over the budget are named', () => {
    const output = { bytes: BUNDLE_BUDGET + 1, inputs: {}, imports: [], exports: [] };
    expect(
      overBudget({ inputs: {}, outputs: { 'dist/x.js': output, 'dist/y.js': { ...output, bytes: BUNDLE_BUDGET } } }),
    ).toEqual([expect.stringContaining(`dist/x.js has ${BUNDLE_BUDGET + 1} bytes`)]);
  });

  it('of the jslib variant import the published summary by URL', async () => {
    writeBundles(await build(bundleOptions({ scenarios, outdir: join(out, 'jslib'), jslib: true })));
    expect(readFileSync(join(out, 'jslib', 'ramp.js'), 'utf8')).toContain(`from"${JSLIB_SUMMARY}"`);
  });
});

describe('prepared data', () => {
  const write = (name: string, text: string) => {
    const file = join(out, name);
    writeFileSync(file, text);
    return file;
  };

  it('is one array: counts, books, search terms, categories', () => {
    const books = write('b.csv', 'isbn,category\n9790000000001,a\n9790000000018,b\n9790000000025,a\n');
    const searchTerms = write('t.csv', 'term\r\nred car\r\n"a, b"\r\n');
    writeData(readData({ ...SOURCES, books, searchTerms }).documents, join(out, 'data'));
    expect(JSON.parse(readFileSync(join(out, 'data', 'rows.json'), 'utf8'))).toEqual([
      ...['3', '2', '2'],
      ...['9790000000001', '9790000000018', '9790000000025'],
      ...['red car', 'a, b'],
      ...['a', 'b'],
    ]);
  });

  it.each([
    ['word\nx\n', 't.csv:1: the first line must be the header "term"'],
    ['term\nx\n"  ",1\n', 't.csv:3: the search term is empty'],
    ['term\n', 'there is no search term'],
  ])('refuses search terms %j', (text, sentence) => {
    const searchTerms = write('t.csv', text);
    expect(() => readData({ ...SOURCES, searchTerms })).toThrow(sentence);
  });

  it('refuses books without a category and files that are not there', () => {
    const books = write('b.csv', 'isbn\n9790000000001\n');
    expect(() => readData({ ...SOURCES, books })).toThrow('no book has a category');
    expect(() => readData({ ...SOURCES, searchTerms: 'nowhere.csv' })).toThrow('nowhere.csv cannot be read (ENOENT)');
  });
});
