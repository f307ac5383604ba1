import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { PoolDefinition } from '../../../lib/plan/pool-definition.ts';
import { readPools } from '../../../tools/build/pools.ts';

const folder = mkdtempSync(join(tmpdir(), 'pools-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
/** A pool of `p.csv` with these columns. */
const pool = (columns: PoolDefinition['columns'], rest: Partial<PoolDefinition> = {}): PoolDefinition => ({
  file: 'p.csv',
  columns,
  law: { law: 'uniform' },
  ...rest,
});
function rowsOf(csv: string, columns: PoolDefinition['columns'], rest: Partial<PoolDefinition> = {}) {
  write('p.csv', csv);
  return readPools({ p: pool(columns, rest) }, folder, {}).rows;
}

describe('pools', () => {
  it('are one list, one pool after the other, and a row of one column is its value', () => {
    write('items.csv', 'sku\na\nb\n');
    write('users.csv', 'name,age,city\nann,30,x\nbob,41,y\n');
    const { rows, facts } = readPools(
      {
        items: { ...pool({ sku: 'text' }), file: 'items.csv' },
        users: { ...pool({ name: 'text', age: 'integer' }), file: 'users.csv' },
      },
      folder,
      {},
    );
    // Columns that the definition does not name stay behind.
    expect(rows).toEqual(['a', 'b', { name: 'ann', age: 30 }, { name: 'bob', age: 41 }]);
    expect(facts).toEqual({
      items: { from: 0, rows: 2, column: 'sku', example: { sku: 'a' } },
      users: { from: 2, rows: 2, example: { name: 'ann', age: 30 } },
    });
  });

  it('have columns of the types that they say', () => {
    const csv = 'i,n,t,b\n7,-2.5,007,978-0-306-40615-7\n-1,1e3,x,979-0-000-00001-8\n';
    expect(rowsOf(csv, { i: 'integer', n: 'number', t: 'text', b: 'isbn13' })).toEqual([
      { i: 7, n: -2.5, t: '007', b: '9780306406157' },
      { i: -1, n: 1000, t: 'x', b: '9790000000018' },
    ]);
  });

  it('are read as spreadsheets write them: byte order mark, CRLF, quotes, blanks around, another separator', () => {
    expect(rowsOf('\uFEFFsku;name\r\n" a;1 ";"say ""hi"""\r\n\r\nb;y\r\n', { sku: 'text', name: 'text' })).toEqual([
      { sku: 'a;1', name: 'say "hi"' },
      { sku: 'b', name: 'y' },
    ]);
  });

  it('with `distinct` have each combination once, in the order in which they come', () => {
    const csv = 'kind,size,sku\nx,1,a\ny,1,b\nx,1,c\nx,2,d\ny,1,e\n';
    expect(rowsOf(csv, { kind: 'text', size: 'integer' }, { distinct: true })).toEqual([
      { kind: 'x', size: 1 },
      { kind: 'y', size: 1 },
      { kind: 'x', size: 2 },
    ]);
  });

  it.each<[string, string, PoolDefinition['columns'], string]>([
    ['a missing column', 'id\n1\n', { sku: 'text' }, 'p.csv:1: no column "sku"; the header has id'],
    ['a column that stands twice', 'sku,sku\n1,2\n', { sku: 'text' }, 'p.csv:1: column "sku" stands twice'],
    ['a row that stands twice', 'sku,n\na,1\nb,2\na,3\n', { sku: 'text' }, 'p.csv:4: a stands already on line 2'],
    ['an empty cell', 'sku,n\na,1\n" ",2\n', { sku: 'text' }, 'p.csv:3: sku is empty'],
    ['a fraction for a whole number', 'n\n1\n2.5\n', { n: 'integer' }, 'p.csv:3: n "2.5" is no whole number'],
    ['a word for a number', 'n\nmany\n', { n: 'number' }, 'p.csv:2: n "many" is no number'],
    ['an endless number', 'n\n1e999\n', { n: 'number' }, 'p.csv:2: n "1e999" is no number'],
    ['a wrong check digit', 'b\n9780306406158\n', { b: 'isbn13' }, 'p.csv:2: '],
    ['another number of fields', 'a,b\n1,2\n3\n', { a: 'text' }, 'p.csv:3: 1 fields where the header has 2'],
    ['a quote that is never closed', 'a,b\n1,2\n"3,4\n', { a: 'text' }, 'p.csv:3: a quoted field is never closed'],
    // A quoted line break makes a row two lines long.
    ['a fault behind a quoted line break', 'a,n\n"x\ny",1\nz,?\n', { n: 'integer' }, 'p.csv:4: n "?"'],
    ['a header alone', 'sku\n', { sku: 'text' }, 'p.csv: a header but no rows'],
    ['an empty file', '', { sku: 'text' }, 'p.csv: empty'],
    ['no columns', 'sku\na\n', {}, 'p.csv: its pool names no column'],
  ])('refuse %s', (_, csv, columns, sentence) => {
    expect(() => rowsOf(csv, columns)).toThrow(sentence);
  });

  it('refuse a file that is not there', () => {
    expect(() => readPools({ p: { ...pool({ a: 'text' }), file: 'nowhere.csv' } }, folder, {})).toThrow(
      'nowhere.csv cannot be read (ENOENT)',
    );
  });

  it('take another file where one is named, and know the names', () => {
    write('mine.csv', 'a\nz\n');
    write('p.csv', 'a\n1\n');
    const file = join(folder, 'mine.csv');
    expect(readPools({ p: pool({ a: 'text' }) }, folder, { p: file }).rows).toEqual(['z']);
    expect(() => readPools({ p: pool({ a: 'text' }) }, folder, { q: file })).toThrow(
      '--pool q=…: the suite has no pool "q", but p',
    );
  });
});
