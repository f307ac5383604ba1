/**
 * A user's own catalogue CSV -> the suite's rows. Whatever spreadsheets and databases export is read (byte order mark,
 * CRLF, quoted fields with newlines, other separators, other column names); what cannot be right is named by line.
 */
import { UserError } from '../base/user-error.ts';
import { type ColumnIndex, type ColumnNames, findColumns, type KeyKind } from './columns.ts';
import { decodeText } from './decode.ts';
import { readIsbn } from './isbn.ts';
import { type BrokenRow, parseTable } from './table.ts';
import type { CatalogueRow } from './write.ts';

export interface ReadOptions {
  readonly columns?: ColumnNames;
  /** What names the rows; ISBNs when not given. */
  readonly keys?: KeyKind | 'either';
  /** Field separator; found out from the file when not given. */
  readonly separator?: string;
}

/** A row that was left out. */
export type BadRow = BrokenRow;

export interface Catalogue {
  /** Whether the field `isbn` of the rows holds ISBNs or ids of another kind. */
  readonly keys: KeyKind;
  /** Good rows: in file order, or by falling popularity when a popularity column was named. */
  readonly rows: readonly CatalogueRow[];
  readonly bad: readonly BadRow[];
  /** What a reader should know though nothing is wrong: encoding, converted ISBNs, a small catalogue. */
  readonly notes: readonly string[];
}

/** Below this the cache of the system under test holds everything and the database is never measured. */
const SMALL_CATALOGUE = 1_000;

/**
 * Reads a catalogue; rows that cannot be right end up in `bad`, the caller decides whether that is an error.
 * @param file name for messages
 * @throws UserError when the file as a whole cannot be read: no text, no header, no ISBN column, no good row.
 */
export function readCatalogue(bytes: Uint8Array, file: string, options: ReadOptions = {}): Catalogue {
  const { text, encoding } = decodeText(bytes, file);
  const table = parseTable(text, file, options.separator);
  const columns = findColumns(table.header, options.columns ?? {}, `${file}:${table.headerLine}`, options.keys);
  const bad: BadRow[] = [...table.broken];
  const firstLine = new Map<string, number>();
  const read: { readonly row: CatalogueRow; readonly popularity: number }[] = [];
  let converted = 0;
  for (const { line, cells } of table.rows) {
    const row = readRow(cells, columns, table.header.length);
    if ('reason' in row) {
      bad.push({ line, reason: row.reason });
      continue;
    }
    const earlier = firstLine.get(row.row.isbn);
    if (earlier !== undefined) {
      bad.push({
        line,
        reason: `${columns.keyKind === 'id' ? 'id' : 'ISBN'} ${row.row.isbn} stands already on line ${earlier}`,
      });
      continue;
    }
    firstLine.set(row.row.isbn, line);
    if (row.converted) converted++;
    read.push(row);
  }
  bad.sort((a, b) => a.line - b.line);
  if (read.length === 0) {
    const first = bad[0];
    if (first === undefined) throw new UserError(`${file}: a header but no rows; at least one book is needed`);
    throw new UserError(`${file}:${first.line}: ${first.reason} (no row of the file can be used)`);
  }
  if (columns.popularity !== undefined) read.sort((a, b) => b.popularity - a.popularity);
  return {
    keys: columns.keyKind,
    rows: read.map(({ row }) => row),
    bad,
    notes: notesOf(encoding, converted, read.length),
  };
}

/** As `readCatalogue`, but a single bad row refuses the file. @throws UserError naming the first bad row's line. */
export function requireCatalogue(bytes: Uint8Array, file: string, options: ReadOptions = {}): Catalogue {
  const catalogue = readCatalogue(bytes, file, options);
  const first = catalogue.bad[0];
  if (first === undefined) return catalogue;
  const more = catalogue.bad.length - 1;
  const others = more > 0 ? ` (and ${more} more bad row${more > 1 ? 's' : ''})` : '';
  throw new UserError(
    `${file}:${first.line}: ${first.reason}${others}; mend the file, or drop such rows with: bookstore-load data import --skip-bad`,
  );
}

/**
 * Categories of the catalogue, each once. What is no book may have none; a flow that asks for one then asks for the empty one.
 * @throws UserError for books without a single category, which the suite's flows ask for
 */
