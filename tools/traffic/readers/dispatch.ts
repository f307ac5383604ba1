/**
 * Reads each line with the format that the lines before had, and tries the others when that fails: files that change
 * their format in the middle exist. The format is found from the line's content, never from the file's name.
 */
import { UserError } from '../../base/user-error.ts';
import { albReader } from './alb.ts';
import { hasText } from './bytes.ts';
import { consoleReader } from './console.ts';
import { csvReader, headerDelimiter, isRowOfLine } from './csv.ts';
import { jsonReader } from './json-lines.ts';
import { isShape } from './json-shape.ts';
import { logfmtReader } from './logfmt.ts';
import { beginsWithLevel, looksLikeMessage } from './message.ts';
import { ncsaReader } from './ncsa.ts';
import { criParts, PART } from './parts.ts';
import { compilePattern } from './pattern.ts';
import { patternReader } from './pattern-reader.ts';
import {
  LINE,
  type LineKind,
  type LineReader,
  latin1,
  malformed,
  type RawRecord,
  type ReaderOptions,
} from './raw-record.ts';
import { w3cReader } from './w3c.ts';

export const FORMATS = ['auto', 'w3c', 'ncsa', 'json', 'alb', 'logfmt', 'console', 'csv', 'tsv'] as const;
export type FormatName = (typeof FORMATS)[number];

export interface Dispatcher {
  /** Whether the fast NCSA reader may be tried first. */
  readonly ncsaFirst: boolean;
  /** Name of the format of the latest record. */
  readonly format: string;
  read(buf: Uint8Array, start: number, end: number, out: RawRecord): LineKind;
  /** Tells that the fast reader has read a line. */
  sawNcsa(): void;
}

/**
 * @param format one of FORMATS, or the format string of nginx or Apache
 * @param before format of the lines before the first, where reading begins in the middle of a file
 * @throws UserError when the format string cannot be used
 */
export function dispatcher(format: string, options: ReaderOptions, before?: string): Dispatcher {
  const lines = format === 'auto' ? anyFormat(options, before) : single(format, options);
  const parts = criParts();
  return {
    get ncsaFirst() {
      return lines.ncsaFirst;
    },
    get format() {
      return lines.format;
    },
    sawNcsa: () => lines.sawNcsa(),
    read(buf, start, end, out) {
      const whole = parts(buf, start, end);
      if (whole === undefined) return lines.read(buf, start, end, out);
      if (whole === PART) return LINE.other;
      const kind = lines.read(whole, 0, whole.length, out);
      if (kind === LINE.malformed) out.reason = `a line in several parts: ${out.reason}`;
      else if (kind === LINE.record) out.joined = true;
      return kind;
    },
  };
}

/** Tries them all. */
function anyFormat(options: ReaderOptions, before: string | undefined): Dispatcher {
  const readers: LineReader[] = [
    ncsaReader(),
    w3cReader(options),
    jsonReader(options),
    albReader(),
    logfmtReader(options),
    consoleReader(),
  ];
  const w3c = readers[1] as LineReader;
  let current = readers.find((reader) => reader.format === before);
  let csv: LineReader | undefined;
  let hadFields = false;

  function directive(buf: Uint8Array, start: number, end: number, out: RawRecord): LineKind {
    const kind = w3c.read(buf, start, end, out);
    if (hasText(buf, start, end, '#Fields')) {
      hadFields = true;
      current = w3c;
    }
    return kind;
  }

  function readAny(buf: Uint8Array, start: number, end: number, out: RawRecord): LineKind {
    if (buf[start] === 35) return directive(buf, start, end, out);
    const first = current?.read(buf, start, end, out);
    if (first !== undefined && first !== LINE.malformed) return first;
    const own = current;
    let reason = own === undefined ? 'no known log format' : out.reason;
    if (looksLikeMessage(buf, start, end)) return LINE.other;
    for (const reader of readers) {
      if (reader === own || (reader === w3c && !hadFields)) continue;
      const kind = reader.read(buf, start, end, out);
      if (kind === LINE.malformed) {
        if (isShape(out.reason)) reason = out.reason;
        continue;
      }
      if (kind !== LINE.other) current = reader;
      return kind;
    }
    if (end - start < 4096) {
      const delimiter = headerDelimiter(latin1(buf, start, end));
      if (delimiter !== undefined) {
        if (csv !== undefined) readers.splice(readers.indexOf(csv), 1);
        csv = csvReader(delimiter, options);
        readers.push(csv);
        current = csv;
        return csv.read(buf, start, end, out);
      }
    }
    if (beginsWithLevel(buf, start, end)) return LINE.other;
    // What else stands in the log of a Heroku application.
    if (/^\S+ (?:app|heroku)\[/.test(latin1(buf, start, Math.min(end, start + 120)))) return LINE.other;
    return malformed(out, reason);
  }

  return {
    get ncsaFirst() {
      return current === undefined || current.format === 'ncsa';
    },
    get format() {
      return current?.format ?? 'unknown';
    },
    sawNcsa() {
      current = readers[0];
    },
    read(buf, start, end, out): LineKind {
      const kind = readAny(buf, start, end, out);
      if (kind !== LINE.withoutRequest || !isRowOfLine(buf, start, end)) return kind;
      return malformed(out, 'a row of a CSV export without its header line');
    },
  };
}

/** A fixed format. */
function single(format: string, options: ReaderOptions): Dispatcher {
  const reader = readerOf(format, options);
  return {
    ncsaFirst: format === 'ncsa',
    format: reader.format,
    sawNcsa() {},
    read(buf, start, end, out) {
      // Header lines and comments of another program are no rows of any format.
      if (buf[start] === 35 && reader.format !== 'w3c') return LINE.directive;
      return reader.read(buf, start, end, out);
    },
  };
}

function readerOf(format: string, options: ReaderOptions): LineReader {
  switch (format) {
    case 'w3c':
      return w3cReader(options);
    case 'ncsa':
    case 'common':
    case 'combined':
      return ncsaReader();
    case 'json':
      return jsonReader(options);
    case 'alb':
      return albReader();
    case 'logfmt':
      return logfmtReader(options);
    case 'console':
      return consoleReader();
    case 'csv':
      return csvReader(',', options);
    case 'tsv':
      return csvReader('\t', options);
  }
  if (!/[$%]/.test(format)) {
    throw new UserError(
      `--format "${format}" is no format; choose one of ${FORMATS.join(', ')} or give a log_format or LogFormat string`,
    );
  }
  const compiled = compilePattern(format);
  if (compiled.kind === 'json') return jsonReader({ ...options, map: { ...compiled.map, ...options.map } });
  return patternReader(compiled.pattern, options.durationUnit);
}
