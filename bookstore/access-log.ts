/**
 * Access log in the W3C extended format. Date and time are UTC and tell when the request **arrived**, to the
 * millisecond; `time-taken` is in milliseconds until the last byte was handed over. So the gap between two requests of
 * a session is the difference of their times less the first one's `time-taken`. Lines stand in the order in which
 * requests ended. A client that went away before its answer is logged with status 499.
 */
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { VERSION } from './version.ts';

/** Columns that are not logged unless asked for: address and agent tell people apart, the session id does so exactly. */
export const LOG_COLUMNS = ['c-ip', 'cs(User-Agent)', 'cs(X-Session-Id)'] as const;
export type LogColumn = (typeof LOG_COLUMNS)[number];

const BASE_COLUMNS = ['date', 'time', 'cs-method', 'cs-uri-stem', 'cs-uri-query', 'sc-status', 'time-taken'];

/** Status of a request whose client left before the answer (nginx's number; no server sends it). */
export const CLIENT_CLOSED = 499;

export interface LogRecord {
  /** Milliseconds since 1970. */
  readonly arrivedAt: number;
  readonly method: string;
  /** Request target as sent, query included. */
  readonly target: string;
  readonly status: number;
  readonly timeTakenMs: number;
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  readonly sessionId?: string | undefined;
}

export interface AccessLog {
  write(record: LogRecord): void;
  /** Writes what is still held and closes the file. */
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 2_000;

/**
 * Opens (or goes on with) a log file.
 * @param onError told of the first write that fails; lines that could not be written are kept for the next try
 */
export async function openAccessLog(
  file: string,
  columns: readonly LogColumn[],
  onError: (error: Error) => void,
): Promise<AccessLog> {
  const handle = await open(file, 'a');
  let held: string[] = [header(columns, new Date())];
  let writing: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    writing = writing.then(async () => {
      if (held.length === 0) return;
      const lines = held;
      held = [];
      try {
        await handle.appendFile(lines.join(''));
      } catch (error) {
        onError(error as Error);
        held = [...lines, ...held];
      }
    });
    return writing;
  };

  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();
  await flush();
  return {
    write: (record) => {
      held.push(line(record, columns));
    },
    close: async () => {
      clearInterval(timer);
      await flush();
      await handle.close();
    },
  };
}

/** The directives that open a log; repeated when a file is continued, as the format allows. */
export function header(columns: readonly LogColumn[], now: Date): string {
  return [
    '#Version: 1.0',
    `#Software: bookstore ${VERSION}`,
    `#Date: ${now.toISOString().slice(0, 19).replace('T', ' ')}`,
    '#Remark: date and time: arrival of the request, UTC; time-taken: milliseconds; blanks in values are written as +',
    `#Fields: ${[...BASE_COLUMNS, ...columns].join(' ')}`,
    '',
  ].join('\n');
}

/** One record as one line. */
export function line(record: LogRecord, columns: readonly LogColumn[]): string {
  const at = new Date(record.arrivedAt).toISOString();
  const { stem, query } = split(record.target);
  const optional: Record<LogColumn, string | undefined> = {
    'c-ip': record.address,
    'cs(User-Agent)': headerText(record.userAgent),
    'cs(X-Session-Id)': headerText(record.sessionId),
  };
  return `${[
    at.slice(0, 10),
    at.slice(11, 23),
    field(record.method),
    field(stem),
    field(query),
    String(record.status),
    record.timeTakenMs.toFixed(3),
    ...columns.map((column) => field(optional[column])),
  ].join(' ')}\n`;
}

/** Path and query of a request target; the absolute form that proxies send loses its scheme and host. */
function split(target: string): { stem: string; query: string } {
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const mark = path.indexOf('?');
  return mark < 0
    ? { stem: path || '/', query: '' }
    : { stem: path.slice(0, mark) || '/', query: path.slice(mark + 1) };
}

/** Node hands header values over byte by byte (latin1); what the client sent as UTF-8 is read as such. */
function headerText(value: string | undefined): string | undefined {
  if (value === undefined || !/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return value;
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}

/**
 * A value as one column: nothing becomes `-`, a blank `+` (as IIS writes it), and whatever else could break the line or
 * the column (control characters, bytes beyond ASCII, a quote that would open a quoted string) is percent-encoded.
 */
export function field(value: string | undefined): string {
  if (value === undefined || value === '') return '-';
  if (value === '-') return '%2D';
  return value
    .replace(/ /g, '+')
    .replace(/[^\x21\x23-\x7e]/gu, (character) =>
      [...Buffer.from(character, 'utf8')]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    );
}
