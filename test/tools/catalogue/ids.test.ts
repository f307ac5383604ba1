/** A catalogue of anything but books: from a user's file to what virtual users read. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPools } from '../../../tools/build/pools.ts';
import { importCatalogue } from '../../../tools/catalogue/files.ts';
import { readCatalogue, requireCatalogue } from '../../../tools/catalogue/read.ts';
import { command } from '../../../tools/commands/data.ts';

const temporary = (): string => mkdtempSync(join(tmpdir(), 'ids-'));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What the build makes of a file of ids. */
const built = (file: string) =>
  readPools({ items: { file: 'items.csv', columns: { id: 'text' }, law: 'workload' } }, temporary(), { items: file });

describe('ids', () => {
  it('any ids come through import and build unchanged, the most popular first', async () => {
    const ids = ['SKU-1', 'a,b', 'say "hi"', 'ünï/çode', '42', 'x y'];
    const file = join(temporary(), 'skus.csv');
    const quoted = ids.map((id, i) => `" ${id.replaceAll('"', '""')} ",${i}`);
    writeFileSync(file, `Article,sold\n${quoted.join('\n')}\n`);
    const out = join(temporary(), 'books.csv');
    await importCatalogue(file, {
      ...{ out, skipBad: false, force: false, keys: 'id' },
      columns: { id: 'article', popularity: 'sold' },
    });
    const { rows, facts } = built(out);
    expect(rows).toEqual([...ids].reverse());
    expect(facts['items']).toMatchObject({ rows: 6, column: 'id' });
  });

  it.each([
    ['an empty one', 'id,title\n" ",x\nb,y\n', /:2: the id is empty/],
    ['one that is there twice, but for spaces', 'sku\na\n" a"\n', /:3: id a stands already on line 2/],
    ['a newline inside', 'id\n"a\nb"\n', /:2: the id "a\\nb" holds a control/],
    ['a whole text', `id\n${'x'.repeat(201)}\n`, /:2: the id "x+…" is longer/],
    ['no such column', 'number\n1\n', /:1: no column of ids; name it with --id-column/],
  ])('%s is refused', (_, text, message) => {
    expect(() => requireCatalogue(bytes(text), 'f.csv', { keys: 'id' })).toThrow(message);
  });

  it('are not taken unless asked for, and the build names a remedy that it has', () => {
    expect(() => readCatalogue(bytes('id\n1\n'), 'f.csv')).toThrow(/name it with --isbn-column \(with --id-column/);
    expect(() => readCatalogue(bytes('sku\n1\n'), 'f.csv', { keys: 'either' })).toThrow(
      /make the file with `bookstore-load data import`/,
    );
  });

  it('both kinds of column at once are refused', async () => {
    const words = ['check', 'f.csv', '--ids', '--isbn-column', 'x'];
    await expect(command().parseAsync(words, { from: 'user' })).rejects.toThrow(/one or the other/);
  });
});
