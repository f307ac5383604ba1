import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Import, importsOf, sourcesOf, specifiersOf, untoldImports } from '../tools/lab/docs/imports.ts';
import { circles, roomOf, TREES, wrongArrows } from '../tools/lab/docs/rooms.ts';

const ROOT = resolve(import.meta.dirname, '..');
const FILES = Object.keys(TREES).flatMap((tree) => sourcesOf(ROOT, tree));
const IMPORTS = importsOf(ROOT, FILES);

/** Arrows that are known to be wrong and will go; one that is gone must be struck off. */
const KNOWN: readonly string[] = [];

const arrow = ({ from, to }: Import): string => `${from} -> ${to}`;
const isKnown = (one: Import): boolean => KNOWN.includes(arrow(one));

describe('rooms', () => {
  it('imports only lead down', () => {
    expect(FILES.length).toBeGreaterThan(100);
    expect(
      wrongArrows(IMPORTS)
        .filter((one) => !isKnown(one))
        .map((one) => `${arrow(one)}: ${one.why}`),
    ).toEqual([]);
  });

  it('what is imported can be read from the text, but for the model of a suite that stands elsewhere', () => {
    const untold = FILES.flatMap((file) => untoldImports(ROOT, file)).map((one) => one.split(':')[0]);
    expect(untold).toEqual(['tools/rehearse/suite-server.ts']);
  });

  it('no known exception is left that is none any more', () => {
    const wrong = wrongArrows(IMPORTS).map(arrow);
    expect(KNOWN.filter((one) => !wrong.includes(one))).toEqual([]);
  });

  it('nothing needs itself by way of others, neither folders nor files, not even for a type', () => {
    expect(circles(IMPORTS.filter((one) => !isKnown(one)))).toEqual([]);
  });

  it('every file stands in a room', () => {
    expect(FILES.filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  it('a file that touches k6 says so in its first line', () => {
    const silent = sourcesOf(ROOT, 'lib').filter((file) => {
      const touches = specifiersOf(ROOT, file).some((specifier) => specifier === 'k6' || specifier.startsWith('k6/'));
      return touches && !/k6/.test(readFileSync(join(ROOT, file), 'utf8').split('\n')[0] as string);
    });
    expect(silent).toEqual([]);
  });

  it('no file is longer than 320 lines', () => {
    const long = [...FILES, ...sourcesOf(ROOT, 'test')].filter((file) => {
      return readFileSync(join(ROOT, file), 'utf8').split('\n').length > 320;
    });
    expect(long).toEqual([]);
  });
});

describe('the reading of imports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const written = (text: string) => {
    mkdirSync(join(folder, 'tools/base'), { recursive: true });
    writeFileSync(join(folder, 'tools/base/x.ts'), text);
    return 'tools/base/x.ts';
  };

  it.each([
    "import { a } from '../run/run.ts';",
    'import { a } from "../run/run.ts";',
    "import type { A } from '../run/run.ts';",
    "export * from '../run/run.ts';",
    "type A = import('../run/run.ts').A;",
    "await import('../run/run.ts');",
    'await import(`../run/run.ts`);',
    "await import(/* x */ '../run/run.ts');",
    "import { a } from /* x */ '../run/run.ts';",
    "createRequire(import.meta.url)('../run/run.ts');",
    "require.resolve('../run/run.ts');",
    "import.meta.resolve('../run/run.ts');",
    "new Worker(new URL('../run/run.ts', import.meta.url));",
    "/// <reference path='../run/run.ts' />",
    "import a from '../run/run.ts?x';",
  ])('sees %s', (text) => {
    expect(importsOf(folder, [written(text)])).toEqual([{ from: 'tools/base/x.ts', to: 'tools/run/run.ts' }]);
  });

  it.each([
    ['bookstore-load', 'lib/index.ts'],
    ['bookstore-load/pieces', 'lib/pieces.ts'],
    ['bookstore-load/model/random', 'lib/model/random.ts'],
  ])('knows the library by the name %s', (name, to) => {
    expect(importsOf(folder, [written(`import { a } from '${name}';`)])).toEqual([{ from: 'tools/base/x.ts', to }]);
  });

  it.each([
    "const path = '../run/run.ts'; await import(path);",
    "const r = createRequire(import.meta.url); r('../run/run.ts');",
  ])('names what no text tells: %s', (text) => {
    expect(untoldImports(folder, written(text))).toHaveLength(1);
  });
});

describe('the check of the rooms', () => {
  const added = (from: string, to: string) => [...IMPORTS.filter((one) => !isKnown(one)), { from, to }];

  it.each([
    ['tools/base/options.ts', 'tools/run/run.ts', 'tools/base does not lie above tools/run'],
    ['tools/verdict/analyse.ts', 'tools/report/html.ts', 'tools/verdict does not lie above tools/report'],
    ['tools/traffic/analyse-log.ts', 'tools/verdict/gate.ts', 'tools/traffic does not lie above tools/verdict'],
    ['tools/report/html.ts', 'tools/cli.ts', 'tools/report does not lie above tools/cli.ts'],
    ['tools/commands/run.ts', 'tools/lab/main.ts', 'tools/commands does not lie above tools/lab'],
    ['tools/run/run.ts', 'bookstore/main.ts', 'tools/run may not use bookstore'],
    ['tools/run/run.ts', 'scenarios/browse.ts', 'tools/run may not use scenarios'],
    ['tools/run/run.ts', 'test/support/cli.ts', 'tools/run may not use test'],
    ['bookstore/main.ts', 'tools/base/folders.ts', 'bookstore may not use tools'],
    ['lib/model/random.ts', 'lib/session/client.ts', 'lib/model does not lie above lib/session'],
    ['lib/summary/text.ts', 'lib/suite.ts', 'lib/summary does not lie above lib'],
    ['lib/plan/plan.ts', 'tools/base/package.ts', 'lib/plan may not use tools'],
    ['scenarios/bookstore/flows.ts', 'scenarios/browse.ts', 'scenarios/bookstore does not lie above scenarios'],
    ['tools/new-room/x.ts', 'tools/base/package.ts', 'tools/new-room/x.ts stands in no room'],
  ])('refuses %s -> %s', (from, to, why) => {
    expect(wrongArrows(added(from, to))).toEqual([{ from, to, why }]);
  });

  it.each([
    ['tools/commands/run.ts', 'bookstore/main.ts'],
    ['tools/lab/main.ts', 'tools/commands/run.ts'],
    ['tools/run/run.ts', 'tools/verdict/analyse.ts'],
    ['tools/run/run.ts', 'lib/plan/plan.ts'],
    ['scenarios/browse.ts', 'data/books.csv'],
  ])('lets %s -> %s pass', (from, to) => {
    expect(wrongArrows(added(from, to))).toEqual([]);
  });

  it('finds circles of files, of folders, and of a folder with a file beside it', () => {
    const imports = (...arrows: string[]): Import[] =>
      arrows.map((one) => ({ from: one.split(' ')[0] as string, to: one.split(' ')[1] as string }));
    expect(circles(imports('a/x.ts a/y.ts', 'a/y.ts a/z.ts', 'a/x.ts a/z.ts'))).toEqual([]);
    expect(circles(imports('a/x.ts a/y.ts', 'a/y.ts a/z.ts', 'a/z.ts a/x.ts'))).toEqual([
      ['a/x.ts', 'a/y.ts', 'a/z.ts', 'a/x.ts'],
    ]);
    // No file needs itself here, but neither folder can be understood without the other.
    expect(circles(imports('t/a/x.ts t/b/y.ts', 't/b/z.ts t/a/w.ts'))).toEqual([['t/a', 't/b', 't/a']]);
    expect(circles(imports('t/a/x.ts t/y.ts', 't/y.ts t/a/z.ts'))).toEqual([['t/a', 't/y.ts', 't/a']]);
    expect(circles(imports('t/a/x.ts t/y.ts', 't/z.ts t/a/x.ts'))).toEqual([]);
  });

  it('finds the circle that one more import closes, wherever in the tree', () => {
    const arrows = IMPORTS.filter(
      (one) => !isKnown(one) && roomOf(one.to) !== undefined && roomOf(one.from) !== roomOf(one.to),
    );
    const some = arrows.filter((_, i) => i % 20 === 0);
    expect(some.length).toBeGreaterThan(10);
    for (const { from, to } of some) expect(circles(added(to, from)), `${to} -> ${from}`).not.toEqual([]);
    expect(circles(added('tools/verdict/rule.ts', 'tools/verdict/judge.ts'))).not.toEqual([]);
  });
});
