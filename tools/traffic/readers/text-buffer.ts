/** Bytes of a record whose fields are strings (JSON, CSV): written one after the other into a buffer that is reused. */
import type { RawRecord, Span } from './raw-record.ts';

export interface TextBuffer {
  /** Starts a new record: `out.buf` becomes this buffer. */
  begin(out: RawRecord): void;
  /** Appends the text as UTF-8 and sets the span to it. */
  write(text: string, span: Span): void;
}

export function textBuffer(): TextBuffer {
  let buffer = Buffer.alloc(65_536);
  let used = 0;
  let record: RawRecord | undefined;
  return {
    begin(out) {
      used = 0;
      record = out;
      out.buf = buffer;
    },
    write(text, span) {
      const need = text.length * 3;
      if (used + need > buffer.length) {
        const larger = Buffer.alloc(2 * (used + need));
        buffer.copy(larger, 0, 0, used);
        buffer = larger;
        if (record !== undefined) record.buf = buffer;
      }
      span.start = used;
      used += buffer.write(text, used, 'utf8');
      span.end = used;
    },
  };
}
