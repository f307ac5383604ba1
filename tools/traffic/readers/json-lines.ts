/**
 * JSON lines: one object a line, also behind a text head (Caddy's console encoder ends its line with the object). Objects
 * that describe no request (start-up messages, errors) are `other`, not malformed.
 */
import { innerReader, parsedObject } from './inner-line.ts';
import { LINE, type LineKind, type LineReader, malformed, type ReaderOptions, resetRecord } from './raw-record.ts';
import { isoTime } from './time.ts';

export function jsonReader(options: ReaderOptions): LineReader {
  const inner = innerReader(options);
  return {
    format: 'json',
    read(buf, start, end, out): LineKind {
      resetRecord(out, buf);
      let open = start;
      while (open < end && buf[open] !== 123) open++;
      if (open >= end) return malformed(out, 'no JSON object');
      const object = parsedObject(Buffer.from(buf.buffer, buf.byteOffset + open, end - open).toString('utf8'));
      if (object === undefined) return malformed(out, 'the JSON cannot be parsed');
      const kind = inner.object(object, out, headTime(buf, start, open));
      if (kind === LINE.record) return kind;
      // All that counts of a line without a request.
      const { status, reason } = out;
      const further = inner.envelope(object, out);
      if (further !== LINE.other) return further;
      out.status = status;
      out.reason = reason;
      return kind;
    },
  };
}

/** Time of the text in front of the object; NaN when it begins with none. */
function headTime(buf: Uint8Array, start: number, end: number): number {
  let to = start;
  while (to < end && buf[to] !== 9) to++;
  return isoTime(buf, start, to);
}
