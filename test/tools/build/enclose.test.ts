import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { enclose } from '../../../tools/build/enclose.ts';
import { fold } from '../../../tools/build/fold.ts';

/** Bundles a module with esbuild as the build does. */
async function bundle(contents: string): Promise<{ code: string; modules: Set<string> }> {
  const result = await build({
    stdin: { contents, resolveDir: import.meta.dirname, sourcefile: 'entry.js' },
    bundle: true,
    format: 'esm',
    minify: true,
    external: ['node:*'],
    write: false,
    metafile: true,
    outfile: 'out.js',
  });
  const imports = Object.values(result.metafile.outputs)[0]?.imports ?? [];
  return { code: result.outputFiles[0]?.text ?? '', modules: new Set(imports.map(({ path }) => path)) };
}

async function load(code: string): Promise<Record<string, unknown>> {
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, unknown>;
}

describe('enclose', () => {
  it.each([
    [
      'default, named, namespace and bare imports side by side',
      `import path, { sep } from 'node:path'; import * as os from 'node:os'; import 'node:fs'; import { join as j } from 'node:path';
       export const a = path.sep === sep && typeof os.EOL === 'string' && j('x', 'y'); export { a as b };`,
    ],
    [
      'text that looks like an import',
      `import { sep } from 'node:path'; export const a = 'x;import{y}from"z";'.length + sep.length;`,
    ],
    [
      'an export under another name and a function',
      `const x = 1; export { x as default }; export function a() { return x; }`,
    ],
    ['no import', `export const a = [1, 2].map((n) => n * 2).join();`],
  ])('gives the same exports: %s', async (_, source) => {
    const { code, modules } = await bundle(source);
    const enclosed = enclose(code, modules);
    expect(enclosed).not.toBe(code);
    const [before, after] = [await load(code), await load(enclosed)];
    expect(Object.keys(after).sort()).toEqual(Object.keys(before).sort());
    for (const [name, value] of Object.entries(before)) {
      if (typeof value === 'function') expect((after[name] as () => unknown)()).toEqual((value as () => unknown)());
      else expect(after[name]).toEqual(value);
    }
  });

  it('binds a module once that several files import', async () => {
    const code =
      'import a from"node:path";var c=a.sep;import b from"node:path";var d=a===b&&b.sep===c;export{d as same};';
    const enclosed = enclose(code, new Set(['node:path']));
    expect(enclosed.match(/import/g)).toHaveLength(1);
    expect(await load(enclosed)).toMatchObject({ same: true });
  });

  it('refuses code that is not as expected', () => {
    expect(() => enclose('const a=1;', new Set())).toThrow(/exports nothing/);
    expect(() => enclose('var a=1;export{a};', new Set(['k6']))).toThrow(/expected k6, found/);
  });
});

describe('fold', () => {
  const CODE = `import { sep } from 'node:path';
    const once = (x) => { if (x > 1) return sep; return 'low'; };
    const twice = (x) => x * 2;
    export const a = (x) => once(x) + twice(x);
    export const b = (x) => twice(x + 1);`;

  it('keeps what the code does', async () => {
    const [before, after] = [await load(CODE), await load(await fold(CODE))];
    for (const x of [0, 2]) {
      for (const name of ['a', 'b']) {
        expect((after[name] as (x: number) => unknown)(x)).toEqual((before[name] as (x: number) => unknown)(x));
      }
    }
  });

  it('leaves no function at the top that is used in one place only', async () => {
    // `twice`, `a` and `b`: `once` stands inside `a`.
    expect((await fold(CODE)).match(/(?:const|,)\s*\w+=\w+=>|(?:const|,)\s*\w+=\(\w*\)=>/g)).toHaveLength(3);
  });

  it('refuses what is no module', async () => {
    await expect(fold('export const = 1')).rejects.toThrow();
  });
});
