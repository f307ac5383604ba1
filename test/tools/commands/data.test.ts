import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CATALOGUE_SIZE, TITLE_NOUNS } from '../../../bookstore/catalogue/books.ts';
import { checkCatalogue, importCatalogue } from '../../../tools/catalogue/files.ts';
import { generateData } from '../../../tools/commands/data.ts';
import { cli, ROOT } from '../../support/cli.ts';

const A = '9780306406157';
const temporary = (): string => mkdtempSync(join(tmpdir(), 'data-'));

function file(text: string): string {
  const path = join(temporary(), 'my.csv');
  writeFileSync(path, text);
  return path;
}

describe('generateData', () => {
  it('gives the committed files, byte by byte', async () => {
    const out = temporary();
    await generateData(out, String(CATALOGUE_SIZE));
    for (const name of ['books.csv', 'search-terms.csv']) {
      expect(readFileSync(join(out, name)).equals(readFileSync(join(ROOT, 'data', name))), name).toBe(true);
    }
  });

  it('every search term finds titles', () => {
    const titles = readFileSync(join(ROOT, 'data', 'books.csv'), 'utf8').toLowerCase();
    const terms = readFileSync(join(ROOT, 'data', 'search-terms.csv'), 'utf8')
      .trim()
      .split('\n')
      .slice(1);
    expect(terms).toHaveLength(TITLE_NOUNS.length);
    for (const term of terms) expect(titles).toContain(` ${term} `);
  });

  it.each(['0', '-1', '1.5', 'many', ''])('refuses %j books', async (size) => {
    await expect(generateData(temporary(), size)).rejects.toThrow(/whole number from 1/);
  });

  it('does not overwrite another catalogue unless told to', async () => {
    const out = temporary();
    writeFileSync(join(out, 'books.csv'), `isbn\n${A}\n`);
    await expect(generateData(out, '10')).rejects.toThrow(/--force/);
    expect(readFileSync(join(out, 'books.csv'), 'utf8')).toBe(`isbn\n${A}\n`);
    await generateData(out, '10', true);
    expect(readFileSync(join(out, 'books.csv'), 'utf8').split('\n')).toHaveLength(12);
    await generateData(out, '10');
  });
});

describe('importCatalogue', () => {
  const options = (out: string) => ({ out, skipBad: false, force: false });

  it('writes nothing when a row is bad, and leaves it out with skipBad', async () => {
    const path = file(`Titel;Nummer;Genre\n"a; b";${A};x\nc;wrong;x\n`);
    const out = join(temporary(), 'new', 'books.csv');
    const columns = { isbn: 'Nummer', title: 'Titel' };
    await expect(importCatalogue(path, { ...options(out), columns })).rejects.toThrow(`${path}:3: "wrong" is no ISBN`);
    expect(() => readFileSync(out)).toThrow('ENOENT');
    const { books, skipped } = await importCatalogue(path, { ...options(out), columns, skipBad: true });
    expect([books, skipped]).toEqual([1, 1]);
    expect(readFileSync(out, 'utf8')).toBe(`isbn,title,category,price,year\n${A},a; b,x,,\n`);
  });

  it('overwrites only when told to', async () => {
    const path = file(`isbn,category\n${A},x\n`);
    const out = file('precious');
    await expect(importCatalogue(path, options(out))).rejects.toThrow(/--force/);
    expect(readFileSync(out, 'utf8')).toBe('precious');
    await importCatalogue(path, { ...options(out), force: true });
    expect(readFileSync(out, 'utf8')).toContain(A);
  });

  it.each([
    ['a missing file', '/nowhere/my.csv', /there is no such file/],
    ['a folder', tmpdir(), /it is a folder/],
  ])('%s', async (_, path, message) => {
    await expect(importCatalogue(path, options('/nowhere/out.csv'))).rejects.toThrow(message);
  });

  it('a target that cannot be written', async () => {
    const path = file(`isbn,category\n${A},x\n`);
    await expect(importCatalogue(path, options(join(path, 'books.csv')))).rejects.toThrow(/cannot write/);
  });

  it.each(['', 'ab', '"', '\n'])('separator %j is refused', async (separator) => {
    await expect(importCatalogue(file('isbn\n'), { ...options('x'), separator })).rejects.toThrow(/--separator/);
  });
});

describe('the data command', () => {
  it('check exits with 3 for bad rows, names them, and with 0 without', async () => {
    const bad = await cli(['data', 'check', file(`isbn,category\n${A},a\nx,a\n`)]);
    expect([bad.code, bad.stderr]).toEqual([3, '']);
    expect(bad.stdout).toMatch(/my\.csv:3: "x" is no ISBN/);
    const good = await cli(['data', 'check', file(`isbn,category\n${A},x\n`), '--json']);
    expect(good.code).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ books: 1, bad: 0, badRows: [] });
  });

  it('import takes a tab by its name', async () => {
    const out = join(temporary(), 'books.csv');
    const { code, stderr } = await cli([
      'data',
      'import',
      file(`isbn\ttitle\tcategory\n${A}\tx\ta\n`),
      '--separator',
      'tab',
      '--out',
      out,
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(readFileSync(out, 'utf8')).toContain(`${A},x`);
  });
});

describe('a catalogue without categories', () => {
  it('is refused by check and import as the build refuses it; ids need none', async () => {
    const folder = temporary();
    const books = join(folder, 'no-category.csv');
    writeFileSync(books, 'isbn,title\n9790000000001,a\n');
    await expect(checkCatalogue(books, {})).rejects.toThrow('no book has a category; give the column "category"');
    const out = join(folder, 'imported.csv');
    const options = { out, skipBad: false, force: false };
    await expect(importCatalogue(books, options)).rejects.toThrow('no book has a category');
    const items = join(folder, 'items.csv');
    writeFileSync(items, 'sku,title\nA-1,a\nA-2,b\n');
    const { lines } = await checkCatalogue(items, { keys: 'id', columns: { id: 'sku' } });
    expect(lines).toContain(`${items}: 2 items can be used, 0 rows cannot`);
    expect((await importCatalogue(items, { ...options, keys: 'id' })).lines[0]).toContain('2 items from');
  });
});
