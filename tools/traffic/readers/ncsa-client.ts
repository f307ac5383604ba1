/**
 * Who asked, in common and combined lines: `[prefix] [vhost] client[, client...] ident user `. Shippers, platforms and virtual
 * hosts put their words in front, so the client is found by what it looks like.
 */
import {
  COLON,
  DASH,
  dropDash,
  hasPort,
  hasText,
  lastByte,
  looksLikeAddress,
  QUOTE,
  SPACE,
  setClient,
  setSpan,
  TAB,
} from './bytes.ts';
import { latin1, type RawRecord } from './raw-record.ts';
import { isoTime, monthOf } from './time.ts';
import { wordEnd, wordStart, wordsFrom } from './words.ts';

/** Client, virtual host and user out of what stands before the time. */
export function setClientAndUser(buf: Uint8Array, first: number, stop: number, out: RawRecord): void {
  let end = stop;
  while (end > first && buf[end - 1] === SPACE) end--;
  const start = afterTabs(buf, first, end);
  const from = afterPrefix(buf, start, end);
  let at = clientAt(buf, from, end);
  // One word before it is the virtual host.
  const word = wordEnd(buf, from, end);
  if (at === word + 1 && Number.isNaN(isoTime(buf, from, word))) setSpan(out.host, from, word);
  const to = listEnd(buf, wordEnd(buf, at, end), end);
  // RFC 5424 lets a text in UTF-8 begin with a byte-order mark.
  if (buf[at] === 0xef && buf[at + 1] === 0xbb && buf[at + 2] === 0xbf) at += 3;
  // `INFO:werkzeug:192.0.2.1`, the line's number in front of it, `[info]192.0.2.1`.
  for (const mark of [COLON, BRACKET]) {
    const place = lastByte(buf, mark, at, to);
    if (place > at && !looksLikeAddress(buf, at, to) && looksLikeAddress(buf, place + 1, to)) at = place + 1;
  }
  setClient(buf, at, to, out);
  if (out.client.end <= out.client.start && to > at) setSpan(out.client, at, to);
  const ident = wordEnd(buf, to + 1, end);
  setSpan(out.user, ident + 1, end);
  if (ident >= end) setSpan(out.user, 0, 0);
  dropDash(buf, out.user);
}

/** Whether nothing but a logger's level stands there, or nothing at all. */
export function isNothingOrLevel(buf: Uint8Array, start: number, end: number): boolean {
  return end - start < 12 && LEVEL.test(latin1(buf, start, end));
}

const LEVEL = /^\s*(?:(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL):?)?\s*$/;
const BRACKET = 93;

/** Servers write no tabs there; what numbers lines or tells their source does. */
function afterTabs(buf: Uint8Array, start: number, end: number): number {
  let after = start;
  for (let tab = lastByte(buf, TAB, start, end); tab >= start; tab = lastByte(buf, TAB, start, tab)) {
    if (wordsFrom(buf, tab + 1, end) < 3) continue;
    after = tab + 1;
    break;
  }
  while (after < end && buf[after] === SPACE) after++;
  return after;
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

/** `nginx[12]:` of syslog, `web_1 |` of containers run together, `stdout F` of a container's runtime. */
function endsPrefix(buf: Uint8Array, start: number, end: number): boolean {
  if (buf[start] === 124) return true;
  if (buf[end - 1] === COLON) return end - start > 1 && !looksLikeAddress(buf, start, end);
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
  const dashSecond = buf[second] === DASH && buf[second + 1] === SPACE;
  const beforeDash = isSecond && buf[second] !== DASH && buf[dash] === DASH && buf[dash + 1] === SPACE;
  const secondIsAddress = isSecond && looksLikeAddress(buf, second, secondEnd);
  if (looksWrapped(buf, start, stop)) {
    // A virtual host may be an address too; its port tells. Else the first is what a proxy has passed on.
    return (secondIsAddress || beforeDash) && hasPort(buf, start, stop) ? second : start;
  }
  if (secondIsAddress) return second;
  const foreign = isForeign(buf, start, stop, second);
  if (!foreign && (dashSecond || beforeDash)) return beforeDash ? second : start;
  const word = beforeIdent(buf, start, end);
  if (word > start && (foreign || looksLikeAddress(buf, word, wordEnd(buf, word, end)))) return word;
  const address = addressAmong(buf, start, end);
  return address >= 0 ? address : start;
}

/** An address, also within quotes or parentheses as formats of one's own have it. */
function looksWrapped(buf: Uint8Array, start: number, end: number): boolean {
  if (buf[start] !== QUOTE && buf[start] !== 40) return looksLikeAddress(buf, start, end);
  // The first of a list, which may be a word that stands for no address.
  if (buf[end - 1] === 44) return true;
  const closed = buf[end - 1] === QUOTE || buf[end - 1] === 41;
  return closed && looksLikeAddress(buf, start + 1, end - 1);
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

/** Words that platforms put in front are fewer. */
const MOST_WORDS = 10;

/** The first address with room for ident and user behind it; -1 for none. */
function addressAmong(buf: Uint8Array, start: number, end: number): number {
  for (let at = start, words = 0; at < end && words < MOST_WORDS; words++) {
    const stop = wordEnd(buf, at, end);
    if (wordsFrom(buf, stop + 1, end) < 2) return -1;
    if (looksLikeAddress(buf, at, stop)) return at;
    at = stop + 1;
  }
  return -1;
}

function listEnd(buf: Uint8Array, to: number, end: number): number {
  let stop = to;
  while (stop < end && buf[stop - 1] === 44) stop = wordEnd(buf, stop + 1, end);
  return stop;
}
