/**
 * JSON lines: one object a line, also behind a text head (Caddy's console encoder ends its line with the object). Objects
 * that describe no request (start-up messages, errors) are `other`, not malformed.
 */
import { statusOf as bytesStatus, decimal, integer, setClient } from './bytes.ts';
import { cookieInto } from './cookies.ts';
import { durationScale, JSON_NAMES } from './json-fields.ts';
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
      return fromObject(object as Json, out, open > start ? { buf, start, end: open } : undefined);
    },
  };

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
    const status = lookUp(flat, names.status)?.value;
    const hasMethod = text('method', out.method);
    const hasTarget = text('target', out.path) || text('path', out.path);
    const line = { start: 0, end: 0 };
    const hasLine = !(hasMethod && hasTarget) && text('request', line);
    if (status === undefined && !hasTarget && !hasLine) return LINE.other;
    out.status = readStatus(status);
    if (out.status < 0) return malformed(out, 'the status is no three-digit number');
    out.time = readTime(lookUp(flat, names.time)?.value, head);
    out.duration = readDuration(flat);
    const client = { start: 0, end: 0 };
    if (text('client', client)) setClient(out.buf, client.start, client.end, out);
    text('user', out.user);
    text('agent', out.agent);
    text('host', out.host);
    text('session', out.session);
    if (options.sessionCookie !== undefined) {
      const cookie = { start: 0, end: 0 };
      const value = lookUp(flat, ['request.headers.cookie', 'http_cookie', 'cookie', 'cs(cookie)'])?.value;
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

  function readDuration(flat: ReadonlyMap<string, unknown>): number {
    const found = lookUp(flat, names.duration);
    if (found === undefined) return Number.NaN;
    let value = found.value;
    let scale = durationScale(found.name, flat.has('downstreamstatus') || flat.has('startutc')) ?? 1000;
    if (typeof value === 'string') {
      const match = /^\s*(-?[0-9.,eE+-]+)\s*(ns|us|µs|ms|s)?\s*$/.exec(value);
      if (match === null) return Number.NaN;
      value = Number((match[1] as string).replace(',', '.'));
      const unit = match[2];
      if (unit !== undefined) return (value as number) * (UNIT[unit] ?? 1);
    }
    if (options.durationUnit !== undefined) scale = UNIT[options.durationUnit] ?? 1;
    return typeof value === 'number' && Number.isFinite(value) ? value * scale : Number.NaN;
  }
}

const UNIT: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000 };

function readStatus(value: unknown): number {
  if (value === undefined || value === null || value === '' || value === '-') return 0;
  const text = Buffer.from(String(value), 'latin1');
  return bytesStatus(text, 0, text.length);
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
    names[field] = (own === undefined ? JSON_NAMES[field] : [own]).map((name) => name.toLowerCase());
  }
  return names;
}

/** Keys in lower case with dots between levels; of a list the first element (Caddy keeps headers in lists). */
function flatten(object: Json, prefix: string, flat: Map<string, unknown>, depth: number): void {
  for (const [key, raw] of Object.entries(object)) {
    const value: unknown = Array.isArray(raw) ? raw[0] : raw;
    const name = (prefix + key).toLowerCase();
    if (typeof value === 'object' && value !== null) {
      if (depth < 4) flatten(value as Json, `${prefix}${key}.`, flat, depth + 1);
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
