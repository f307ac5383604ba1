/**
 * NCSA common and combined log format as Apache, nginx and many others write it:
 * `[vhost] client ident user [time] "request" status bytes ["referer" "agent" [extras...]]`.
 * Fields are found by what they look like, not by counting blanks: user names may hold blanks, requests may hold quotes.
 */
import {
  DASH,
  decimal,
  dropDash,
  hasPort,
  hasText,
  indexOfByte,
  integer,
  looksLikeAddress,
  QUOTE,
  SPACE,
  setClient,
  setSpan,
  statusOf,
} from './bytes.ts';
import {
  type LineKind,
  type LineReader,
  latin1,
  malformed,
  type RawRecord,
  resetRecord,
  type Span,
} from './raw-record.ts';
import { setRequest } from './request-line.ts';
import { clfTime, isoTime, monthOf } from './time.ts';
import { unescapeInto } from './unescape.ts';

export function ncsaReader(): LineReader {
  const referer: Span = { start: 0, end: 0 };
  return {
    format: 'ncsa',
    read(buf, start, end, out): LineKind {
      resetRecord(out, buf);
      const open = timeBracket(buf, start, end, out);
      if (open < 0) return malformed(out, 'no [time] as the common log format has it');
      const close = indexOfByte(buf, 93, open, end);
      setWho(buf, start, open, out);
      if (out.client.end <= out.client.start || isNothingOrLevel(buf, start, open))
        return malformed(out, 'no client before the time');
      let at = close + 1;
      while (at < end && buf[at] === SPACE) at++;
      if (buf[at] !== QUOTE) return malformed(out, 'no quoted request after the time');
      const quote = requestEnd(buf, at + 1, end);
      if (quote < 0) return malformed(out, 'the request has no closing quote with a status after it');
      const statusAt = quote + 2;
      let next = wordEnd(buf, statusAt, end);
      const absent = next - statusAt === 1 && buf[statusAt] === 45;
      out.status = absent ? 0 : statusOf(buf, statusAt, next);
      next = wordEnd(buf, next + 1, end);
      // Referer and agent, both quoted; both may be missing.
      const afterReferer = quoted(buf, next, end, referer);
      if (afterReferer > 0) {
        next = afterReferer;
        const afterAgent = quoted(buf, next, end, out.agent);
        if (afterAgent > 0) {
          next = afterAgent;
          dropDash(buf, out.agent);
        } else setSpan(out.agent, 0, 0);
      }
      if (next < end) setExtras(buf, next, end, out);
      const kind = setRequest(out, at + 1, quote);
      unescapeInto(out, out.agent);
      return kind;
    },
  };
}

/** Whether nothing but a logger's level stands there, or nothing at all. */
export function isNothingOrLevel(buf: Uint8Array, start: number, end: number): boolean {
  return end - start < 12 && LEVEL.test(latin1(buf, start, end));
}

const LEVEL = /^\s*(?:(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL):?)?\s*$/;

/** Place of the `[` that opens a time; user names may hold brackets too. Fills `out.time`. */
function timeBracket(buf: Uint8Array, start: number, end: number, out: RawRecord): number {
  for (let open = indexOfByte(buf, 91, start, end); open >= 0; open = indexOfByte(buf, 91, open + 1, end)) {
    // No time is longer than this; looking further for each bracket would take quadratic time on a hostile line.
    const close = indexOfByte(buf, 93, open, Math.min(end, open + 48));
    if (close < 0) continue;
    let time = clfTime(buf, open + 1, close);
    if (Number.isNaN(time)) time = isoTime(buf, open + 1, close);
    if (!Number.isNaN(time)) {
      out.time = time;
      return open;
    }
  }
  return -1;
}

