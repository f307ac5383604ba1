/** Small parsers over bytes, shared by the readers. All take [start, end) and allocate nothing. */
import { latin1, type RawRecord, type Span } from './raw-record.ts';

export const SPACE = 32;
export const QUOTE = 34;
export const DASH = 45;
export const COLON = 58;
export const BACKSLASH = 92;
export const NEWLINE = 10;
export const TAB = 9;

/** A decimal digit's value, or a number above 9. */
export function digit(byte: number | undefined): number {
  const value = (byte as number) - 48;
  return value >= 0 && value <= 9 ? value : 99;
}

/** Unsigned integer of exactly [start, end), or -1. */
export function integer(buf: Uint8Array, start: number, end: number): number {
  if (end <= start || end - start > 15) return -1;
  let value = 0;
  for (let i = start; i < end; i++) {
    const d = digit(buf[i]);
    if (d > 9) return -1;
    value = value * 10 + d;
  }
  return value;
}

/** Decimal number of exactly [start, end), or NaN. Accepts `1`, `0.25`, `.5`, `-1`, `1e-3`, a decimal comma. */
export function decimal(buf: Uint8Array, start: number, end: number): number {
  let i = start;
  const negative = buf[i] === DASH;
  if (negative) i++;
  let value = 0;
  let scale = 0;
  let digits = 0;
  for (; i < end; i++) {
    const byte = buf[i] as number;
    const d = byte - 48;
    if (d >= 0 && d <= 9) {
      value = value * 10 + d;
      digits++;
      if (scale > 0) scale *= 10;
    } else if ((byte === 46 || byte === 44) && scale === 0) scale = 1;
    else break;
  }
  if (digits === 0) return Number.NaN;
  if (scale > 1) value /= scale;
  if (i < end) {
    const exponent = (buf[i] as number) | 32;
    if (exponent !== 101 || end - i > 5) return Number.NaN;
    const sign = buf[i + 1] === DASH ? -1 : 1;
    const from = i + (buf[i + 1] === DASH || buf[i + 1] === 43 ? 2 : 1);
    const power = integer(buf, from, end);
    if (power < 0) return Number.NaN;
    value *= 10 ** (sign * power);
  }
  return negative ? -value : value;
}

/** HTTP status of exactly three digits 100-999, or -1; blanks and quotes around it are allowed (string statuses). */
export function statusOf(buf: Uint8Array, start: number, end: number): number {
  while (start < end && (buf[start] === SPACE || buf[start] === QUOTE)) start++;
  while (end > start && (buf[end - 1] === SPACE || buf[end - 1] === QUOTE)) end--;
  const value = end - start === 3 ? integer(buf, start, end) : -1;
  return value >= 100 ? value : value === 0 ? 0 : -1;
}

/** Whether the span is empty or a lone `-`. */
export function isAbsent(buf: Uint8Array, span: Span): boolean {
  return span.end <= span.start || (span.end - span.start === 1 && buf[span.start] === DASH);
}

export function setSpan(span: Span, start: number, end: number): void {
  span.start = start;
  span.end = Math.max(end, start);
}

/** Empties a span that holds only `-`. */
export function dropDash(buf: Uint8Array, span: Span): void {
  if (isAbsent(buf, span)) setSpan(span, 0, 0);
}

export function indexOfByte(buf: Uint8Array, byte: number, start: number, end: number): number {
  for (let i = start; i < end; i++) if (buf[i] === byte) return i;
  return -1;
}

/** Place of the last such byte in [start, end), or one before `start`. */
export function lastByte(buf: Uint8Array, byte: number, start: number, end: number): number {
  let at = end - 1;
  while (at >= start && buf[at] !== byte) at--;
  return at;
}

