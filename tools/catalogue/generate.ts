/**
 * The reference catalogue and its search terms as CSV text, from the catalogue rule in `bookstore/books.ts`: the same input
 * gives the same bytes, so a generated file can be compared with the committed one.
 */
import { bookOf, CATALOGUE_SIZE, TITLE_NOUNS } from '../../bookstore/books.ts';

/** Header of the suite's catalogue file; rows stand in popularity order, the most popular book first. */
export const CATALOGUE_COLUMNS = ['isbn', 'title', 'category', 'price', 'year'] as const;

/** One row of the catalogue file. */
export interface CatalogueRow {
  readonly isbn: string;
  readonly title: string;
  readonly category: string;
  /** Price with two decimals; empty when a user's own file has none. */
  readonly price: string;
  /** Year of publication; empty when a user's own file has none. */
  readonly year: string;
}

/** Rows of the first `size` books of the reference catalogue (1 to 1,000,000,000). */
export function referenceRows(size: number = CATALOGUE_SIZE): CatalogueRow[] {
  return Array.from({ length: size }, (_, n) => {
    const book = bookOf(n);
    return {
      isbn: book.isbn,
      title: book.title,
      category: book.category,
      price: (book.priceCents / 100).toFixed(2),
      year: String(book.year),
    };
  });
}

/**
 * The catalogue file: header and rows, LF line ends, fields quoted only where CSV (RFC 4180) needs it.
 * @param keys name of the first column: `id` for rows that are no books
 */
export function catalogueCsv(rows: readonly CatalogueRow[], keys: 'isbn' | 'id' = 'isbn'): string {
  const header = CATALOGUE_COLUMNS.map((column) => (column === 'isbn' ? keys : column));
  const lines = rows.map((row) => CATALOGUE_COLUMNS.map((column) => csvField(row[column])).join(','));
  return `${header.join(',')}\n${lines.join('\n')}${lines.length > 0 ? '\n' : ''}`;
}

/** Search terms in popularity order, one a line under the header `term`: words that every title is made of. */
export function searchTermsCsv(terms: readonly string[] = TITLE_NOUNS.map((noun) => noun.toLowerCase())): string {
  return `term\n${terms.map(csvField).join('\n')}\n`;
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