/** Client and user out of `[prefix] [vhost] client[, client...] ident user `. */
function setWho(buf: Uint8Array, start: number, end: number, out: RawRecord): void {
  while (end > start && buf[end - 1] === SPACE) end--;
  while (start < end && buf[start] === SPACE) start++;
  const from = afterPrefix(buf, start, end);
  let at = clientAt(buf, from, end);
  // One word before it is the virtual host.
  const first = wordEnd(buf, from, end);
  if (at === first + 1 && Number.isNaN(isoTime(buf, from, first))) setSpan(out.host, from, first);
  const to = listEnd(buf, wordEnd(buf, at, end), end);
  // RFC 5424 lets a text in UTF-8 begin with a byte-order mark.
  if (buf[at] === 0xef && buf[at + 1] === 0xbb && buf[at + 2] === 0xbf) at += 3;
  // `INFO:werkzeug:192.0.2.1`
  const colon = lastColon(buf, at, to);
  if (colon > at && !looksLikeAddress(buf, at, to) && looksLikeAddress(buf, colon + 1, to)) at = colon + 1;
  setClient(buf, at, to, out);
  if (out.client.end <= out.client.start && to > at) setSpan(out.client, at, to);
  const ident = wordEnd(buf, to + 1, end);
  setSpan(out.user, ident + 1, end);
  if (ident >= end) setSpan(out.user, 0, 0);
  dropDash(buf, out.user);
}

/** Start of what the server wrote: behind the last mark of syslog or of containers that client, ident and user follow. */
function afterPrefix(buf: Uint8Array, start: number, end: number): number {
  let after = start;
  for (let at = start; at < end; ) {
    const stop = wordEnd(buf, at, end);
    if (wordsFrom(buf, stop + 1, end) < 3) break;
    if (endsPrefix(buf, at, stop)) after = stop + 1;
    at = stop + 1;
  }
  while (after < end && buf[after] === SPACE) after++;
  return after;
}

/** `nginx[12]:` of syslog, `web_1 |` of containers run together (also coloured), `stdout F` of a container's runtime. */
function endsPrefix(buf: Uint8Array, start: number, end: number): boolean {
  if (buf[start] === 124) return true;
  if (buf[end - 1] === 58) return end - start > 1 && !looksLikeAddress(buf, start, end);
  const full = end - start === 1 && (buf[start] === 70 || buf[start] === 80);
  return full && (hasText(buf, start - 8, start, ' stdout ') || hasText(buf, start - 8, start, ' stderr '));
}

/** Start of the client. The servers' own words come first; a user's name, which anyone may choose, comes after. */
function clientAt(buf: Uint8Array, start: number, end: number): number {
  const stop = wordEnd(buf, start, end);
  const second = stop + 1;
  const secondEnd = wordEnd(buf, second, end);
  const isSecond = secondEnd < end && wordEnd(buf, secondEnd + 1, end) < end;
  const dash = secondEnd + 1;
  const beforeDash = isSecond && buf[second] !== DASH && buf[dash] === DASH && buf[dash + 1] === SPACE;
  const secondIsAddress = isSecond && looksLikeAddress(buf, second, secondEnd);
  if (looksLikeAddress(buf, start, stop)) {
    // A virtual host may be an address too; its port tells. Else the first is what a proxy has passed on.
    return (secondIsAddress || beforeDash) && hasPort(buf, start, stop) ? second : start;
  }
  if (secondIsAddress) return second;
  if (isForeign(buf, start, stop, second)) return beforeIdent(buf, start, end);
  return beforeDash ? second : start;
}

/** Whether the line begins with what syslog or a shipper puts in front, without a mark behind it: a priority, a time, a month. */
function isForeign(buf: Uint8Array, start: number, stop: number, second: number): boolean {
  if (buf[start] === 60 || !Number.isNaN(isoTime(buf, start, stop))) return true;
  const month = stop - start === 3 && monthOf(buf[start], buf[start + 1], buf[start + 2]) > 0;
  return month && (buf[second] === SPACE || ((buf[second] as number) >= 48 && (buf[second] as number) <= 57));
}

/** The word before the ident, which is `-` nearly everywhere; the first word when none is. */
function beforeIdent(buf: Uint8Array, start: number, end: number): number {
  for (let user = wordStart(buf, end, start); user > start; ) {
    const ident = wordStart(buf, user - 1, start);
    if (ident > start && user - 2 === ident && buf[ident] === DASH) return wordStart(buf, ident - 1, start);
    user = ident;
  }
  return start;
}

/** Start of the word that ends at `end`. */
export function wordStart(buf: Uint8Array, end: number, start: number): number {
  let at = end;
  while (at > start && buf[at - 1] !== SPACE) at--;
  return at;
}

