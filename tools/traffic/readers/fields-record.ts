/** A request out of named fields, whatever the notation: JSON, `key=value`. */
import { statusOf as bytesStatus, decimal, integer, setClient } from './bytes.ts';
import { cookieInto } from './cookies.ts';
import { durationScale, JSON_NAMES, plainKey } from './json-fields.ts';
import {
  LINE,
  type LineKind,
  MILLISECONDS,
  malformed,
  type RawRecord,
  type ReaderOptions,
  type Span,
  STANDARD_FIELDS,
  type StandardField,
} from './raw-record.ts';
import { setRequest, setStemAndQuery, setTarget } from './request-line.ts';
import { scratchWriter } from './scratch.ts';
import { clfTime, epochTime, isoTime, lastStamp } from './time.ts';

/** Values by plain key (`plainKey`), dots between the levels of nested objects. */
export type Fields = ReadonlyMap<string, unknown>;

/**
 * @returns a reader that fills the record; `other` when the fields describe no request. The time is `fallback`, ms since 1970
 *   or NaN, where the fields have none.
 */
export function fieldsReader(options: ReaderOptions): (fields: Fields, out: RawRecord, fallback: number) => LineKind {
  const scratch = scratchWriter();
  const names = fieldNames(options);
  return (flat, out, fallback) => {
    scratch.begin(out);
    const text = (field: StandardField, span: Span): boolean => {
      const value = lookUp(flat, names[field]);
      const string = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
      scratch.write(string === '-' ? '' : string, span);
      return span.end > span.start;
    };
    const status = statusIn(flat, names.status);
    const hasMethod = text('method', out.method);
    const hasTarget = text('target', out.path) || text('path', out.path);
    const line = { start: 0, end: 0 };
    const hasLine = !(hasMethod && hasTarget) && text('request', line);
    const { zoneless } = lastStamp;
    const time = timeIn(flat, names.time);
    if (Number.isNaN(time)) lastStamp.zoneless = zoneless;
    out.time = Number.isNaN(time) ? fallback : time;
    // A path or a method alone is an application's, and so is a status without digits.
    if (!hasLine && !(hasMethod && hasTarget) && !(status >= 0)) return LINE.other;
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
      const value = lookUp(flat, COOKIE_NAMES);
      scratch.write(typeof value === 'string' ? value : '', cookie);
      cookieInto(out.buf, cookie.start, cookie.end, options.sessionCookie, out.session);
    }
    const cache = lookUp(flat, names.cache);
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
  };

  /** The first of its names that holds a number: one server's duration is another's time stamp (`requestTime`). */
  function readDuration(flat: Fields): number {
    for (const name of names.duration) {
      const value = flat.get(name);
      const [number, unit] = typeof value === 'string' ? numberAndUnit(value) : [value, undefined];
      if (typeof number !== 'number' || !Number.isFinite(number)) continue;
      const open =
        options.durationUnit === undefined
          ? durationScale(name, value, (key) => flat.has(key))
          : MILLISECONDS[options.durationUnit];
      return number * ((unit === undefined ? open : MILLISECONDS[unit]) ?? 1000);
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

/** The first of these that is a status; NaN when there is none, -1 when what is there is no status. */
function statusIn(flat: Fields, names: readonly string[]): number {
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

/** The first of these that is a time; NaN when there is none. */
function timeIn(fields: Fields, names: readonly string[]): number {
  for (const name of names) {
    const time = readTime(fields.get(name));
    if (!Number.isNaN(time)) return time;
  }
  return Number.NaN;
}

function readTime(value: unknown): number {
  // A stamp that was tried before may have named no zone; seconds since 1970 need none.
  lastStamp.zoneless = false;
  if (typeof value === 'number') return epochTime(value);
  if (typeof value !== 'string') return Number.NaN;
  const text = Buffer.from(value, 'latin1');
  const whole = integer(text, 0, text.length);
  const number = whole >= 0 ? whole : decimal(text, 0, text.length);
  if (!Number.isNaN(number)) return epochTime(number);
  const time = isoTime(text, 0, text.length);
  return Number.isNaN(time) ? clfTime(text, 0, text.length) : time;
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

function lookUp(flat: Fields, names: readonly string[]): unknown {
  for (const name of names) {
    const value = flat.get(name);
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}
