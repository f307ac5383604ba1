/**
 * JSON lines: one object a line, also behind a text head (Caddy's console encoder ends its line with the object). Objects
 * that describe no request (start-up messages, errors) are `other`, not malformed. The request may lie further in: in an
 * object of a cloud's envelope, or as the server's own line in a string of a container's runtime.
 */
import { statusOf as bytesStatus, decimal, integer, setClient } from './bytes.ts';
import { cookieInto } from './cookies.ts';
import { durationScale, JSON_NAMES, LINE_NAMES, plainKey } from './json-fields.ts';
import { ncsaReader } from './ncsa.ts';
import {
  LINE,
  type LineKind,
  type LineReader,
  malformed,
  type RawRecord,
  type ReaderOptions,
  resetRecord,
  type Span,
  STANDARD_FIELDS,
  type StandardField,
} from './raw-record.ts';
import { setRequest, setStemAndQuery, setTarget } from './request-line.ts';
import { scratchWriter } from './scratch.ts';
import { clfTime, epochTime, isoTime } from './time.ts';

type Json = Readonly<Record<string, unknown>>;

export function jsonReader(options: ReaderOptions): LineReader {
  const scratch = scratchWriter();
  const names = fieldNames(options);
  const textReader = ncsaReader();
  return {
    format: 'json',
    read(buf, start, end, out): LineKind {
      resetRecord(out, buf);
      let open = start;
      while (open < end && buf[open] !== 123) open++;
      if (open >= end) return malformed(out, 'no JSON object');
      let object: unknown;
      try {
        object = JSON.parse(Buffer.from(buf.buffer, buf.byteOffset + open, end - open).toString('utf8'));
      } catch {
        return malformed(out, 'the JSON cannot be parsed');
      }
      if (typeof object !== 'object' || object === null) return malformed(out, 'no JSON object');
      const kind = fromObject(object as Json, out, open > start ? { buf, start, end: open } : undefined);
      return kind === LINE.other ? fromEnvelope(object as Json, out, 0) : kind;
    },
  };

  /** The request within an object that is none itself; the envelope's time stands in for one that is missing. */
  function fromEnvelope(envelope: Json, out: RawRecord, depth: number): LineKind {
    const time = out.time;
    for (const [key, value] of Object.entries(envelope)) {
      let kind: LineKind = LINE.other;
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        kind = fromInner(value as Json, out, depth);
      else if (typeof value === 'string' && LINE_NAMES.has(plainKey(key))) kind = fromText(value.trim(), out, depth);
      if (kind === LINE.other) continue;
      if (Number.isNaN(out.time)) out.time = time;
      return kind;
    }
    return LINE.other;
  }

  function fromInner(inner: Json, out: RawRecord, depth: number): LineKind {
    const kind = fromObject(inner, out, undefined);
    return kind === LINE.other && depth < MOST_DEPTH ? fromEnvelope(inner, out, depth + 1) : kind;
  }

  /** A string that may be a line of a server; any other message is `other`. */
  function fromText(text: string, out: RawRecord, depth: number): LineKind {
    const object = text.startsWith('{') ? parsed(text) : undefined;
    if (object !== undefined) return fromInner(object, out, depth);
    const line = Buffer.from(text, 'utf8');
    const kind = textReader.read(line, 0, line.length, out);
    return kind === LINE.malformed ? LINE.other : kind;
  }

  function fromObject(object: Json, out: RawRecord, head: (Span & { buf: Uint8Array }) | undefined): LineKind {
    const flat = new Map<string, unknown>();
    flatten(object, '', flat, 0);
    scratch.begin(out);
    const text = (field: StandardField, span: Span): boolean => {
      const value = lookUp(flat, names[field])?.value;
      const string = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
      scratch.write(string === '-' ? '' : string, span);
      return span.end > span.start;
    };
    const status = statusIn(flat, names.status);
    const hasMethod = text('method', out.method);
    const hasTarget = text('target', out.path) || text('path', out.path);
    const line = { start: 0, end: 0 };
    const hasLine = !(hasMethod && hasTarget) && text('request', line);
    out.time = readTime(lookUp(flat, names.time)?.value, head);
    // A path alone is a file's, and a status without digits an application's own.
    if (!hasLine && !hasMethod && !(status >= 0)) return LINE.other;
    if (status < 0) return malformed(out, 'the status is no three-digit number');
    out.status = Number.isNaN(status) ? 0 : status;
    out.duration = readDuration(flat);
    const client = { start: 0, end: 0 };
    if (text('client', client)) setClient(out.buf, client.start, client.end, out);
    text('user', out.user);
    text('agent', out.agent);
    text('host', out.host);
    text('session', out.session);
    if (options.sessionCookie !== undefined) {
      const cookie = { start: 0, end: 0 };
      const value = lookUp(flat, COOKIE_NAMES)?.value;
      scratch.write(typeof value === 'string' ? value : '', cookie);
      cookieInto(out.buf, cookie.start, cookie.end, options.sessionCookie, out.session);
    }
    const cache = lookUp(flat, names.cache)?.value;
    if (cache !== undefined) out.cacheHit = cache === true || /hit/i.test(String(cache)) ? 1 : 0;
    if (hasLine) {
      return setRequest(out, line.start, line.end);
    }
    if (!hasMethod) return LINE.withoutRequest;
    text('query', out.query);
    // A target carries its own query; a path has it beside it.
    const usable =
      out.query.end > out.query.start ? setStemAndQuery(out) : setTarget(out, out.path.start, out.path.end);
    return usable ? LINE.record : LINE.withoutRequest;
  }

  /** The first of its names that holds a number: one server's duration is another's time stamp (`requestTime`). */
  function readDuration(flat: ReadonlyMap<string, unknown>): number {
    const traefik = flat.has('downstreamstatus') || flat.has('startutc');
    for (const name of names.duration) {
      const value = flat.get(name);
      const [number, unit] = typeof value === 'string' ? numberAndUnit(value) : [value, undefined];
      if (typeof number !== 'number' || !Number.isFinite(number)) continue;
      const open =
        options.durationUnit === undefined ? durationScale(name, value, traefik) : UNIT[options.durationUnit];
      return number * ((unit === undefined ? open : UNIT[unit]) ?? 1000);
    }
    return Number.NaN;
  }
}

