/** The README says what the code does: its tables are made from it, its commands and files exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { K6_EXIT_CODES } from '../lib/k6/exit-codes.ts';
import { VARIABLES } from '../lib/plan/variables.ts';
import { EXIT } from '../tools/base/exit-codes.ts';
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

describe('tables', () => {
  it('have a row for every variable and every exit code', () => {
    const variables = variableTable().split('\n').slice(2);
    expect(variables.map((row) => /`([A-Z_]+)`/.exec(row)?.[1])).toEqual(VARIABLES.map(({ name }) => name));
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
