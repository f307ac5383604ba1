import { describe, expect, it } from 'vitest';
import { bookRows } from '../../../bookstore/catalogue/books.ts';
import { type ReadOptions, readCatalogue, readPrice, requireCatalogue } from '../../../tools/catalogue/read.ts';
import { catalogueCsv } from '../../../tools/catalogue/write.ts';

const A = '9780306406157';
const B = '9780804429573';
const C = '9790000000001';

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array => Buffer.from(text, encoding);
const read = (text: string, options?: ReadOptions) => readCatalogue(bytes(text), 'my.csv', options);
const isbns = (text: string, options?: ReadOptions): string[] => read(text, options).rows.map(({ isbn }) => isbn);
const refuse = (content: string | Uint8Array, options?: ReadOptions): string => {
  try {
    requireCatalogue(typeof content === 'string' ? bytes(content) : content, 'my.csv', options);
  } catch (error) {
    expect(error).toHaveProperty('name', 'UserError');
    return (error as Error).message;
  }
  throw new Error('was not refused');
};

describe('what is read', () => {
  it('the reference catalogue, unchanged', () => {
    const rows = bookRows(500);
    expect(read(catalogueCsv(rows)).rows).toEqual(rows);
  });

  it.each([
    ['commas', `isbn,title\n${A},x\n${B},y\n`],
    ['no newline at the end', `isbn,title\n${A},x\n${B},y`],
    ['CRLF', `isbn,title\r\n${A},x\r\n${B},y\r\n`],
    ['CR alone', `isbn,title\r${A},x\r${B},y\r`],
    ['line ends mixed', `isbn,title\r\n${A},x\n${B},y\r\n`],
    ['a byte order mark', `\uFEFFisbn,title\n${A},x\n${B},y\n`],
    ['semicolons', `isbn;title\n${A};x\n${B};y\n`],
    ['tabs', `isbn\ttitle\n${A}\tx\n${B}\ty\n`],
    ['pipes', `isbn|title\n${A}|x\n${B}|y\n`],
    ['Excel’s separator hint', `sep=;\nisbn;title\n${A};x\n${B};y\n`],
    ['one column', `isbn\n${A}\n${B}\n`],
    ['blank lines', `\n\nisbn,title\n\n${A},x\n,\n${B},y\n\n`],
    ['capitals and spaces in the header', ` ISBN ,Title\n${A},x\n${B},y\n`],
    ['another usual name', `Title,EAN\nx,${A}\ny,${B}\n`],
    ['quotes around everything', `"isbn","title"\n"${A}","x"\n"${B}","y"\n`],
  ])('%s', (_, text) => {
    expect(isbns(text)).toEqual([A, B]);
  });

  it('UTF-16 of either order', () => {
    const little = Buffer.from(`\uFEFFisbn,title\n${A},Überfahrt\n`, 'utf16le');
    const big = Buffer.from(little).swap16();
    for (const content of [little, big]) expect(readCatalogue(content, 'my.csv').rows[0]?.title).toBe('Überfahrt');
  });

  it('Latin-1, and says so', () => {
    const { rows, notes } = readCatalogue(bytes(`isbn,title\n${A},Café für Zwölf\n`, 'latin1'), 'my.csv');
    expect(rows[0]?.title).toBe('Café für Zwölf');
    expect(notes).toContain('read as windows-1252');
  });

  it('quoted fields with separators, quotes and newlines', () => {
    const { rows, bad } = read(`isbn,title\n${A},"a, ""b""\nc"\n${B},y\n`);
    expect(rows[0]?.title).toBe('a, "b" c');
    expect(bad).toEqual([]);
  });

  it('other column names and further columns', () => {
    const text = `id,Nummer,Name,Preis\n1,${A},x,"12,50 €"\n`;
    const { rows } = read(text, { columns: { isbn: 'nummer', title: 'NAME', price: 'Preis' } });
    expect(rows[0]).toEqual({ isbn: A, title: 'x', category: '', price: '12.50', year: '' });
  });

  it('a popularity column orders the books, the most popular first, ties in file order', () => {
    const text = `isbn,views\n${A},5\n${B},70\n${C},5\n`;
    expect(isbns(text, { columns: { popularity: 'views' } })).toEqual([B, A, C]);
    expect(isbns(text)).toEqual([A, B, C]);
  });

  it('ISBN-10, and says how many', () => {
    const { rows, notes } = read('isbn\n0-306-40615-2\n080442957X\n');
    expect(rows.map(({ isbn }) => isbn)).toEqual([A, B]);
    expect(notes).toContain('2 ISBN-10 converted to ISBN-13');
  });

  it('warns of a catalogue that fits every cache', () => {
    expect(read(`isbn\n${A}\n`).notes.join()).toMatch(/only 1 books/);
    expect(read(catalogueCsv(bookRows(1000))).notes).toEqual([]);
  });
});

