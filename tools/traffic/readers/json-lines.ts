/**
 * JSON lines: one object a line, also behind a text head (Caddy's console encoder ends its line with the object) or as the
 * elements of an array. Objects that describe no request (start-up messages, errors) are `other`, not malformed.
 */
import { SPACE, TAB } from './bytes.ts';
import { innerReader, type Json, parsedObject } from './inner-line.ts';
import { arrayBracket, listIn, shapeOf } from './json-shape.ts';
import { dockerParts, PART } from './parts.ts';
import {
  LINE,
  type LineKind,
  type LineReader,
  malformed,
  type RawRecord,
  type ReaderOptions,
  resetRecord,
} from './raw-record.ts';
import { isoTime } from './time.ts';

export function jsonReader(options: ReaderOptions): LineReader {
  const inner = innerReader(options);
  const docker = dockerParts();
  let inArray = false;

  function objectless(buf: Uint8Array, start: number, end: number, reason: string): LineKind | string {
    const text = textIn(buf, start, end);
    const bracket = arrayBracket(text);
    if (bracket === undefined || (bracket === ']' && !inArray)) return shapeOf(text, inArray) ?? reason;
    inArray = bracket === '[';
    return LINE.directive;
  }

  function fromObject(object: Json, out: RawRecord, time: number): LineKind {
    const kind = inner.object(object, out, time);
    if (kind === LINE.record) return kind;
    // All that counts of a line without a request.
    const { status, reason, time: own } = out;
    const further = inner.envelope(object, out);
    if (further !== LINE.other) return further;
    out.status = status;
    out.reason = reason;
    out.time = own;
    const list = kind === LINE.other ? listIn(object) : undefined;
    return list === undefined ? kind : malformed(out, list);
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
      const { log, stream } = object;
      const isDocker = typeof log === 'string' && typeof stream === 'string';
      if (isDocker && docker.isPiece(stream, log)) return LINE.other;
      const kind = fromObject(object, out, headTime(buf, start, open));
      if (!isDocker) return kind;
      if (kind !== LINE.other) {
        docker.alone(stream, log);
        return kind;
      }
      const whole = docker.whole(stream, log);
      if (whole === undefined || whole === PART) return kind;
      const joined = inner.line(whole, out);
      if (joined === LINE.record) out.joined = true;
      return joined;
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

/** Time of the text in front of the object, which ends at a tab, or at a blank where it has none itself; NaN for none. */
function headTime(buf: Uint8Array, start: number, end: number): number {
  const gap = buf[start + 10] === T ? SPACE : TAB;
  let to = start;
  while (to < end && buf[to] !== TAB && buf[to] !== gap) to++;
  return isoTime(buf, start, to);
}

const T = 84;
