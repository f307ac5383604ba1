/**
 * Lines that application servers write to the console, without what the common log format has before the request:
 * `INFO:     192.0.2.1:50000 - "GET /x HTTP/1.1" 200 OK` (uvicorn, Hypercorn; no time unless a logger puts one in front) and
 * `[04/Mar/2024 10:00:00] "GET /x HTTP/1.1" 200 12` (Django's runserver; no client).
 */
import { DASH, hasPort, indexOfByte, looksLikeAddress, QUOTE, SPACE, setClient, statusOf } from '../bytes.ts';
import type { LogFormat } from '../log-format.ts';
import { isNothingOrLevel } from '../ncsa-client.ts';
import { LINE, type LineKind, type LineReader, latin1, malformed, type RawRecord, resetRecord } from '../raw-record.ts';
import { setRequest } from '../request-line.ts';
import { clfTime, isoTime } from '../time.ts';
import { wordEnd, wordStart } from '../words.ts';
import { requestEnd } from './ncsa.ts';

const ANSWER_IN_WORDS =
  /^(?:Internal Server Error|Not Found|Forbidden|Bad Request|Unauthorized|Method Not Allowed)[^:"]*: \//;

/** What stands before the request is no longer than this. */
const LONGEST_HEAD = 200;

export const CONSOLE: LogFormat = {
  name: 'console',
  lines: 'console lines of uvicorn and Django',
  writers: 'uvicorn, Hypercorn, Django’s runserver',
  reader: consoleReader,
};

function consoleReader(): LineReader {
  return {
    read(buf, start, end, out): LineKind {
      resetRecord(out, buf);
      // Django says so beside each such answer.
      if (ANSWER_IN_WORDS.test(latin1(buf, start, Math.min(end, start + 60)))) return LINE.other;
      const quote = indexOfByte(buf, QUOTE, start, Math.min(end, start + LONGEST_HEAD));
      if (quote < 0 || !setHead(buf, start, quote, out))
        return malformed(out, 'no client with its port and no [time] before a quoted request');
      const close = requestEnd(buf, quote + 1, end);
      if (close < 0) return malformed(out, 'the request has no closing quote with a status after it');
      // Referer and agent are the rest of a common line that has lost its beginning.
      if (indexOfByte(buf, QUOTE, close + 1, end) >= 0)
        return malformed(out, 'more quoted fields than a console line has');
      out.status = Math.max(0, statusOf(buf, close + 2, wordEnd(buf, close + 2, end)));
      const kind = setRequest(out, quote + 1, close);
      // Anything may stand in quotes in an application's words.
      return kind === LINE.record ? kind : LINE.other;
    },
  };
}

/** Client and time before the quote; false when neither is there as these servers write them. */
function setHead(buf: Uint8Array, start: number, quote: number, out: RawRecord): boolean {
  let stop = quote;
  while (stop > start && buf[stop - 1] === SPACE) stop--;
  if (buf[stop - 1] === BRACKET) {
    const open = buf.lastIndexOf(OPEN, stop - 1);
    // With anything but a level before it, it is the common log format, whose client is not to be lost.
    if (open < start || !isNothingOrLevel(buf, start, open)) return false;
    out.time = clfTime(buf, open + 1, stop - 1);
    return !Number.isNaN(out.time);
  }
  if (buf[stop - 1] !== DASH || buf[stop - 2] !== SPACE) return false;
  stop -= 2;
  const client = wordStart(buf, stop, start);
  if (!hasPort(buf, client, stop) || !looksLikeAddress(buf, client, stop)) return false;
  setClient(buf, client, stop, out);
  out.time = headTime(buf, start, client);
  return true;
}

/** A time in the first words: bare, or in brackets as gunicorn's logger has it. */
function headTime(buf: Uint8Array, start: number, end: number): number {
  if (buf[start] === OPEN) {
    const close = indexOfByte(buf, BRACKET, start, end);
    return close < 0 ? Number.NaN : isoTime(buf, start + 1, close);
  }
  const first = wordEnd(buf, start, end);
  const time = isoTime(buf, start, wordEnd(buf, first + 1, end));
  return Number.isNaN(time) ? isoTime(buf, start, first) : time;
}

const OPEN = 91;
const BRACKET = 93;
