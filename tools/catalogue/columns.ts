/** Which column of a user's file holds what: by the name that was given, else by the names that people use. */
import { UserError } from '../user-error.ts';

export type ColumnRole = 'isbn' | 'title' | 'category' | 'price' | 'year' | 'popularity';

/** Column names by role, as given on the command line; letter case and surrounding spaces do not matter. */
export type ColumnNames = Partial<Readonly<Record<ColumnRole, string>>>;

/** 0-based column per role; only `isbn` must be there. */
export type ColumnIndex = { readonly isbn: number } & Partial<Readonly<Record<ColumnRole, number>>>;

/** `popularity` is never guessed: sorting by the wrong column would silently change the popularity curve. */
const USUAL_NAMES: Readonly<Record<ColumnRole, readonly string[]>> = {
  isbn: ['isbn', 'isbn13', 'isbn_13', 'isbn-13', 'isbn 13', 'isbn10', 'isbn_10', 'isbn-10', 'isbn 10', 'ean', 'ean13'],
  title: ['title', 'book_title', 'book title', 'name'],
  category: ['category', 'categories', 'genre', 'subject'],
  price: ['price', 'unit_price', 'list_price', 'list price'],
  year: ['year', 'published', 'publication_year', 'publication year', 'year-of-publication'],
  popularity: [],
};

/**
 * @param header cells of the header line
 * @param place `file:line` of the header
 * @throws UserError when a named column is missing or there twice, or no ISBN column can be told.
 */
export function findColumns(header: readonly string[], names: ColumnNames, place: string): ColumnIndex {
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
  if (found.isbn === undefined) {
    if (cells.some((cell) => /^[0-9x -]{10,}$/.test(cell))) {
      throw new UserError(`${place}: the first line is already data; put a header line with column names above it`);
    }
    throw new UserError(`${place}: no ISBN column; name it with --isbn-column, the header has ${listOf(header)}`);
  }
  return { ...found, isbn: found.isbn };
}

function normalise(name: string): string {
  return name.trim().toLowerCase();
}

function listOf(header: readonly string[]): string {
  const shown = header.slice(0, 12).map((cell) => `"${cell.trim().slice(0, 40)}"`);
  return shown.join(', ') + (header.length > 12 ? `, and ${header.length - 12} more` : '');
}
