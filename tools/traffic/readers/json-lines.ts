/**
 * JSON lines: one object a line, also behind a text head (Caddy's console encoder ends its line with the object). Objects
 * that describe no request (start-up messages, errors) are `other`, not malformed. The request may lie further in: in an
 * object of a cloud's envelope, or as the server's own line in a string of a container's runtime.
 */
import { ENVELOPES, LINE_NAMES, plainKey } from './field-names.ts';
import { fieldsReader } from './fields-record.ts';
import { ncsaReader } from './ncsa.ts';
import {
  LINE,
  type LineKind,
  type LineReader,
  malformed,
  type RawRecord,
  type ReaderOptions,
  resetRecord,
} from './raw-record.ts';
import { requestPairs } from './request-pairs.ts';
import { isoTime } from './time.ts';

type Json = Readonly<Record<string, unknown>>;

export function jsonReader(options: ReaderOptions): LineReader {
  const readFields = fieldsReader(options);
  const textReader = ncsaReader();
  const pairs = requestPairs(options);
  return {
    format: 'json',
    read(buf, start, end, out): LineKind {
      resetRecord(out, buf);
      let open = start;
      while (open < end && buf[open] !== 123) open++;
      if (open >= end) return malformed(out, 'no JSON object');
      const object = parsed(Buffer.from(buf.buffer, buf.byteOffset + open, end - open).toString('utf8'));
      if (object === undefined) return malformed(out, 'the JSON cannot be parsed');
      const kind = fromObject(object, out, headTime(buf, start, open));
      if (kind === LINE.record) return kind;
      // All that counts of a line without a request.
      const { status, reason } = out;
      const inner = fromEnvelope(object, out, 0);
      if (inner !== LINE.other) return inner;
      out.status = status;
      out.reason = reason;
      return kind;
    },
  };

  /** The request within an object that is none itself; the envelope's time stands in for one that is missing. */
  function fromEnvelope(envelope: Json, out: RawRecord, depth: number): LineKind {
    const time = out.time;
    for (const [key, value] of Object.entries(envelope)) {
      let kind: LineKind = LINE.other;
      if (typeof value === 'object' && value !== null && ENVELOPES.has(plainKey(key)))
        kind = fromInner(value as Json, out, depth);
      else if (typeof value === 'string' && LINE_NAMES.has(plainKey(key))) kind = fromText(value.trim(), out, depth);
      if (kind === LINE.other) continue;
      if (Number.isNaN(out.time)) out.time = time;
      return kind;
    }
    return LINE.other;
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

  /** A string that may be a line of a server; any other message is `other`. */
  function fromText(text: string, out: RawRecord, depth: number): LineKind {
    const object = text.startsWith('{') ? parsed(text) : undefined;
    if (object !== undefined) return fromInner(object, out, depth);
    // With words before its client it is a message about a line, unless they are syslog's.
    if (/^[^[]*: /.test(text) && !SYSLOG_HEAD.test(text)) return LINE.other;
    const line = Buffer.from(text, 'utf8');
    const kind = textReader.read(line, 0, line.length, out);
    return kind === LINE.malformed ? LINE.other : kind;
  }
}

const SYSLOG_HEAD =
  /^(?:<\d+>|[A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d |(?:nginx|httpd|apache2?|traefik|caddy)(?:\[\d+\])?: )/;

/** Levels of an object that are looked at. */
const MOST_DEPTH = 4;

/** Time of the text in front of the object; NaN when it begins with none. */
function headTime(buf: Uint8Array, start: number, end: number): number {
  let to = start;
  while (to < end && buf[to] !== 9) to++;
  return isoTime(buf, start, to);
}

/** The object that a text beginning with `{` is, or nothing. */
function parsed(text: string): Json | undefined {
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
