/**
 * NCSA common and combined log format as Apache, nginx and many others write it:
 * `[vhost] client ident user [time] "request" status bytes ["referer" "agent" [extras...]]`.
 * Fields are found by what they look like, not by counting blanks: user names may hold blanks, requests may hold quotes.
 */
import { dropDash, indexOfByte, integer, QUOTE, SPACE, setSpan, statusOf } from '../bytes.ts';
import type { LogFormat } from '../log-format.ts';
import { isNothingOrLevel, setClientAndUser } from '../ncsa-client.ts';
import { setExtras } from '../ncsa-extras.ts';
import { type LineKind, type LineReader, malformed, type RawRecord, resetRecord, type Span } from '../raw-record.ts';
import { setRequest } from '../request-line.ts';
import { clfTime, isoTime } from '../time.ts';
import { unescapeInto } from '../unescape.ts';
import { wordEnd } from '../words.ts';

export const NCSA: LogFormat = {
  name: 'ncsa',
  aliases: ['common', 'combined'],
  lines: 'common/combined',
  writers: 'Apache, nginx, ingress-nginx, Traefik, morgan, gunicorn and many others, with a virtual host and extras',
  reader: ncsaReader,
  kernel: true,
};

export function ncsaReader(): LineReader {
  const referer: Span = { start: 0, end: 0 };
  return {
    read(buf, start, end, out): LineKind {
      resetRecord(out, buf);
      const open = timeBracket(buf, start, end, out);
      if (open < 0) return malformed(out, 'no [time] as the common log format has it');
      const close = indexOfByte(buf, 93, open, end);
      setClientAndUser(buf, start, open, out);
      if (out.client.end <= out.client.start || isNothingOrLevel(buf, start, open))
        return malformed(out, 'no client before the time');
      let at = close + 1;
      while (at < end && buf[at] === SPACE) at++;
      if (buf[at] !== QUOTE) return malformed(out, 'no quoted request after the time');
      const quote = requestEnd(buf, at + 1, end);
      if (quote < 0) return malformed(out, 'the request has no closing quote with a status after it');
      const statusAt = quote + 2;
      let next = wordEnd(buf, statusAt, end);
      const absent = next - statusAt === 1 && buf[statusAt] === 45;
      out.status = absent ? 0 : statusOf(buf, statusAt, next);
      next = wordEnd(buf, next + 1, end);
      // Referer and agent, both quoted; both may be missing.
      const afterReferer = quoted(buf, next, end, referer);
      if (afterReferer > 0) {
        next = afterReferer;
        const afterAgent = quoted(buf, next, end, out.agent);
        if (afterAgent > 0) {
          next = afterAgent;
          dropDash(buf, out.agent);
        } else setSpan(out.agent, 0, 0);
      }
      if (next < end) setExtras(buf, next, end, out);
      const kind = setRequest(out, at + 1, quote);
      unescapeInto(out, out.agent);
      return kind;
    },
  };
}

/** Place of the `[` that opens a time; user names may hold brackets too. Fills `out.time`. */
function timeBracket(buf: Uint8Array, start: number, end: number, out: RawRecord): number {
  for (let open = indexOfByte(buf, 91, start, end); open >= 0; open = indexOfByte(buf, 91, open + 1, end)) {
    // No time is longer than this; looking further for each bracket would take quadratic time on a hostile line.
    const close = indexOfByte(buf, 93, open, Math.min(end, open + 48));
    if (close < 0) continue;
    let time = clfTime(buf, open + 1, close);
    if (Number.isNaN(time)) time = isoTime(buf, open + 1, close);
    if (!Number.isNaN(time)) {
      out.time = time;
      return open;
    }
  }
  return -1;
}

/** First unescaped quote that a status (three digits or `-`) follows; a request may hold bare quotes. */
export function requestEnd(buf: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    if (buf[i] === 92) i++;
    else if (buf[i] === QUOTE && buf[i + 1] === SPACE) {
      const word = wordEnd(buf, i + 2, end);
      if (word - i === 5 && integer(buf, i + 2, word) >= 0) return i;
      if (word - i === 3 && buf[i + 2] === 45) return i;
    }
  }
  return -1;
}

/** Reads ` "..."` at `at`; the place after it, or -1. The closing quote is one that a blank or the end follows. */
function quoted(buf: Uint8Array, at: number, end: number, span: Span): number {
  while (at < end && buf[at] === SPACE) at++;
  if (buf[at] !== QUOTE || at >= end) return -1;
  for (let i = at + 1; i < end; i++) {
    if (buf[i] === 92) i++;
    else if (buf[i] === QUOTE && (i + 1 >= end || buf[i + 1] === SPACE)) {
      setSpan(span, at + 1, i);
      return i + 1;
    }
  }
  // Cut off in the middle: what is there is kept.
  setSpan(span, at + 1, end);
  return end;
}
