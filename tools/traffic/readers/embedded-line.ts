/**
 * Requests that lie further in: in an object of a cloud's envelope, or as the server's own line in a string that a container's
 * runtime, a shipper or an export has put into an object or a column.
 */
import { withoutColours } from './ansi.ts';
import { bestReading } from './best-reading.ts';
import { ENVELOPES, isLineName, plainKey } from './field-names.ts';
import { fieldsReader } from './fields-record.ts';
import { LINE, type LineKind, type LineReader, latin1, type RawRecord, type ReaderOptions } from './raw-record.ts';
import { requestPairs } from './request-pairs.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface EmbeddedReader {
  /** The request that an object's own fields describe; the time is `fallback` where they have none. */
  object(object: Json, out: RawRecord, fallback: number): LineKind;
  /** The request within an object that is none itself; the envelope's time (`out.time`) stands in for one that is missing. */
  envelope(envelope: Json, out: RawRecord): LineKind;
  /** A string that may be a line of a server; any other message is `other`. The time of `out` stands in here too. */
  line(text: string, out: RawRecord): LineKind;
}

/** Levels of an object that are looked at. */
const MOST_DEPTH = 4;

/** @param textReader reads a server's own line */
export function embeddedReader(options: ReaderOptions, textReader: LineReader): EmbeddedReader {
  const readFields = fieldsReader(options);
  const pairs = requestPairs(options);

  function fromEnvelope(envelope: Json, out: RawRecord, depth: number): LineKind {
    const members = Object.entries(envelope).flatMap(([key, value]): (string | Buffer | Json)[] => {
      const line = isLineName(key) ? lineOf(value) : undefined;
      if (line !== undefined) return [line];
      return typeof value === 'object' && value !== null && ENVELOPES.has(plainKey(key)) ? [value as Json] : [];
    });
    return bestReading(members, out, (member) =>
      typeof member === 'string' || Buffer.isBuffer(member)
        ? fromText(member, out, depth)
        : fromInner(member, out, depth),
    );
  }

  function fromInner(inner: Json, out: RawRecord, depth: number): LineKind {
    const kind = fromObject(inner, out, Number.NaN);
    // A request without an answer in it is one that an application talks about.
    if (kind === LINE.record && out.status > 0) return kind;
    return depth < MOST_DEPTH ? fromEnvelope(inner, out, depth + 1) : LINE.other;
  }

  function fromObject(object: Json, out: RawRecord, fallback: number): LineKind {
    const own = new Map<string, unknown>();
    flatten(object, '', own, 0);
    const fields = pairs.read(own);
    if (fields === undefined) return LINE.other;
    out.joined = pairs.joined;
    return readFields(fields, out, fallback);
  }

  function fromText(value: string | Buffer, out: RawRecord, depth: number): LineKind {
    const line = plainLine(typeof value === 'string' ? Buffer.from(value, 'utf8') : value);
    const text = latin1(line, 0, line.length);
    const object = text.startsWith('{') ? parsedObject(line.toString('utf8')) : undefined;
    if (object !== undefined) return fromInner(object, out, depth);
    // With words before its client it is a message about a line, unless they are syslog's or a logger's.
    if (/^[^[]*: /.test(text) && !SYSLOG_HEAD.test(text) && !LEVEL_HEAD.test(text)) return LINE.other;
    const kind = textReader.read(line, 0, line.length, out);
    return kind === LINE.malformed ? LINE.other : kind;
  }

  return {
    object: fromObject,
    envelope: (envelope, out) => fromEnvelope(envelope, out, 0),
    line(text, out) {
      const { time } = out;
      const kind = fromText(text, out, 0);
      if (Number.isNaN(out.time)) out.time = time;
      return kind;
    },
  };
}

/** A line in a string, or in an array of bytes: so journald writes what is no printable UTF-8. */
function lineOf(value: unknown): string | Buffer | undefined {
  if (typeof value === 'string') return value;
  const bytes = Array.isArray(value) && value.length > 0 && value.every(isByte);
  return bytes ? Buffer.from(value as number[]) : undefined;
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

/** Without blanks around it and without the colours of a console. */
function plainLine(line: Buffer): Buffer {
  let [start, end] = [0, line.length];
  while (start < end && (line[start] as number) <= 32 && line[start] !== ESCAPE) start++;
  while (end > start && (line[end - 1] as number) <= 32) end--;
  const plain = line.subarray(start, end);
  return withoutColours(plain, 0, plain.length) ?? plain;
}

const ESCAPE = 27;

const SYSLOG_HEAD =
  /^(?:<\d+>|[A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d |(?:nginx|httpd|apache2?|traefik|caddy)(?:\[\d+\])?: )/;

/** `2024-03-04T10:00:00.123Z info: ` */
const LEVEL_HEAD = /^\d{4}-\d\d-\d\d[T ][\d:.,]{8,}\S* +\[?(?:trace|debug|info|http|verbose|notice)\]?: /i;

/** The object that a text beginning with `{` is, or nothing. */
export function parsedObject(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Plain keys with dots between levels; of a list the first element (Caddy keeps headers in lists). */
function flatten(object: Json, prefix: string, flat: Map<string, unknown>, depth: number): void {
  for (const [key, raw] of Object.entries(object)) {
    const value: unknown = Array.isArray(raw) ? raw[0] : raw;
    const name = plainKey(prefix + key);
    if (typeof value === 'object' && value !== null) {
      if (depth < MOST_DEPTH) flatten(value as Json, `${prefix}${key}.`, flat, depth + 1);
    } else if (value !== undefined && !flat.has(name)) flat.set(name, value ?? '');
  }
}
