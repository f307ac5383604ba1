/** A request out of named fields, whatever the notation: JSON, `key=value`. */
import { statusOf as bytesStatus, setClient, setSpan } from './bytes.ts';
import { cacheHit } from './cache.ts';
import { cookieInto } from './cookies.ts';
import { FIELD_NAMES, type Fields, PASSED_ON, plainKey } from './field-names.ts';
import { durationReader } from './fields-duration.ts';
import { timeIn } from './fields-time.ts';
import {
  LINE,
  type LineKind,
  malformed,
  type RawRecord,
  type ReaderOptions,
  type Span,
  STANDARD_FIELDS,
  type StandardField,
} from './raw-record.ts';
import { setRequest, setStemAndQuery, setTarget } from './request-line.ts';
import { textBuffer } from './text-buffer.ts';
import { lastStamp } from './time.ts';

/**
 * @returns a reader that fills the record; `other` when the fields describe no request. The time is `fallback`, ms since 1970
 *   or NaN, where the fields have none.
 * @param decimalComma whether a comma in a number is known to be its decimal mark
 */
export function fieldsReader(
  options: ReaderOptions,
  decimalComma = false,
): (fields: Fields, out: RawRecord, fallback: number) => LineKind {
  const texts = textBuffer();
  const names = fieldNames(options);
  const setDuration = durationReader(names.duration, options, decimalComma);
  return (flat, out, fallback) => {
    texts.begin(out);
    const text = (field: StandardField, span: Span): boolean => {
      const value = lookUp(flat, names[field]);
      const string = typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
      texts.write(string === '-' ? '' : string, span);
      return span.end > span.start;
    };
    const status = statusIn(flat, names.status);
    const hasMethod = text('method', out.method);
    const hasTarget = text('target', out.path) || text('path', out.path);
    const line = { start: 0, end: 0 };
    const hasLine = !(hasMethod && hasTarget) && text('request', line);
    const { zoneless } = lastStamp;
    const time = timeIn(flat, names.time, out);
    if (Number.isNaN(time)) lastStamp.zoneless = zoneless;
    out.time = Number.isNaN(time) ? fallback : time;
    if (isMessage(flat, names.status)) return LINE.other;
    // A path or a method alone is an application's, and so is a status without digits.
    if (!hasLine && !(hasMethod && hasTarget) && !(status >= 0)) return LINE.other;
    if (status < 0) return malformed(out, 'the status is no three-digit number');
    out.status = Number.isNaN(status) ? 0 : status;
    setDuration(flat, out);
    const client = { start: 0, end: 0 };
    texts.write(clientIn(flat, names.client), client);
    if (client.end > client.start) setClient(out.buf, client.start, client.end, out);
    const forwarded = lookUp(flat, FORWARDED_NAMES);
    texts.write(typeof forwarded === 'string' ? forwarded : '', out.forwarded);
    text('user', out.user);
    text('agent', out.agent);
    text('host', out.host);
    text('session', out.session);
    if (options.sessionCookie !== undefined) {
      const cookie = { start: 0, end: 0 };
      const value = lookUp(flat, COOKIE_NAMES);
      texts.write(typeof value === 'string' ? value : '', cookie);
      cookieInto(out.buf, cookie.start, cookie.end, options.sessionCookie, out.session);
    }
    out.cacheHit = names.cache.map((name) => cacheHit(flat.get(name))).find((hit) => hit >= 0) ?? -1;
    if (hasLine && out.buf[line.start] === SLASH && hasMethod) setSpan(out.path, line.start, line.end);
    else if (hasLine) return setRequest(out, line.start, line.end);
    if (!hasMethod) return LINE.withoutRequest;
    text('query', out.query);
    // A target carries its own query; a path has it beside it.
    const usable =
      out.query.end > out.query.start ? setStemAndQuery(out) : setTarget(out, out.path.start, out.path.end);
    return usable ? LINE.record : LINE.withoutRequest;
  };
}

/** What proxies have passed on, beside the peer's address. */
const FORWARDED_NAMES = PASSED_ON.map(plainKey);
const COOKIE_NAMES = ['request.headers.cookie', 'http_cookie', 'cookie', 'cs(cookie)'].map(plainKey);

/** The first of these that is a status; NaN when there is none, -1 when what is there is no status. */
function statusIn(flat: Fields, names: readonly string[]): number {
  let found = Number.NaN;
  for (const name of names) {
    const value = flat.get(name);
    if (value === undefined || value === '' || value === '-') continue;
    const text = Buffer.from(String(value), 'latin1');
    // Caddy and Envoy write 0 for a request that got no answer.
    found = String(value) === '0' ? 0 : bytesStatus(text, 0, text.length);
    if (found >= 0) return found;
  }
  return found;
}

/** Fields that say in words what an application does: a request without a status beside them has not been answered. */
const WORDS = ['msg', 'message', 'event', '@m', '@mt'];

/** Whether these are an application's words about a request and no record of it. */
function isMessage(fields: Fields, statusNames: readonly string[]): boolean {
  const logger = fields.get('logger');
  // Caddy tells of an error and of each upstream once more.
  if (typeof logger === 'string' && logger.startsWith('http.') && !logger.includes('access')) return true;
  // A status without a value is that of a request that got no answer.
  if (statusNames.some((name) => fields.has(name))) return false;
  const words = WORDS.map((name) => fields.get(name)).find((value) => typeof value === 'string' && value !== '');
  // Fastify's first line of a request, without an id by which its second could be found.
  return words !== undefined && words !== 'incoming request';
}

/** The first of these that may be a client: under names as plain as these stand applications too. */
function clientIn(fields: Fields, names: readonly string[]): string {
  for (const name of names) {
    const value = fields.get(name);
    if (typeof value !== 'string' || value === '' || value === '-') continue;
    if (name === 'client' && !/^[[\d]|:.*:/.test(value)) continue;
    return value;
  }
  return '';
}

const SLASH = 47;

/** Plain keys of each standard field, the preferred one first; the user's own name stands alone. */
export function fieldNames(options: ReaderOptions): Record<StandardField, readonly string[]> {
  const names = {} as Record<StandardField, readonly string[]>;
  for (const field of STANDARD_FIELDS) {
    const own =
      options.map?.[field] ??
      (field === 'client' && options.clientField?.toLowerCase() !== 'forwarded'
        ? options.clientField
        : field === 'session'
          ? options.sessionField
          : undefined);
    names[field] = (own === undefined ? FIELD_NAMES[field] : [own]).map(plainKey);
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
