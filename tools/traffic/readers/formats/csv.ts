/**
 * CSV and TSV with a header line, one request a line. Quoting is papaparse's; columns have the names that JSON keys have. A
 * column may also hold the server's own line, as exports of log stores have it (Splunk, CloudWatch, Loki, Datadog).
 */
import { createRequire } from 'node:module';
import { indexOfText, QUOTE } from '../bytes.ts';
import { embeddedReader } from '../embedded-line.ts';
import { isLineName, plainKey } from '../field-names.ts';
import { fieldsReader } from '../fields-record.ts';
import type { LogFormat } from '../log-format.ts';
import {
  LINE,
  type LineKind,
  type LineReader,
  malformed,
  type RawRecord,
  type ReaderOptions,
  resetRecord,
  utf8,
} from '../raw-record.ts';
import { isMethod } from '../request-line.ts';
import { ncsaReader } from './ncsa.ts';

const DELIMITERS = [',', ';', '|'];

export const CSV: LogFormat = {
  name: 'csv',
  lines: 'CSV with a header',
  writers: 'exports of Splunk, CloudWatch, Loki, Datadog; `;` and `|` separate columns too',
  reader: (options) => csvReader(',', options),
  header: {
    kind: 'columns',
    readerFrom(line, options) {
      const delimiter = headerDelimiter(line, DELIMITERS);
      return delimiter === undefined ? undefined : csvReader(delimiter, options);
    },
    missing: missingHeader,
  },
  fieldNames: namesInHeader,
};

let loaded: typeof import('papaparse') | undefined;

/** Loaded with the first header line: other logs do not need it. */
function papa(): typeof import('papaparse') {
  loaded ??= createRequire(import.meta.url)('papaparse') as typeof import('papaparse');
  return loaded;
}

interface Row {
  readonly fields: readonly string[];
  /** Whether its quotes close. */
  readonly closed: boolean;
}

/**
 * Reader of lines below a header. A line with the header's own words (files put together) is a header again.
 * @param delimiter `,`, `;`, `|` or a tab
 */
export function csvReader(delimiter: string, options: ReaderOptions): LineReader {
  // A semicolon stands between columns where the comma stands in numbers.
  const readFields = fieldsReader(options, delimiter === ';');
  const inner = embeddedReader(options, ncsaReader());
  let header: readonly string[] = [];
  /** Columns that may hold a server's line. */
  let lineColumns: readonly number[] = [];
  /** Whether the quotes of a row with such columns are still open: its message goes on in the next line. */
  let open = false;

  /** What stands before the last column, where that is one that may be written without quotes and yet hold the delimiter. */
  let beforeLine: RegExp | undefined;

  function rowOf(buf: Uint8Array, start: number, end: number): Row {
    const text = utf8(buf, start, end);
    const parse = (row: string) => papa().parse<string[]>(row, { delimiter, header: false });
    const before = beforeLine?.exec(text)?.[0];
    if (before !== undefined && text[before.length] !== '"') {
      const fields = before === '' ? [] : (parse(before.slice(0, -1)).data[0] ?? ['']);
      return { fields: [...fields, text.slice(before.length)], closed: true };
    }
    const parsed = parse(text);
    if (parsed.errors.length === 0) return { fields: parsed.data[0] ?? [], closed: true };
    return { fields: parse(`${text}"`).data[0] ?? [], closed: false };
  }

  function fromRow(fields: readonly string[], buf: Uint8Array, out: RawRecord): LineKind {
    resetRecord(out, buf);
    const kind = readFields(new Map(header.map((name, i) => [name, fields[i]])), out, Number.NaN);
    if (kind === LINE.record || lineColumns.length === 0) return kind;
    const { status, reason } = out;
    for (const column of lineColumns) {
      const further = inner.line(fields[column] ?? '', out);
      if (further !== LINE.other) return further;
    }
    out.status = status;
    out.reason = reason;
    return kind;
  }

  return {
    read(buf, start, end, out): LineKind {
      const { fields, closed } = rowOf(buf, start, end);
      if (closed && isHeader(fields)) {
        header = fields.map((name) => plainKey(name.trim()));
        lineColumns = header.flatMap((name, i) => (isLineName(name) ? [i] : []));
        const quoted = `(?:[^"${delimiter}]*|"(?:[^"]|"")*")${delimiter === '|' ? '\\|' : delimiter}`;
        beforeLine =
          lineColumns.at(-1) === header.length - 1 ? new RegExp(`^(?:${quoted}){${header.length - 1}}`) : undefined;
        open = false;
        return LINE.directive;
      }
      if (header.length === 0) return malformed(out, 'no header line before this row');
      const whole = closed && fields.length === header.length;
      if (open && !whole) {
        if (quotesIn(buf, start, end) % 2 === 1) open = false;
        return LINE.other;
      }
      open = !closed && lineColumns.length > 0;
      if (!closed && !open) return malformed(out, 'the quotes of the row do not close');
      if (closed && !whole) return malformed(out, 'another number of columns than the header names');
      const kind = fromRow(fields, buf, out);
      if (kind !== LINE.other || lineColumns.length > 0) return kind;
      return malformed(out, 'the row has neither a request nor a status');
    },
  };
}

function quotesIn(buf: Uint8Array, start: number, end: number): number {
  let quotes = 0;
  for (let i = start; i < end; i++) if (buf[i] === QUOTE) quotes++;
  return quotes;
}

/** A header: names without digits first, among them a status and a way to ask, or a line's and a time's. */
function isHeader(fields: readonly string[]): boolean {
  const names = fields.map((name) => name.trim());
  if (!names.every((name) => /^[a-z@#$_(][^{}"]{0,60}$/i.test(name))) return false;
  if (names.length >= 3 && names.some((name) => /status|code/i.test(name))) return true;
  // Words of a message may stand so too: the name of its time, or a name that is no word, tells.
  if (!names.every((name) => /^[\w@.$ ()-]{1,40}$/.test(name)) || !names.some(isLineName)) return false;
  return names.some((name) => /^[@_]?(?:time|date|ts)|time(?:stamp)?$/i.test(name) || /^[@_]/.test(name));
}

/**
 * Delimiter of a header line: the first of these at which its names are a header's.
 * @returns `undefined` when the line is no header
 */
export function headerDelimiter(line: string, delimiters: readonly string[]): string | undefined {
  return delimiters.find(
    (delimiter) =>
      // The export of one column alone has none.
      (line.includes(delimiter) || delimiter === ',') &&
      isHeader(line.split(delimiter).map((name) => name.replace(/^"|"$/g, ''))),
  );
}

/** Names of the columns, where the line is a header: other lines hold values. */
export function namesInHeader(line: string): string[] | undefined {
  return /status|code/i.test(line) && !/\d/.test(line) ? line.split(/[\t,;|]/).map((name) => name.trim()) : undefined;
}

/** A request is quoted as in a column, which is no line's own way. */
function missingHeader(buf: Uint8Array, start: number, end: number): string | undefined {
  const at = indexOfText(buf, '] ""', start, end) + 4;
  return at > 4 && isMethod(buf, at, at + 1) ? 'a row of a CSV export without its header line' : undefined;
}
