/** Backslash escapes in quoted fields: `\"` and `\\` are undone, `\xNN` stays, so that bytes keep a visible, stable form. */
import { BACKSLASH, indexOfByte, QUOTE } from './bytes.ts';
import type { RawRecord, Span } from './raw-record.ts';

/** Undoes `\"` and `\\` of one span in place: the bytes only get fewer, and a line is read for good only once. */
export function unescapeInto(out: RawRecord, span: Span): void {
  const { buf } = out;
  const first = indexOfByte(buf, BACKSLASH, span.start, span.end);
  if (first < 0) return;
  let n = first;
  for (let i = first; i < span.end; i++) {
    const next = i + 1 < span.end ? buf[i + 1] : 0;
    if (buf[i] === BACKSLASH && (next === QUOTE || next === BACKSLASH)) i++;
    buf[n++] = buf[i] as number;
  }
  span.end = n;
}
