/** CSV text as rows with the lines on which they begin. */

import Papa from 'papaparse';
import { largest } from '../../lib/model/extremes.ts';
import { UserError } from '../base/user-error.ts';

/** A row that cannot be used. */
export interface BrokenRow {
  /** 1-based line of the file on which the row begins. */
  readonly line: number;
  readonly reason: string;
}

/** What spreadsheets and databases put between fields, the more usual first. */
const SEPARATORS = [',', ';', '\t', '|'];

export interface Table {
  readonly header: readonly string[];
  readonly headerLine: number;
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** Rows whose quotes do not pair. */
  readonly broken: readonly BrokenRow[];
}

/**
 * Reads a CSV text as spreadsheets and databases export it.
 * @param file name for messages
 * @param separator found out from the header when not given
 * @throws UserError when there is no header
 */
export function parseTable(text: string, file: string, separator: string | undefined): Table {
  // Excel's own hint, a first line `sep=;`, is no data.
  const hint = /^sep=(.)\n/i.exec(text);
  const body = hint === null ? text : text.slice(hint[0].length);
  const parsed = Papa.parse<string[]>(body, {
    delimiter: separator ?? hint?.[1] ?? separatorOf(body),
    newline: '\n',
  });
  const quoteErrors = new Map<number, string>();
  for (const { type, row, message } of parsed.errors) if (type === 'Quotes') quoteErrors.set(row ?? 0, message);
  const rows: { line: number; cells: readonly string[] }[] = [];
  const broken: BrokenRow[] = [];
  let line = hint === null ? 1 : 2;
  let header: { readonly line: number; readonly cells: readonly string[] } | undefined;
  parsed.data.forEach((cells, index) => {
    const here = line;
    line += 1 + newlinesIn(cells);
    const quotes = quoteErrors.get(index);
    if (quotes !== undefined) {
      if (header === undefined) throw new UserError(`${file}:${here}: the header's quotes do not pair (${quotes})`);
      broken.push({ line: here, reason: 'a quoted field is never closed or a quote stands inside it; double it ("")' });
    } else if (!cells.every((cell) => cell.trim() === '')) {
      if (header === undefined) header = { line: here, cells };
      else rows.push({ line: here, cells });
    }
  });
  if (header === undefined) throw new UserError(`${file}: empty; a header line and at least one row are needed`);
  return { header: header.cells, headerLine: header.line, rows, broken };
}

/** The separator that the header line holds most often outside of quotes; a comma when it holds none. */
function separatorOf(text: string): string {
  const header = (/^.*\S.*$/m.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => header.split(separator).length);
  return SEPARATORS[counts.indexOf(largest(counts))] ?? ',';
}

function newlinesIn(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) for (let at = cell.indexOf('\n'); at !== -1; at = cell.indexOf('\n', at + 1)) count++;
  return count;
}
