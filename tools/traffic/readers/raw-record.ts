/**
 * What a reader finds in one line: places of bytes in a buffer and numbers, no strings. One record is filled again and
 * again, so that a line costs no allocation.
 */

/** What a line turned out to be. Every physical line gets exactly one. */
export const LINE = {
  /** A request that can be replayed. */
  record: 0,
  /** An answered connection without a usable request (empty, `-`, garbage of a scanner, a time-out). */
  withoutRequest: 1,
  /** A header line that steers the reader (`#Fields`, the first line of a CSV file). */
  directive: 2,
  /** A line that is understood and is no access record (an application's own message). */
  other: 3,
  /** A line that cannot be read; `reason` says why. */
  malformed: 4,
  blank: 5,
} as const;
export type LineKind = (typeof LINE)[keyof typeof LINE];

/** A part of `buf`; empty when start equals end. */
export interface Span {
  start: number;
  end: number;
}

export interface RawRecord {
  /** The bytes that all spans point into: the chunk itself, or a buffer of the reader. */
  buf: Uint8Array;
  /** Time stamp as logged, milliseconds since 1970 UTC; NaN when the line has none. */
  time: number;
  /** Field and text of a time stamp that is there and not understood; empty when there is none. */
  unreadStamp: string;
  /** HTTP status; 0 when there is none. */
  status: number;
  /** How long the request took, ms; NaN when not logged. */
  duration: number;
  /** How the unit of the duration is known, one of `UNIT`. */
  unit: number;
  method: Span;
  path: Span;
  query: Span;
  /** Client address without port. */
  client: Span;
  /** Addresses that proxies have passed on (X-Forwarded-For), logged beside the peer's. */
  forwarded: Span;
  user: Span;
  agent: Span;
  /** Session id; empty when not logged. */
  session: Span;
  host: Span;
  /** Whether a cache in front answered: 1 yes, 0 no, -1 not known. */
  cacheHit: number;
  /** Whether a line before this one told the other half of the request. */
  joined: boolean;
  /** Why the line is malformed. */
  reason: string;
  /** Hashes that a reader has computed on its way (see hashes.ts); `hashed` says whether they belong to this line. */
  hashed: boolean;
  pathHash1: number;
  pathHash2: number;
  agentHash: number;
}

/**
 * Known (or no duration at all), taken as seconds or as milliseconds by its look, so open that the duration was left out, or a
 * duration that cannot be read at all.
 */
export const UNIT = { known: 0, guessed: 1, leftOut: 2, guessedMs: 3, unread: 4 } as const;

/** Milliseconds per unit. */
export const MILLISECONDS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000 };

/** What the user may say about fields that a format leaves open. */
export interface ReaderOptions {
  /**
   * Field that holds the client's address, in the format's own naming, or `forwarded` for what proxies have passed on; the
   * reader's own choice when absent.
   */
  readonly clientField?: string;
  /** Field that holds the session id; default is the first of the usual names. */
  readonly sessionField?: string;
  /** Cookie that holds the session id. */
  readonly sessionCookie?: string;
  /** Unit of the duration field, when the format does not say. */
  readonly durationUnit?: 's' | 'ms' | 'us' | 'ns';
  /** Own JSON key or column names: standard field -> name in the log. */
  readonly map?: Readonly<Partial<Record<StandardField, string>>>;
}

export const STANDARD_FIELDS = [
  'time',
  'method',
  'target',
  'path',
  'query',
  'request',
  'status',
  'duration',
  'client',
  'user',
  'agent',
  'session',
  'host',
  'cache',
] as const;
export type StandardField = (typeof STANDARD_FIELDS)[number];

/** Reads one line (without its line end) of one format; keeps what earlier lines of the file told (headers, dates). */
export interface LineReader {
  read(buf: Uint8Array, start: number, end: number, out: RawRecord): LineKind;
}

export function newRawRecord(): RawRecord {
  const span = (): Span => ({ start: 0, end: 0 });
  return {
    buf: new Uint8Array(0),
    time: Number.NaN,
    unreadStamp: '',
    status: 0,
    duration: Number.NaN,
    unit: UNIT.known,
    method: span(),
    path: span(),
    query: span(),
    client: span(),
    forwarded: span(),
    user: span(),
    agent: span(),
    session: span(),
    host: span(),
    cacheHit: -1,
    joined: false,
    reason: '',
    hashed: false,
    pathHash1: 0,
    pathHash2: 0,
    agentHash: 0,
  };
}

/** Empties the record, so that nothing of the line before is taken for this one's. */
export function resetRecord(out: RawRecord, buf: Uint8Array): void {
  out.buf = buf;
  out.time = Number.NaN;
  out.unreadStamp = '';
  out.status = 0;
  out.duration = Number.NaN;
  out.unit = UNIT.known;
  out.method.start = out.method.end = 0;
  out.path.start = out.path.end = 0;
  out.query.start = out.query.end = 0;
  out.client.start = out.client.end = 0;
  out.forwarded.start = out.forwarded.end = 0;
  out.user.start = out.user.end = 0;
  out.agent.start = out.agent.end = 0;
  out.session.start = out.session.end = 0;
  out.host.start = out.host.end = 0;
  out.cacheHit = -1;
  out.joined = false;
  out.reason = '';
  out.hashed = false;
}

export function malformed(out: RawRecord, reason: string): LineKind {
  out.reason = reason;
  return LINE.malformed;
}

/** Text of a span; bytes become the characters of the same number, so that no byte is lost or refused. */
export function textOf(buf: Uint8Array, span: Span): string {
  return latin1(buf, span.start, span.end);
}

export function latin1(buf: Uint8Array, start: number, end: number): string {
  return Buffer.from(buf.buffer, buf.byteOffset + start, Math.max(0, end - start)).toString('latin1');
}

/** The characters that the bytes are in UTF-8. */
export function utf8(buf: Uint8Array, start: number, end: number): string {
  return Buffer.from(buf.buffer, buf.byteOffset + start, end - start).toString('utf8');
}