/** How many words begin in [at, end), three at most. */
function wordsFrom(buf: Uint8Array, at: number, end: number): number {
  let words = 0;
  for (let i = at; i < end && words < 3; i++) if (buf[i] !== SPACE && (i === at || buf[i - 1] === SPACE)) words++;
  return words;
}

function lastColon(buf: Uint8Array, start: number, end: number): number {
  let at = end - 1;
  while (at >= start && buf[at] !== 58) at--;
  return at;
}

function listEnd(buf: Uint8Array, to: number, end: number): number {
  let stop = to;
  while (stop < end && buf[stop - 1] === 44) stop = wordEnd(buf, stop + 1, end);
  return stop;
}

/** First unescaped quote that a status (three digits or `-`) follows; a request may hold bare quotes. */
export function requestEnd(buf: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    if (buf[i] === 92) i++;
    else if (buf[i] === QUOTE && buf[i + 1] === SPACE) {
      const word = wordEnd(buf, i + 2, end);
      if (word - i === 5 && integer(buf, i + 2, word) >= 0) return i;
      if (word - i === 3 && buf[i + 2] === 45) return i;
    }
  }
  return -1;
}

/** Reads ` "..."` at `at`; the place after it, or -1. The closing quote is one that a blank or the end follows. */
export function quoted(buf: Uint8Array, at: number, end: number, span: Span): number {
  while (at < end && buf[at] === SPACE) at++;
  if (buf[at] !== QUOTE || at >= end) return -1;
  for (let i = at + 1; i < end; i++) {
    if (buf[i] === 92) i++;
    else if (buf[i] === QUOTE && (i + 1 >= end || buf[i + 1] === SPACE)) {
      setSpan(span, at + 1, i);
      return i + 1;
    }
  }
  // Cut off in the middle: what is there is kept.
  setSpan(span, at + 1, end);
  return end;
}

/**
 * Trailing extras. Only what cannot be mistaken is taken: nginx's `$request_time`, a decimal number of seconds with exactly
 * three places, as the first word or behind a length and before a `[name]` (Kubernetes' ingress-nginx), and `rt=`,
 * `request_time=`; morgan's `12.345 ms`; and Traefik's last word `12ms` behind a quoted URL. A whole number may be anything,
 * so it takes a pattern (`--format`).
 */
function setExtras(buf: Uint8Array, start: number, end: number, out: RawRecord): void {
  let at = start;
  for (let word = 0; at < end && Number.isNaN(out.duration); word++) {
    while (at < end && buf[at] === SPACE) at++;
    const stop = wordEnd(buf, at, end);
    let from = at;
    for (const name of TIME_NAMES) if (hasText(buf, at, stop, name)) from = at + name.length;
    const number = hasText(buf, stop - 2, stop, 'ms') && isWhole(buf, at, stop - 2) ? integer(buf, at, stop - 2) : -1;
    if (number >= 0 && stop >= end && buf[at - 2] === QUOTE) out.duration = number;
    else if (word === 0 && stop + 3 === end && hasText(buf, stop, end, ' ms')) out.duration = decimal(buf, at, stop);
    else if (from > at || word === 0 || (word === 1 && buf[stop + 1] === 91 && isWhole(buf, start, at))) {
      out.duration = milliseconds(buf, from, stop);
    }
    at = stop + 1;
  }
}

/** Seconds; a longer one is nginx's `$msec`, a time of day. */
const LONGEST = 1e6;

const TIME_NAMES = ['rt=', 'request_time=', 'reqtime='];

/** Seconds with exactly three places; NaN for anything else. */
function milliseconds(buf: Uint8Array, from: number, stop: number): number {
  const dot = indexOfByte(buf, 46, from, stop);
  if (dot <= from || stop - dot !== 4) return Number.NaN;
  const [whole, part] = [integer(buf, from, dot), integer(buf, dot + 1, stop)];
  return whole >= 0 && whole < LONGEST && part >= 0 ? whole * 1000 + part : Number.NaN;
}

/** Whether nothing but digits and blanks stands there. */
function isWhole(buf: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const byte = buf[i] as number;
    if (byte !== SPACE && (byte < 48 || byte > 57)) return false;
  }
  return true;
}

export function wordEnd(buf: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && buf[i] !== SPACE) i++;
  return Math.min(i, Math.max(at, end));
}
