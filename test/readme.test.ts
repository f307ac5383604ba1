/** README and CONTRIBUTING say what the code does: tables and picture are made from it, commands and files exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { K6_EXIT_CODES } from '../lib/k6/exit-codes.ts';
import { ownVariables } from '../lib/plan/own-variables.ts';
import { VARIABLES } from '../lib/plan/variables.ts';
import { variables as bookstore } from '../scenarios/bookstore/variables.ts';
import { EXIT } from '../tools/base/exit-codes.ts';
import { roomsPicture } from '../tools/lab/docs/picture.ts';
import { exitCodeTable, variableTable, withTables } from '../tools/lab/docs/tables.ts';
import { ROOT } from './support/cli.ts';

const README = join(ROOT, 'README.md');
const text = readFileSync(README, 'utf8');

describe('README.md', () => {
  it('has the tables that the code gives; renew them with `npx vitest run test/readme.test.ts --update`', async () => {
    expect(text).toContain('<!-- env:start -->');
    expect(text).toContain('<!-- exit-codes:start -->');
    await expect(withTables(text)).toMatchFileSnapshot(README);
  });

  it('CONTRIBUTING.md has the picture that the imports give; renew it in the same way', async () => {
    const file = join(ROOT, 'CONTRIBUTING.md');
    const contributing = readFileSync(file, 'utf8');
    expect(contributing).toContain('<!-- rooms:start -->');
    await expect(withTables(contributing)).toMatchFileSnapshot(file);
  });

  it('CONTRIBUTING.md names only files and folders that exist', () => {
    const named = [
      ...readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').matchAll(
        /`((?:lib|tools|scenarios|bookstore|test|data|thresholds|docs)\/[\w./-]*)`/g,
      ),
    ];
    expect(named.length).toBeGreaterThan(10);
    expect(named.map(([, path]) => path as string).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it.each(['README.md', 'CONTRIBUTING.md'])('links of %s lead somewhere', (file) => {
    const links = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(
      (match) => match[1] as string,
    );
    expect(links.length).toBeGreaterThan(0);
    const broken = links.filter((link) => !/^https?:/.test(link) && !existsSync(join(ROOT, link)));
    expect(broken).toEqual([]);
  });

  it('names only npm scripts and commands that exist', async () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const commands = readFileSync(join(ROOT, 'tools/cli.ts'), 'utf8');
    for (const [, script] of text.matchAll(/npm run ([a-z-]+)/g)) expect(Object.keys(scripts)).toContain(script);
    for (const [, command] of text.matchAll(/npx bookstore-load ([a-z-]+)/g))
      expect(commands).toMatch(new RegExp(`^ {2}'?${command}'?: \\{`, 'm'));
  });

  it('names only variables that exist', () => {
    const known = ['NAME', ...VARIABLES.map(({ name }) => name)];
    for (const [, name] of text.matchAll(/-e ([A-Z_]+)=/g)) expect(known).toContain(name);
  });
});

describe('the picture of the rooms', () => {
  it('leaves out what other arrows say, and shows arrows that lead up as dotted', () => {
    const picture = roomsPicture([
      { from: 'tools/run/a.ts', to: 'tools/verdict/b.ts' },
      { from: 'tools/verdict/b.ts', to: 'tools/base/c.ts' },
      { from: 'tools/run/a.ts', to: 'tools/base/c.ts' },
      { from: 'tools/base/c.ts', to: 'tools/report/d.ts' },
      { from: 'tools/run/a.ts', to: 'tools/run/e.ts' },
    ]);
    expect(picture.split('\n').filter((line) => line.includes('->'))).toEqual([
      '  tools/run --> tools/verdict',
      '  tools/verdict --> tools/base',
      '  tools/base -.-> tools/report',
    ]);
  });
});

describe('tables', () => {
  it('have a row for every variable and every exit code', () => {
    const variables = variableTable().split('\n').slice(2);
    expect(variables.map((row) => /`([A-Z_]+)`/.exec(row)?.[1])).toEqual(
      [...VARIABLES, ...ownVariables(bookstore)].map(({ name }) => name),
    );
    const codes = exitCodeTable()
      .split('\n')
      .slice(2, -1)
      .map((row) => Number(row.split('|')[1]));
    expect(codes).toEqual(
      [...new Set([...Object.values(EXIT), ...Object.keys(K6_EXIT_CODES).map(Number)])].sort((a, b) => a - b),
    );
  });

  it('every row has as many cells as the head', () => {
    for (const rows of [variableTable().split('\n'), exitCodeTable().split('\n')]) {
      const cells = rows.map((row) => row.replaceAll('\\|', '').split('|').length);
      expect(new Set(cells).size).toBe(1);
    }
  });

  it('a text is changed between the markers only', () => {
    expect(withTables('a <!-- other:start --> b')).toBe('a <!-- other:start --> b');
    const once = withTables('a\n<!-- env:start -->old<!-- env:end -->\nb');
    expect(once).toMatch(/^a\n<!-- env:start -->\n\| variable .*\n<!-- env:end -->\nb$/s);
    expect(withTables(once)).toBe(once);
    expect(() => withTables('<!-- env:start -->')).toThrow('<!-- env:end -->');
  });
});
