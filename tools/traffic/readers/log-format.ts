/**
 * What the tool knows of one log format, all in one entry: its name, how its lines are recognised, what reads them, and its
 * traits. Everything that depends on the format asks the entry, so that a new format is one file and a place in the registry
 * (formats/registry.ts).
 */
import type { LineReader, ReaderOptions } from './raw-record.ts';

/** A header line that begins with `#` and may be followed by others: the reader sees them all, also those before it. */
export interface DirectiveHeader {
  readonly kind: 'directive';
  /** Whether the line says what the lines below it hold. */
  readonly opens: (buf: Uint8Array, start: number, end: number) => boolean;
}

/** A header line of column names. A new one makes a new reader; one such header is in force at a time. */
export interface ColumnHeader {
  readonly kind: 'columns';
  /** The reader of this line and those below it; `undefined` when the line names no columns of this format. */
  readonly readerFrom: (line: string, options: ReaderOptions) => LineReader | undefined;
  /** Why a line that another format reads as an answer without a request is a row whose header is missing. */
  readonly missing?: (buf: Uint8Array, start: number, end: number) => string | undefined;
}

export interface LogFormat {
  /** What `--format` calls it and its lines are counted as. */
  readonly name: string;
  /** Other words of `--format` that mean it. */
  readonly aliases?: readonly string[];
  /** Which lines these are, for the help: a few words. */
  readonly lines: string;
  /** Programs that write them, for the documentation. */
  readonly writers: string;
  /** Makes a reader of lines of this format; absent where only a format string says what the lines are. */
  readonly reader?: (options: ReaderOptions) => LineReader;
  /**
   * Makes a reader of the lines that a server's format string describes; `undefined` when it describes lines of another kind.
   * @throws UserError when the string cannot be used
   */
  readonly fromString?: (text: string, options: ReaderOptions) => LineReader | undefined;
  /**
   * The line that must come first. A format without one is recognised by its reader, which refuses the lines of others: it may
   * be tried on any line, and reading may begin in the middle of a file.
   */
  readonly header?: DirectiveHeader | ColumnHeader;
  /** Whether the kernel reads everyday lines of it. */
  readonly kernel?: true;
  /** Whether time stamps without a zone are UTC by definition. */
  readonly utc?: true;
  /** Names of the fields of a line or header; `undefined` when it is none of this format. Absent where fields have no names. */
  readonly fieldNames?: (line: string) => readonly string[] | undefined;
  /** Whether its reader's reason for refusing a line says what the line is, so that other readers' reasons count less. */
  readonly explains?: (reason: string) => boolean;
}

/** What `--format` takes beside a format string. */
export function formatNames(formats: readonly LogFormat[]): string[] {
  return formats.filter(({ reader }) => reader !== undefined).map(({ name }) => name);
}

/** The format of this name; `undefined` when there is none. */
export function formatNamed(formats: readonly LogFormat[], name: string): LogFormat | undefined {
  return formats.find((format) => format.name === name || format.aliases?.includes(name) === true);
}

/** The formats that are found from the content, in words. */
export function formatLines(formats: readonly LogFormat[]): string {
  return formats
    .filter(({ reader }) => reader !== undefined)
    .map(({ lines }) => lines)
    .join(', ');
}
