/** The catalogue file of the suite and its search terms as CSV text: the same rows give the same bytes. */

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

/**
 * The catalogue file: header and rows, LF line ends, fields quoted only where CSV (RFC 4180) needs it.
 * @param keys name of the first column: `id` for rows that are no books
 */
export function catalogueCsv(rows: readonly CatalogueRow[], keys: 'isbn' | 'id' = 'isbn'): string {
  const header = CATALOGUE_COLUMNS.map((column) => (column === 'isbn' ? keys : column));
  const lines = rows.map((row) => CATALOGUE_COLUMNS.map((column) => csvField(row[column])).join(','));
  return `${header.join(',')}\n${lines.join('\n')}${lines.length > 0 ? '\n' : ''}`;
}

/** Search terms in popularity order, one a line under the header `term`. */
export function searchTermsCsv(terms: readonly string[]): string {
  return `term\n${terms.map(csvField).join('\n')}\n`;
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