describe('what is refused, by line', () => {
  it.each([
    ['a wrong check digit', `isbn,title\n${A},x\n9780804429574,y\n`, /^my\.csv:3: .*check digit would be 3/],
    ['a shortened number', `isbn,title\n9.78031E+12,x\n`, /^my\.csv:2: .*shortened by a spreadsheet/],
    ['a duplicate', `isbn,title\n${A},x\n${B},y\n${A},z\n`, /^my\.csv:4: .*already on line 2/],
    ['a duplicate in another spelling', `isbn\n${A}\n0306406152\n`, /^my\.csv:3: .*already on line 2/],
    ['a short row', `isbn,title\n${A}\n`, /^my\.csv:2: 1 fields where the header has 2/],
    ['a long row', `isbn,title\n${A},a, b\n`, /^my\.csv:2: 3 fields where the header has 2; quote/],
    ['an empty ISBN', `isbn,title\n,x\n${A},y\n`, /^my\.csv:2: the ISBN is empty/],
    ['a price', `isbn,price\n${A},cheap\n`, /^my\.csv:2: price "cheap"/],
    ['a year', `isbn,year\n${A},c. 1950\n`, /^my\.csv:2: year "c\. 1950"/],
    ['an open quote', `isbn,title\n${A},x\n${B},"y\n${C},z\n`, /^my\.csv:3: a quoted field is never closed/],
    ['a line after quoted newlines', `isbn,title\n${A},"x\n\n\ny"\nwrong,z\n`, /^my\.csv:6: "wrong" is no ISBN/],
    ['a line after CRLF in quotes', `isbn,title\r\n${A},"x\r\ny"\r\nwrong,z\r\n`, /^my\.csv:4: "wrong"/],
    ['a line below a separator hint', `sep=;\nisbn;title\n${A};x\nwrong;y\n`, /^my\.csv:4: "wrong"/],
    ['a line below blank lines', `\n\nisbn\n\nwrong\n${A}\n`, /^my\.csv:5: "wrong"/],
    [
      'no ISBN column',
      'number,title\n1,x\n',
      /^my\.csv:1: no ISBN column; name it with --isbn-column.*"number", "title"/,
    ],
    ['no header', `${A},x\n${B},y\n`, /^my\.csv:1: the first line is already data/],
    ['a column that is there twice', `isbn,title,ISBN\n${A},x,${A}\n`, /^my\.csv:1: column "isbn" stands twice/],
    ['only a header', 'isbn,title\n', /^my\.csv: a header but no rows/],
    ['nothing', '', /^my\.csv: empty/],
    ['blank lines only', '\n \n\n', /^my\.csv: empty/],
    ['commas only', ',,\n,,\n', /^my\.csv: empty/],
  ])('%s', (_, text, message) => {
    expect(refuse(text)).toMatch(message);
  });

  it('a column that was asked for and is not there', () => {
    expect(refuse(`isbn\n${A}\n`, { columns: { title: 'nom' } })).toMatch(
      /^my\.csv:1: no column "nom"; the header has "isbn"/,
    );
  });

  it.each([
    ['a workbook', [0x50, 0x4b, 3, 4, 0], /CSV UTF-8/],
    ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0], /old Excel/],
    ['gzip', [0x1f, 0x8b, 8, 0], /gunzip/],
    ['NUL bytes', [0x69, 0, 0, 0, 0x0a], /NUL bytes/],
  ])('%s', (_, content, message) => {
    expect(refuse(Uint8Array.from(content))).toMatch(message);
  });

  it('counts the other bad rows and names the way out', () => {
    expect(refuse(`isbn\n${A}\nx\ny\nz\n`)).toMatch(/^my\.csv:3: .*\(and 2 more bad rows\); .*--skip-bad$/);
  });

  it('a file without one good row is refused even when bad rows may be skipped', () => {
    expect(() => read('isbn\nx\ny\n')).toThrow(/^my\.csv:2: .*no row of the file can be used/);
  });
});

describe('readPrice', () => {
  it.each([
    ['', ''],
    ['0', '0.00'],
    ['12', '12.00'],
    ['12.5', '12.50'],
    ['12,50', '12.50'],
    ['1,234.50', '1234.50'],
    ['1.234,50', '1234.50'],
    ['1 234,50', '1234.50'],
    ["1'234.50", '1234.50'],
    ['1,234', '1234.00'],
    ['1,234,567.5', '1234567.50'],
    ['$12.50', '12.50'],
    ['12,50 €', '12.50'],
    ['USD 12.50', '12.50'],
  ])('%j is %j', (cell, price) => {
    expect(readPrice(cell)).toBe(price);
  });

  it.each(['-1', 'free', '1.2.3', '$', '1,23,4', '1,234,56', '1.234.5', '1,234 567', 'Infinity', '1e3'])(
    '%j is none',
    (cell) => {
      expect(readPrice(cell)).toBeUndefined();
    },
  );
});