export function requireCategories({ rows, keys }: Pick<Catalogue, 'rows' | 'keys'>, file: string): string[] {
  const categories = [...new Set(rows.map((row) => row.category).filter((category) => category !== ''))];
  if (categories.length > 0) return categories;
  if (keys === 'id') return [''];
  throw new UserError(`${file}: no book has a category; give the column "category"`);
}

type RowReading =
  | { readonly row: CatalogueRow; readonly popularity: number; readonly converted: boolean }
  | { readonly reason: string };

function readRow(cells: readonly string[], columns: ColumnIndex, width: number): RowReading {
  if (cells.length !== width) {
    return { reason: `${cells.length} fields where the header has ${width}; quote fields that hold the separator` };
  }
  const cellOf = (index: number | undefined): string => (index === undefined ? '' : (cells[index] ?? '').trim());
  const isbnCell = cellOf(columns.key);
  const reading = columns.keyKind === 'id' ? readId(isbnCell) : readIsbn(isbnCell);
  if ('reason' in reading) return reading;
  const price = readPrice(cellOf(columns.price));
  if (price === undefined) return { reason: `price "${cellOf(columns.price).slice(0, 40)}" is no amount of 0 or more` };
  const year = cellOf(columns.year);
  if (!/^(?:[0-9]{1,4})?$/.test(year)) return { reason: `year "${year.slice(0, 40)}" is no year` };
  const popularity = cellOf(columns.popularity);
  if (columns.popularity !== undefined && !/^[0-9]+(?:\.[0-9]+)?$/.test(popularity)) {
    return { reason: `popularity "${popularity.slice(0, 40)}" is no number of 0 or more` };
  }
  const title = cellOf(columns.title).replace(/\s+/g, ' ');
  return {
    row: { isbn: reading.isbn, title, category: cellOf(columns.category), price, year },
    popularity: Number(popularity),
    converted: columns.keyKind === 'isbn' && /^[0-9]{9}[0-9X]$/i.test(isbnCell.replace(/[\s-]/g, '')),
  };
}

/** Longer ids than this are a column taken for another. */
const LONGEST_ID = 200;

/** An id of any kind, without the spaces around it. Requests carry it percent-encoded, so that `/` and `,` do no harm. */
function readId(cell: string): { readonly isbn: string } | { readonly reason: string } {
  if (cell === '') return { reason: 'the id is empty' };
  if (/\p{Cc}|\ufffd/u.test(cell))
    return { reason: `the id ${JSON.stringify(cell.slice(0, 40))} holds a control or broken character` };
  if (cell.length > LONGEST_ID)
    return { reason: `the id "${cell.slice(0, 40)}…" is longer than ${LONGEST_ID} characters` };
  return { isbn: cell };
}

/** A price with two decimals: `12`, `12.5`, `12,50`, `1,234.50`, `1.234,50`, with or without a currency sign. */
export function readPrice(cell: string): string | undefined {
  const text = cell.replace(/^(?:[A-Z]{3}|\p{Sc})\s*|\s*(?:[A-Z]{3}|\p{Sc})$/gu, '').trim();
  if (text === '') return cell === '' ? '' : undefined;
  // One sign between the groups, another one before the decimals: `1,234,56` is neither of the two.
  const grouped = /^[0-9]{1,3}([., \u00a0'’])[0-9]{3}(?:\1[0-9]{3})*(?:(?!\1)[.,][0-9]{1,2})?$/.test(text);
  if (!grouped && !/^[0-9]+(?:[.,][0-9]+)?$/.test(text)) return undefined;
  const decimals = grouped ? /[.,]([0-9]{1,2})$/.exec(text) : /[.,]([0-9]+)$/.exec(text);
  const whole = (decimals === null ? text : text.slice(0, decimals.index)).replace(/[^0-9]/g, '');
  return Number(`${whole}.${decimals?.[1] ?? '0'}`).toFixed(2);
}

function notesOf(encoding: string, converted: number, books: number): string[] {
  const notes: string[] = [];
  if (encoding !== 'utf-8') notes.push(`read as ${encoding}`);
  if (converted > 0) notes.push(`${converted} ISBN-10 converted to ISBN-13`);
  if (books < SMALL_CATALOGUE) {
    notes.push(`only ${books} books: so small a catalogue fits every cache, and the database is hardly measured`);
  }
  return notes;
}
