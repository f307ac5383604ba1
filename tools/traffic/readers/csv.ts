/** CSV and TSV with a header line, one request a line. Quoting is papaparse's; columns have the names that JSON keys have. */
import { createRequire } from 'node:module';
import { plainKey } from './field-names.ts';
import { fieldsReader } from './fields-record.ts';
import {
  LINE,
  type LineKind,
  type LineReader,
  malformed,
  type RawRecord,
  type ReaderOptions,
  resetRecord,
} from './raw-record.ts';

let loaded: typeof import('papaparse') | undefined;

/** Loaded with the first header line: other logs do not need it. */
function papa(): typeof import('papaparse') {
  loaded ??= createRequire(import.meta.url)('papaparse') as typeof import('papaparse');
  return loaded;
}

/**
 * Reader of lines below a header. A line with the header's own words (files put together) is a header again.
 * @param delimiter `,`, `;`, `|` or a tab
 */
export function csvReader(delimiter: string, options: ReaderOptions): LineReader {
  // A semicolon stands between columns where the comma stands in numbers.
  const readFields = fieldsReader(options, delimiter === ';');
  let header: readonly string[] | undefined;

  function fieldsOf(buf: Uint8Array, start: number, end: number): string[] | undefined {
    const text = Buffer.from(buf.buffer, buf.byteOffset + start, end - start).toString('utf8');
    const parsed = papa().parse<string[]>(text, { delimiter, header: false });
    return parsed.errors.length > 0 ? undefined : parsed.data[0];
  }

  return {
    format: delimiter === '\t' ? 'tsv' : 'csv',
    read(buf, start, end, out: RawRecord): LineKind {
      const fields = fieldsOf(buf, start, end);
      if (fields === undefined) return malformed(out, 'the quotes of the row do not close');
      if (header === undefined || isHeader(fields)) {
        if (!isHeader(fields)) return malformed(out, 'no header line before this row');
        header = fields.map((name) => plainKey(name.trim()));
        return LINE.directive;
      }
      if (fields.length !== header.length) return malformed(out, 'another number of columns than the header names');
      const named = new Map(header.map((name, i) => [name, fields[i]]));
      resetRecord(out, buf);
      const kind = readFields(named, out, Number.NaN);
      return kind === LINE.other ? malformed(out, 'the row has neither a request nor a status') : kind;
    },
  };
}

/** A header: at least three names without digits first, among them a status and a way to ask. */
export function isHeader(fields: readonly string[]): boolean {
  if (fields.length < 3) return false;
  const names = fields.map((name) => name.trim().toLowerCase());
  return names.every((name) => /^[a-z@#$_(][^{}"]{0,60}$/.test(name)) && names.some((name) => /status|code/.test(name));
}

/** Delimiter of a header line, or `undefined` when the line is none. */
export function headerDelimiter(line: string): string | undefined {
  for (const delimiter of ['\t', ',', ';', '|']) {
    if (line.includes(delimiter) && isHeader(line.split(delimiter).map((name) => name.replace(/^"|"$/g, '')))) {
      return delimiter;
    }
  }
  return undefined;
}
