/**
 * JSON lines: one object a line, also behind a text head (Caddy's console encoder ends its line with the object) or as the
 * elements of an array. Objects that describe no request (start-up messages, errors) are `other`, not malformed.
 */
import { SPACE, TAB } from '../bytes.ts';
import { embeddedReader, type Json, parsedObject } from '../embedded-line.ts';
import { arrayBracket, isShape, listIn, shapeOf } from '../json-shape.ts';
import type { LogFormat } from '../log-format.ts';
import { dockerLines, PART } from '../partial-lines.ts';
import { patternIn } from '../pattern.ts';
import {
  LINE,
  type LineKind,
  type LineReader,
  malformed,
  type RawRecord,
  type ReaderOptions,
  resetRecord,
  utf8,
} from '../raw-record.ts';
import { isoTime } from '../time.ts';
import { ncsaReader } from './ncsa.ts';

export const JSON_LINES: LogFormat = {
  name: 'json',
  lines: 'JSON lines',
  writers: 'Caddy, Traefik, nginx, Envoy, Fastify, Elastic, Azure, Cloudflare, API Gateway, Datadog',
  reader: jsonReader,
  fromString(text, options) {
    const compiled = patternIn(text);
    return compiled?.kind === 'json' ? jsonReader({ ...options, map: { ...compiled.map, ...options.map } }) : undefined;
  },
  fieldNames(line) {
    const open = line.indexOf('{');
    if (open < 0) return undefined;
    const object = parsedObject(line.slice(open));
    return object === undefined ? [] : keysOf(object, '');
  },
  explains: isShape,
};

function jsonReader(options: ReaderOptions): LineReader {
  const inner = embeddedReader(options, ncsaReader());
  const docker = dockerLines();
  let inArray = false;

  function objectless(buf: Uint8Array, start: number, end: number, reason: string): LineKind | string {
    const text = utf8(buf, start, end);
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

/** Keys of an object with dots between its levels; a list is one field. */
function keysOf(object: Json, prefix: string): string[] {
  return Object.entries(object).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && prefix.split('.').length < 5
      ? keysOf(value as Json, `${prefix}${key}.`)
      : [`${prefix}${key}`],
  );
}

/** The object that begins at `open`; in an array, a comma or the array's end may follow. */
function objectIn(buf: Uint8Array, open: number, end: number): Json | undefined {
  let to = end;
  while (to > open && AFTER.has(buf[to - 1] as number)) to--;
  return parsedObject(utf8(buf, open, to));
}

/** `,`, `]` and blanks. */
const AFTER: ReadonlySet<number> = new Set([44, 93, 32, 9, 13]);

/** Time of the text in front of the object, which ends at a tab, or at a blank where it has none itself; NaN for none. */
function headTime(buf: Uint8Array, start: number, end: number): number {
  const gap = buf[start + 10] === T ? SPACE : TAB;
  let to = start;
  while (to < end && buf[to] !== TAB && buf[to] !== gap) to++;
  return isoTime(buf, start, to);
}

const T = 84;