/** `0.019`, `19 ms`, `0,019s`. */
function numberAndUnit(text: string): [number, string | undefined] {
  const match = /^\s*(-?[0-9.,eE+-]+)\s*(ns|us|µs|ms|s)?\s*$/.exec(text);
  return [match === null ? Number.NaN : Number((match[1] as string).replace(',', '.')), match?.[2]];
}

const COOKIE_NAMES = ['request.headers.cookie', 'http_cookie', 'cookie', 'cs(cookie)'].map(plainKey);
/** Levels of an object that are looked at. */
const MOST_DEPTH = 4;

const UNIT: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000 };

/** The first of these that is a status; NaN when there is none, -1 when what is there is no status. */
function statusIn(flat: ReadonlyMap<string, unknown>, names: readonly string[]): number {
  let found = Number.NaN;
  for (const name of names) {
    const value = flat.get(name);
    if (value === undefined || value === '' || value === '-') continue;
    const text = Buffer.from(String(value), 'latin1');
    found = bytesStatus(text, 0, text.length);
    if (found >= 0) return found;
  }
  return found;
}

function parsed(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

/** Time of the object, else of the text in front of it. */
function readTime(value: unknown, head: (Span & { buf: Uint8Array }) | undefined): number {
  if (typeof value === 'number') return epochTime(value);
  if (typeof value === 'string') {
    const text = Buffer.from(value, 'latin1');
    const whole = integer(text, 0, text.length);
    const number = whole >= 0 ? whole : decimal(text, 0, text.length);
    if (!Number.isNaN(number)) return epochTime(number);
    const time = isoTime(text, 0, text.length);
    return Number.isNaN(time) ? clfTime(text, 0, text.length) : time;
  }
  if (head === undefined) return Number.NaN;
  let end = head.start;
  while (end < head.end && head.buf[end] !== 9) end++;
  return isoTime(head.buf, head.start, end);
}

function fieldNames(options: ReaderOptions): Record<StandardField, readonly string[]> {
  const names = {} as Record<StandardField, readonly string[]>;
  for (const field of STANDARD_FIELDS) {
    const own =
      options.map?.[field] ??
      (field === 'client' ? options.clientField : field === 'session' ? options.sessionField : undefined);
    names[field] = (own === undefined ? JSON_NAMES[field] : [own]).map(plainKey);
  }
  return names;
}

/** Plain keys with dots between levels; of a list the first element (Caddy keeps headers in lists). */
function flatten(object: Json, prefix: string, flat: Map<string, unknown>, depth: number): void {
  for (const [key, raw] of Object.entries(object)) {
    const value: unknown = Array.isArray(raw) ? raw[0] : raw;
    const name = plainKey(prefix + key);
    if (typeof value === 'object' && value !== null) {
      if (depth < MOST_DEPTH) flatten(value as Json, `${prefix}${key}.`, flat, depth + 1);
    } else if (value !== null && value !== undefined && !flat.has(name)) flat.set(name, value);
  }
}

function lookUp(
  flat: ReadonlyMap<string, unknown>,
  names: readonly string[],
): { readonly name: string; readonly value: unknown } | undefined {
  for (const name of names) {
    const value = flat.get(name);
    if (value !== undefined && value !== '') return { name, value };
  }
  return undefined;
}