/** Whether buf holds the ASCII text at `at`. */
export function hasText(buf: Uint8Array, at: number, end: number, text: string): boolean {
  if (at < 0 || end - at < text.length) return false;
  for (let i = 0; i < text.length; i++) if (buf[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Start of the next `text` in [start, end), or -1. */
export function indexOfText(buf: Uint8Array, text: string, start: number, end: number): number {
  const first = text.charCodeAt(0);
  for (let i = start; i <= end - text.length; i++) {
    if (buf[i] === first && hasText(buf, i, end, text)) return i;
  }
  return -1;
}

/**
 * The client's address out of what a field holds: a list of several (`X-Forwarded-For`) gives the first that is none of
 * `unknown` or `-`; brackets, a port and quotes are cut off.
 */
export function setClient(buf: Uint8Array, start: number, end: number, out: RawRecord): void {
  let from = start;
  while (from < end) {
    let to = from;
    while (to < end && buf[to] !== 44) to++;
    let s = from;
    let e = to;
    while (s < e && isWrapping(buf[s])) s++;
    while (e > s && isWrapping(buf[e - 1])) e--;
    const dash = e - s === 1 && buf[s] === DASH;
    if (e > s && !dash && !hasText(buf, s, e, 'unknown')) {
      trimAddress(buf, s, e, out.client);
      return;
    }
    from = to + 1;
  }
  setSpan(out.client, 0, 0);
}

/** Blanks, quotes, parentheses. */
function isWrapping(byte: number | undefined): boolean {
  // IIS writes the blank after the comma of an address list as a plus.
  return byte === SPACE || byte === TAB || byte === 43 || byte === QUOTE || byte === 40 || byte === 41;
}

function trimAddress(buf: Uint8Array, start: number, end: number, span: Span): void {
  withoutPort(buf, start, end, span);
  // An address of version 4 in the notation of version 6 (RFC 4291, 2.5.5.2): another server writes it plainly.
  const mapped = span.start + 7;
  if (buf[span.start] !== COLON || buf[mapped - 1] !== COLON || span.end - mapped < 7) return;
  if (!/^::ffff:[0-9.]+$/i.test(latin1(buf, span.start, span.end))) return;
  span.start = mapped;
}

function withoutPort(buf: Uint8Array, start: number, end: number, span: Span): void {
  if (buf[start] === 91) {
    const close = indexOfByte(buf, 93, start, end);
    setSpan(span, start + 1, close < 0 ? end : close);
    return;
  }
  const colon = indexOfByte(buf, COLON, start, end);
  // One colon is a port; more are an IPv6 address.
  if (colon >= 0 && indexOfByte(buf, COLON, colon + 1, end) < 0) setSpan(span, start, colon);
  else setSpan(span, start, end);
}

/** `192.0.2.1:80`, `[2001:db8::1]:80` */
export function hasPort(buf: Uint8Array, start: number, end: number): boolean {
  const colon = indexOfByte(buf, 58, start, end);
  return buf[start] === 91 ? buf[end - 1] !== 93 : colon >= 0 && indexOfByte(buf, 58, colon + 1, end) < 0;
}

/** Digits and dots, or hexadecimal digits with colons as IPv6 has them (no time of day); a port and brackets are allowed. */
export function looksLikeAddress(buf: Uint8Array, start: number, end: number): boolean {
  if (end > start && buf[end - 1] === 44) end--;
  let dots = 0;
  let colons = 0;
  let letters = 0;
  let doubled = false;
  let port = true;
  for (let i = start; i < end; i++) {
    const byte = buf[i] as number;
    if (byte === 46) {
      dots++;
      // A number and a colon before it are a line's, no port.
      if (colons > 0) port = false;
    } else if (byte === 58) {
      colons++;
      if (buf[i + 1] === 58) doubled = true;
    } else if (byte === 91 || byte === 93 || (byte >= 48 && byte <= 57)) continue;
    else if ((byte | 32) >= 97 && (byte | 32) <= 102) letters++;
    else return false;
  }
  return (dots === 3 && letters === 0 && port) || doubled || colons >= 7 || (colons === 6 && dots === 3);
}
