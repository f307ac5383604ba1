/**
 * `key=value` pairs with blanks between them and quotes where needed, behind any head: Heroku's router, Rails' lograge, and what
 * services in Go write.
 */
import { indexOfByte } from '../bytes.ts';
import { plainKey } from '../field-names.ts';
import { fieldsReader } from '../fields-record.ts';
import type { LogFormat } from '../log-format.ts';
import { LINE, type LineReader, latin1, malformed, type ReaderOptions, resetRecord, utf8 } from '../raw-record.ts';
import { isoTime } from '../time.ts';

/** A line with fewer pairs is text that happens to hold an equals sign. */
const LEAST_PAIRS = 3;
/** The first pair of a line stands within so many bytes. */
const MOST_HEAD = 200;

const PAIR = /(?:^|[\s,])([A-Za-z_@][\w.@-]*)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))/g;

export const LOGFMT: LogFormat = {
  name: 'logfmt',
  lines: 'key=value',
  writers: 'Heroku’s router, Rails’ lograge, services in Go',
  reader: logfmtReader,
  fieldNames(line) {
    const keys = [...line.matchAll(/(?:^|\s)([\w.@-]+)=/g)].map((match) => match[1] as string);
    return keys.length >= LEAST_PAIRS ? keys : undefined;
  },
};

function logfmtReader(options: ReaderOptions): LineReader {
  const readFields = fieldsReader(options);
  return {
    read(buf, start, end, out) {
      resetRecord(out, buf);
      const first = indexOfByte(buf, 61, start, Math.min(end, start + MOST_HEAD));
      if (first < 0) return malformed(out, 'no key=value pairs');
      const line = utf8(buf, start, end);
      const fields = new Map<string, unknown>();
      for (const [, key = '', quoted, plain] of line.matchAll(PAIR)) {
        const name = plainKey(key);
        if (!fields.has(name)) fields.set(name, quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, '$1'));
      }
      if (fields.size < LEAST_PAIRS) return malformed(out, 'no key=value pairs');
      const kind = readFields(fields, out, headTime(buf, start, first));
      // Messages of an application are not malformed; what is neither may be of another format.
      if (kind !== LINE.other) return kind;
      return fields.has('level') || fields.has('msg') ? LINE.other : malformed(out, 'the pairs describe no request');
    },
  };
}

/** The first time of the head, which may have a blank between date and time and before its zone; NaN when there is none. */
function headTime(buf: Uint8Array, start: number, end: number): number {
  const head = latin1(buf, start, end);
  const found =
    /(?<![\w:.-])\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?: ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d))?(?!\w)/.exec(
      head,
    );
  if (found === null) return Number.NaN;
  return isoTime(buf, start + found.index, start + found.index + found[0].length);
}
