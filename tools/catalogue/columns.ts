/** Which column of a user's file holds what: by the name that was given, else by the names that people use. */
import { UserError } from '../base/user-error.ts';

export type ColumnRole = 'isbn' | 'id' | 'title' | 'category' | 'price' | 'year' | 'popularity';

/** Column names by role, as given on the command line; letter case and surrounding spaces do not matter. */
export type ColumnNames = Partial<Readonly<Record<ColumnRole, string>>>;

/** 0-based column per role; `key` names the rows: ISBNs, or ids of any other kind. */
export type ColumnIndex = { readonly key: number; readonly keyKind: KeyKind } & Partial<
  Readonly<Record<ColumnRole, number>>
>;

/** What names a row: an ISBN, whose check digit is tested, or any text that is there once. */
export type KeyKind = 'isbn' | 'id';

/** `popularity` is never guessed: sorting by the wrong column would silently change the popularity curve. */
const USUAL_NAMES: Readonly<Record<ColumnRole, readonly string[]>> = {
  isbn: ['isbn', 'isbn13', 'isbn_13', 'isbn-13', 'isbn 13', 'isbn10', 'isbn_10', 'isbn-10', 'isbn 10', 'ean', 'ean13'],
  id: ['id', 'sku', 'item', 'item_id', 'product_id', 'item id', 'product id'],
  title: ['title', 'book_title', 'book title', 'name'],
  category: ['category', 'categories', 'genre', 'subject'],
  price: ['price', 'unit_price', 'list_price', 'list price'],
  year: ['year', 'published', 'publication_year', 'publication year', 'year-of-publication'],
  popularity: [],
};

/**
 * @param header cells of the header line
 * @param place `file:line` of the header
 * @param kind what names the rows; `either` is for the suite's own file: ISBNs, else a column called exactly `id`
 * @throws UserError when a named column is missing or there twice, or the column that names the rows cannot be told.
 */
export function findColumns(
  header: readonly string[],
  names: ColumnNames,
  place: string,
  kind: KeyKind | 'either' = 'isbn',
): ColumnIndex {
  const cells = header.map(normalise);
  const found: Partial<Record<ColumnRole, number>> = {};
  for (const role of Object.keys(USUAL_NAMES) as ColumnRole[]) {
    const given = names[role];
    const candidates = given === undefined ? USUAL_NAMES[role] : [normalise(given)];
    const name = candidates.find((candidate) => cells.includes(candidate));
    if (name === undefined) {
      if (given === undefined) continue;
      throw new UserError(`${place}: no column "${given}"; the header has ${listOf(header)}`);
    }
    const index = cells.indexOf(name);
    if (cells.indexOf(name, index + 1) !== -1) {
      throw new UserError(`${place}: column "${header[index]}" stands twice in the header; rename one of them`);
    }
    found[role] = index;
  }
  const keyKind = kind === 'either' ? (found.isbn === undefined && cells.includes('id') ? 'id' : 'isbn') : kind;
  const key = found[keyKind];
  if (key === undefined) throw new UserError(noKey(header, cells, place, kind));
  return { ...found, key, keyKind };
}

function noKey(header: readonly string[], cells: readonly string[], place: string, kind: KeyKind | 'either'): string {
  const has = `the header has ${listOf(header)}`;
  if (kind === 'id') return `${place}: no column of ids; name it with --id-column, ${has}`;
  if (cells.some((cell) => /^[0-9x -]{10,}$/.test(cell))) {
    return `${place}: the first line is already data; put a header line with column names above it`;
  }
  // The build reads the suite's own form and has no options for columns.
  const remedy =
    kind === 'either'
      ? 'make the file with `bookstore-load data import`, with --isbn-column or --id-column'
      : 'name it with --isbn-column (with --id-column when the rows are no books)';
  return `${place}: no ISBN column; ${remedy}, ${has}`;
}

function normalise(name: string): string {
  return name.trim().toLowerCase();
}

function listOf(header: readonly string[]): string {
  const shown = header.slice(0, 12).map((cell) => `"${cell.trim().slice(0, 40)}"`);
  return shown.join(', ') + (header.length > 12 ? `, and ${header.length - 12} more` : '');
}
