/** Reads lines by a compiled pattern of literals and fields. */
import { DASH, dropDash, hasText, indexOfByte, indexOfText, setClient, setSpan, statusOf } from './bytes.ts';
import { isHit } from './cache.ts';
import { durationText } from './duration-text.ts';
import type { FieldKind, Pattern, PatternPart } from './pattern.ts';
import {
  LINE,
  type LineKind,
  type LineReader,
  latin1,
  MILLISECONDS,
  malformed,
  type RawRecord,
  type ReaderOptions,
  resetRecord,
  UNIT,
  utf8,
} from './raw-record.ts';
import { isMethod, setRequest, setStemAndQuery, setTarget } from './request-line.ts';
import { stampTime } from './stamp-text.ts';
import { clfTime, isoTime } from './time.ts';
import { unescapeInto } from './unescape.ts';

/** @param durationUnit unit of every duration, whatever the pattern's names say: other servers' fields are given nginx's names */
export function patternReader(pattern: Pattern, durationUnit?: ReaderOptions['durationUnit']): LineReader {
  const unit = durationUnit === undefined ? undefined : MILLISECONDS[durationUnit];
  const fields = new Set(pattern.parts.map((part) => part.field));
  /** Milliseconds per unit of the line's duration so far. */
  let finest = Number.POSITIVE_INFINITY;
  const line = { start: 0, end: 0 };
  const target = { start: 0, end: 0 };
  return {
    read(buf, start, end, out): LineKind {
      resetRecord(out, buf);
      finest = Number.POSITIVE_INFINITY;
      line.start = line.end = target.start = target.end = 0;
      if (!hasText(buf, start, end, pattern.head)) return malformed(out, 'the line does not begin as the pattern does');
      let at = start + pattern.head.length;
      for (let i = 0; i < pattern.parts.length; i++) {
        const part = pattern.parts[i] as PatternPart;
        const next = pattern.parts[i + 1];
        const stop = endOf(buf, at, end, part, next);
        if (stop < 0) return malformed(out, `the line does not fit the pattern at its field ${i + 1} (${part.field})`);
        const wrong = take(buf, at, stop, part.field, out);
        if (wrong !== undefined) return malformed(out, wrong);
        at = Math.min(end, stop + part.after.length);
      }
      unescapeInto(out, out.agent);
      return finish(out);
    },
  };

  function take(buf: Uint8Array, from: number, to: number, field: FieldKind, out: RawRecord): string | undefined {
    const absent = to <= from || (to - from === 1 && buf[from] === DASH);
    if (absent) return undefined;
    switch (field) {
      case 'client':
        // The first client field that says something counts, unless a later one is a forwarded address.
        setClient(buf, from, to, out);
        return undefined;
      case 'time-clf':
      case 'time-iso':
      case 'time-epoch':
      case 'time':
        out.time =
          field === 'time-clf' ? clfTime(buf, from, to) : field === 'time-iso' ? isoTime(buf, from, to) : Number.NaN;
        // Other servers' stamps are given nginx's names too.
        if (Number.isNaN(out.time)) out.time = stampTime(latin1(buf, from, to));
        return Number.isNaN(out.time) ? 'the time cannot be read' : undefined;
      case 'status':
        out.status = statusOf(buf, from, to);
        return out.status < 0 ? 'the status is no three-digit number' : undefined;
      case 'duration-s':
      case 'duration-ms':
      case 'duration-us':
        setDuration(buf, from, to, MILLISECONDS[field.slice('duration-'.length)] ?? 1, out);
        return undefined;
      case 'cache':
        out.cacheHit = isHit(buf, from, to);
        return undefined;
      case 'request':
        setSpan(line, from, to);
        return undefined;
      case 'target':
        setSpan(target, from, to);
        return undefined;
      case 'query-mark':
        setSpan(out.query, buf[from] === 63 ? from + 1 : from, to);
        return undefined;
      case 'method':
      case 'path':
      case 'query':
      case 'user':
      case 'agent':
      case 'session':
      case 'host':
        setSpan(out[field], from, to);
        dropDash(buf, out[field]);
        return undefined;
      default:
        return undefined;
    }
  }

  /** Of two durations the finer one counts: Apache's %T is cut off to whole seconds. */
  function setDuration(buf: Uint8Array, from: number, to: number, scale: number, out: RawRecord): void {
    const text = durationText(utf8(buf, from, to), false);
    if (Number.isNaN(text.number)) {
      // A dash or a negative number is the place of one that is not there.
      if (buf[from] !== DASH && Number.isNaN(out.duration)) out.unit = UNIT.unread;
    } else if (scale < finest) {
      out.duration = text.number * (text.scale ?? unit ?? scale);
      out.unit = UNIT.known;
      finest = scale;
    }
  }

  function finish(out: RawRecord): LineKind {
    if (fields.has('request'))
      return line.end > line.start ? setRequest(out, line.start, line.end) : LINE.withoutRequest;
    if (!isMethod(out.buf, out.method.start, out.method.end)) {
      if (fields.has('method')) return LINE.withoutRequest;
    }
    if (target.end > target.start) {
      return setTarget(out, target.start, target.end) ? LINE.record : LINE.withoutRequest;
    }
    return setStemAndQuery(out) ? LINE.record : LINE.withoutRequest;
  }
}

/** End of a field that begins at `at`, or -1 when what must follow does not. */
function endOf(buf: Uint8Array, at: number, end: number, part: PatternPart, next: PatternPart | undefined): number {
  if (part.after === '') {
    if (next === undefined) return end;
    if (next.field === 'skip') return at + (part.field === 'skip' ? 0 : fieldEnd(buf, at, end));
    const mark = indexOfByte(buf, 63, at, Math.min(end, at + fieldEnd(buf, at, end)));
    return mark < 0 ? at + fieldEnd(buf, at, end) : mark;
  }
  // The last literal may be cut off with the line.
  if (!part.quoted) {
    const found = indexOfText(buf, part.after, at, end);
    return found < 0 && next === undefined ? end : found;
  }
  for (let i = at; i < end; i++) {
    if (buf[i] === 92) i++;
    else if (buf[i] === 34 && (hasText(buf, i, end, part.after) || (next === undefined && i + 1 >= end))) return i;
  }
  return next === undefined ? end : -1;
}

/** Length of the run without blank or quote. */
function fieldEnd(buf: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && buf[i] !== 32 && buf[i] !== 34) i++;
  return i - at;
}
