/**
 * JSON lines: one object a line, also behind a text head (Caddy's console encoder ends its line with the object) or as the
 * elements of an array. Objects that describe no request (start-up messages, errors) are `other`, not malformed.
 */
import { innerReader, type Json, parsedObject } from './inner-line.ts';
import { arrayBracket, listIn, shapeOf } from './json-shape.ts';
import { LINE, type LineKind, type LineReader, malformed, type ReaderOptions, resetRecord } from './raw-record.ts';
import { isoTime } from './time.ts';

export function jsonReader(options: ReaderOptions): LineReader {
  const inner = innerReader(options);
  let inArray = false;

  function objectless(buf: Uint8Array, start: number, end: number, reason: string): LineKind | string {
    const text = textIn(buf, start, end);
    const bracket = arrayBracket(text);
    if (bracket === undefined || (bracket === ']' && !inArray)) return shapeOf(text, inArray) ?? reason;
    inArray = bracket === '[';
    return LINE.directive;
  }

  return {
    format: 'json',
    read(buf, start, end, out): LineKind {
      resetRecord(out, buf);
      let open = start;
      while (open < end && buf[open] !== 123) open++;
      const object = open < end ? objectIn(buf, open, end) : undefined;
      if (object === undefined) {
        const found = objectless(buf, start, end, open < end ? 'the JSON cannot be parsed' : 'no JSON object');
        return typeof found === 'string' ? malformed(out, found) : found;
      }
      const kind = inner.object(object, out, headTime(buf, start, open));
      if (kind === LINE.record) return kind;
      // All that counts of a line without a request.
      const { status, reason } = out;
      const further = inner.envelope(object, out);
      if (further !== LINE.other) return further;
      out.status = status;
      out.reason = reason;
      const list = kind === LINE.other ? listIn(object) : undefined;
      return list === undefined ? kind : malformed(out, list);
    },
  };
}

/** The object that begins at `open`; in an array, a comma or the array's end may follow. */
function objectIn(buf: Uint8Array, open: number, end: number): Json | undefined {
  let to = end;
  while (to > open && AFTER.has(buf[to - 1] as number)) to--;
  return parsedObject(textIn(buf, open, to));
}

/** `,`, `]` and blanks. */
const AFTER: ReadonlySet<number> = new Set([44, 93, 32, 9, 13]);

function textIn(buf: Uint8Array, start: number, end: number): string {
  return Buffer.from(buf.buffer, buf.byteOffset + start, end - start).toString('utf8');
}

/** Time of the text in front of the object; NaN when it begins with none. */
function headTime(buf: Uint8Array, start: number, end: number): number {
  let to = start;
  while (to < end && buf[to] !== 9) to++;
  return isoTime(buf, start, to);
}
