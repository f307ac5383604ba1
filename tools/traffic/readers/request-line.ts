/** The quoted request of an access log (`METHOD TARGET PROTOCOL`) and request targets. */
import { COLON, hasText, indexOfByte, indexOfText, SPACE, setSpan } from './bytes.ts';
import { LINE, type LineKind, type RawRecord } from './raw-record.ts';

/**
 * Splits [start, end) of `out.buf` into method and target. A request is usable when the method is a token and the target
 * starts with `/`, is `*`, carries a scheme, or the method is CONNECT; anything else is an answer without a request.
 */
export function setRequest(out: RawRecord, start: number, end: number): LineKind {
  const { buf } = out;
  while (start < end && buf[start] === SPACE) start++;
  while (end > start && buf[end - 1] === SPACE) end--;
  const space = indexOfByte(buf, SPACE, start, end);
  if (space < 0 || !isMethod(buf, start, space)) return LINE.withoutRequest;
  // The target ends before the protocol, if there is one; HTTP/0.9 has none. Blanks inside stay in the target.
  let last = end;
  const protocol = lastSpace(buf, space + 1, end);
  if (protocol > 0 && hasText(buf, protocol + 1, end, 'HTTP/')) last = protocol;
  let from = space + 1;
  while (from < last && buf[from] === SPACE) from++;
  while (last > from && buf[last - 1] === SPACE) last--;
  setSpan(out.method, start, space);
  return setTarget(out, from, last) ? LINE.record : LINE.withoutRequest;
}

/** Method names are tokens of letters (and `-`, `_`), up to 20 of them. */
export function isMethod(buf: Uint8Array, start: number, end: number): boolean {
  if (end <= start || end - start > 20) return false;
  for (let i = start; i < end; i++) {
    const byte = buf[i] as number;
    const letter = byte | 32;
    if (!(letter >= 97 && letter <= 122) && !(i > start && (byte === 45 || byte === 95))) return false;
  }
  return true;
}

/** Splits a request target into path and query; the scheme and authority of an absolute one are cut off. */
export function setTarget(out: RawRecord, start: number, end: number): boolean {
  const { buf } = out;
  let from = start;
  if (end <= from) return false;
  if (buf[from] === 47) {
    // origin form
  } else if (buf[from] === 42) {
    setSpan(out.path, from, from + 1);
    return end - from === 1;
  } else {
    const scheme = indexOfText(buf, '://', from, Math.min(end, from + 16));
    if (scheme > from) {
      const authority = scheme + 3;
      let slash = authority;
      while (slash < end && buf[slash] !== 47 && buf[slash] !== 63) slash++;
      setSpan(out.host, authority, slash);
      from = slash;
    } else if (hasText(buf, out.method.start, out.method.end, 'CONNECT') && indexOfByte(buf, COLON, from, end) > 0) {
      setSpan(out.path, from, end);
      return true;
    } else return false;
  }
  let cut = indexOfByte(buf, 35, from, end);
  if (cut < 0) cut = end;
  const mark = indexOfByte(buf, 63, from, cut);
  setSpan(out.path, from, parametersAt(buf, from, mark < 0 ? cut : mark));
  setSpan(out.query, mark < 0 ? cut : mark + 1, cut);
  return true;
}

/** Where the parameters of the last segment begin (`;jsessionid=...`, RFC 3986 3.3), or `end`: they name no resource. */
function parametersAt(buf: Uint8Array, start: number, end: number): number {
  let at = end;
  for (let i = end - 1; i > start && buf[i] !== 47; i--) if (buf[i] === 59) at = i;
  return at;
}

function lastSpace(buf: Uint8Array, start: number, end: number): number {
  for (let i = end - 1; i >= start; i--) if (buf[i] === SPACE) return i;
  return -1;
}

/** Path and query when a format logs them in fields of their own. */
export function setStemAndQuery(out: RawRecord): boolean {
  if (out.path.end <= out.path.start) return false;
  if (out.query.end > out.query.start) {
    const query = { ...out.query };
    const usable = setTarget(out, out.path.start, out.path.end);
    setSpan(out.query, query.start, query.end);
    return usable;
  }
  return setTarget(out, out.path.start, out.path.end);
}
