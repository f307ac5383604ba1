/**
 * Reads each line with the format that the lines before had, and tries the others when that fails: files that change
 * their format in the middle exist. The format is found from the line's content, never from the file's name.
 */
import { UserError } from '../../base/user-error.ts';
import { formatNamed, formatNames, type LogFormat } from './log-format.ts';
import { isMessageToo, looksLikeMessage } from './message.ts';
import { criLines, PART } from './partial-lines.ts';
import {
  LINE,
  type LineKind,
  type LineReader,
  latin1,
  malformed,
  type RawRecord,
  type ReaderOptions,
} from './raw-record.ts';

/** `--format` for the format that the content shows. */
const AUTO = 'auto';

export interface Dispatcher {
  /** Format of the latest record; `undefined` before the first. */
  readonly current: LogFormat | undefined;
  /** Format whose everyday lines the kernel may read; `undefined` when it may read none of this log. */
  readonly kernelFormat: LogFormat | undefined;
  /** Whether the kernel may be tried on the next line. */
  readonly kernelNext: boolean;
  read(buf: Uint8Array, start: number, end: number, out: RawRecord): LineKind;
  /** Tells that the kernel has read a line. */
  sawKernel(): void;
}

/** A reader and the format that it reads. */
interface Opened {
  readonly format: LogFormat;
  readonly reader: LineReader;
}

/** No header line of column names is longer, bytes. */
const LONGEST_HEADER = 4096;
const HASH = 35;

/**
 * @param text AUTO, the name of a format, or the format string of nginx or Apache
 * @param formats those that there are, in the order in which they are tried
 * @param before name of the format of the lines before the first, where reading begins in the middle of a file
 * @throws UserError when the text names no format and is no format string that can be used
 */
export function dispatcher(
  text: string,
  options: ReaderOptions,
  formats: readonly LogFormat[],
  before?: string,
): Dispatcher {
  const lines = text === AUTO ? anyFormat(options, formats, before) : oneFormat(openedBy(text, options, formats));
  const parts = criLines();
  return {
    get current() {
      return lines.current;
    },
    kernelFormat: lines.kernelFormat,
    get kernelNext() {
      return lines.kernelNext;
    },
    sawKernel: () => lines.sawKernel(),
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
function anyFormat(options: ReaderOptions, formats: readonly LogFormat[], before: string | undefined): Dispatcher {
  const columns = formats.flatMap((format) =>
    format.header?.kind === 'columns' ? [{ format, header: format.header }] : [],
  );
  const known = formats.flatMap((format): Opened[] =>
    format.reader === undefined || format.header?.kind === 'columns'
      ? []
      : [{ format, reader: format.reader(options) }],
  );
  const kernel = known.find(({ format }) => format.kernel === true);
  /** Readers that need no header, or have seen theirs. */
  let usable = known.filter(({ format }) => format.header === undefined);
  let current = known.find(({ format }) => format.name === before);
  let table: Opened | undefined;

  /** A line that begins with `#` steers the formats that have such lines; to all others it is a remark. */
  function directive(buf: Uint8Array, start: number, end: number, out: RawRecord): LineKind {
    for (const opened of known) {
      const { header } = opened.format;
      if (header?.kind !== 'directive') continue;
      opened.reader.read(buf, start, end, out);
      if (!header.opens(buf, start, end)) continue;
      usable = known.filter((one) => one === opened || usable.includes(one));
      current = opened;
    }
    return LINE.directive;
  }

  function tableBelow(line: string): Opened | undefined {
    for (const { format, header } of columns) {
      const reader = header.readerFrom(line, options);
      if (reader !== undefined) return { format, reader };
    }
    return undefined;
  }

  function readAny(buf: Uint8Array, start: number, end: number, out: RawRecord): LineKind {
    if (buf[start] === HASH) return directive(buf, start, end, out);
    const first = current?.reader.read(buf, start, end, out);
    if (first !== undefined && first !== LINE.malformed) return first;
    const own = current;
    let reason = own === undefined ? 'no known log format' : out.reason;
    if (looksLikeMessage(buf, start, end)) return LINE.other;
    for (const opened of table === undefined ? usable : [...usable, table]) {
      if (opened === own) continue;
      const kind = opened.reader.read(buf, start, end, out);
      if (kind === LINE.malformed) {
        if (opened.format.explains?.(out.reason) === true) reason = out.reason;
        continue;
      }
      if (kind !== LINE.other) current = opened;
      return kind;
    }
    const below = end - start < LONGEST_HEADER ? tableBelow(latin1(buf, start, end)) : undefined;
    if (below !== undefined) {
      table = below;
      current = below;
      return below.reader.read(buf, start, end, out);
    }
    return isMessageToo(buf, start, end) ? LINE.other : malformed(out, reason);
  }

  return {
    get current() {
      return current?.format;
    },
    kernelFormat: kernel?.format,
    get kernelNext() {
      return current === undefined || current === kernel;
    },
    sawKernel() {
      current = kernel;
    },
    read(buf, start, end, out): LineKind {
      const kind = readAny(buf, start, end, out);
      if (kind !== LINE.withoutRequest) return kind;
      for (const { header } of columns) {
        const reason = header.missing?.(buf, start, end);
        if (reason !== undefined) return malformed(out, reason);
      }
      return kind;
    },
  };
}

/** A fixed format. */
function oneFormat({ format, reader }: Opened): Dispatcher {
  const hasDirectives = format.header?.kind === 'directive';
  return {
    current: format,
    kernelFormat: format.kernel === true ? format : undefined,
    kernelNext: format.kernel === true,
    sawKernel() {},
    read(buf, start, end, out) {
      // Header lines and comments of another program are no rows of any format.
      if (buf[start] === HASH && !hasDirectives) return LINE.directive;
      return reader.read(buf, start, end, out);
    },
  };
}

function openedBy(text: string, options: ReaderOptions, formats: readonly LogFormat[]): Opened {
  const format = formatNamed(formats, text);
  if (format?.reader !== undefined) return { format, reader: format.reader(options) };
  for (const candidate of formats) {
    const reader = candidate.fromString?.(text, options);
    if (reader !== undefined) return { format: candidate, reader };
  }
  throw new UserError(
    `--format "${text}" is no format; choose one of ${[AUTO, ...formatNames(formats)].join(', ')} or give a log_format or LogFormat string`,
  );
}
