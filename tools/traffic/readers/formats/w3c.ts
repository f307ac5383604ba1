/**
 * W3C extended log format: columns are what the `#Fields` line in force says (IIS, ASP.NET Core's W3CLogger, CloudFront and
 * others). Rows of another width than the header are refused, never shifted.
 */
import { dropDash, hasText, QUOTE, SPACE, setClient, setSpan, statusOf, TAB } from '../bytes.ts';
import { isHit } from '../cache.ts';
import { cookieInto } from '../cookies.ts';
import type { LogFormat } from '../log-format.ts';
import {
  LINE,
  type LineKind,
  type LineReader,
  latin1,
  malformed,
  type RawRecord,
  type ReaderOptions,
  resetRecord,
} from '../raw-record.ts';
import { isMethod, setStemAndQuery, setTarget } from '../request-line.ts';
import { isoDays, isoTime, timeOfDay } from '../time.ts';
import { timeTaken } from '../w3c-duration.ts';

const DAY = 86_400_000;

/** Column numbers of a header, -1 for a column that it lacks. */
interface Columns {
  readonly count: number;
  readonly at: Readonly<Record<Column, number>>;
}
type Column = keyof typeof NAMES;

/** Names of each column, the preferred one first; compared in lower case. */
const NAMES = {
  date: ['date'],
  time: ['time'],
  timestamp: ['timestamp', 'x-timestamp', 'date-time', 'datetime'],
  method: ['cs-method', 'x-cs-method'],
  stem: ['cs-uri-stem'],
  query: ['cs-uri-query'],
  uri: ['cs-uri', 'cs-url'],
  status: ['sc-status'],
  duration: ['time-taken', 'x-time-taken'],
  client: ['c-ip', 'cs(x-forwarded-for)', 'x-forwarded-for'],
  forwarded: ['cs(x-forwarded-for)', 'x-forwarded-for', 'cs(true-client-ip)', 'cs(cf-connecting-ip)'],
  user: ['cs-username'],
  agent: ['cs(user-agent)'],
  session: ['cs(x-session-id)', 'x-session-id', 'cs(x-sessionid)', 'session-id'],
  cookie: ['cs(cookie)'],
  host: ['cs-host', 'cs(host)', 'x-host-header'],
  cache: ['x-edge-result-type', 'x-cache', 'sc(x-cache)', 'rs(x-cache)'],
} as const;

export const W3C: LogFormat = {
  name: 'w3c',
  lines: 'W3C extended (IIS, CloudFront)',
  writers: 'IIS, ASP.NET Core, CloudFront, WebLogic',
  reader: w3cReader,
  header: { kind: 'directive', opens: (buf, start, end) => hasText(buf, start, end, '#Fields') },
  utc: true,
  fieldNames: (line) => (/^#fields:/i.test(line) ? columnNames(line.slice('#fields:'.length)) : undefined),
};

function w3cReader(options: ReaderOptions): LineReader {
  const taken = timeTaken(options);
  let columns: Columns | undefined;
  // Day of rows without a date column, from #Date; NaN until one is known.
  let day = Number.NaN;
  let lastClock = Number.NaN;
  const starts = new Int32Array(256);
  const ends = new Int32Array(256);

  function directive(buf: Uint8Array, start: number, end: number): LineKind {
    const text = latin1(buf, start, end);
    const match = /^#\s*([A-Za-z-]+)\s*:\s*(.*)$/.exec(text);
    const value = match?.[2]?.trim() ?? '';
    const name = match?.[1]?.toLowerCase() ?? '';
    taken.directive(name, value);
    if (name === 'fields') columns = readHeader(value, options);
    else if (name === 'date') {
      const at = text.indexOf(value, text.indexOf(':'));
      const days = isoDays(buf, start + at, end);
      if (!Number.isNaN(days)) {
        day = days;
        lastClock = timeOfDay(buf, start + at + 11, end);
      }
    }
    return LINE.directive;
  }

  /** Splits the row into starts/ends; the number of values. */
  function split(buf: Uint8Array, start: number, end: number, separator: number, runs: boolean): number {
    let n = 0;
    let i = start;
    while (i <= end && n < 256) {
      if (runs) while (i < end && buf[i] === separator) i++;
      if (runs && i >= end && n > 0) break;
      let from = i;
      if (buf[i] === QUOTE && separator === SPACE && i < end) {
        // Quoted values may hold blanks; a quote in them is doubled.
        let close = i + 1;
        while (close < end && (buf[close] !== QUOTE || buf[close + 1] === QUOTE)) close += buf[close] === QUOTE ? 2 : 1;
        if (close < end && (close + 1 >= end || buf[close + 1] === separator)) {
          from = i + 1;
          starts[n] = from;
          ends[n++] = close;
          i = close + 2;
          continue;
        }
      }
      while (i < end && buf[i] !== separator) i++;
      starts[n] = from;
      ends[n++] = i;
      i++;
    }
    return n;
  }

  return {
    read(buf, start, end, out): LineKind {
      resetRecord(out, buf);
      if (buf[start] === 35) return directive(buf, start, end);
      if (columns === undefined) return malformed(out, 'no #Fields line before this row');
      let tabs = false;
      for (let i = start; i < end && !tabs; i++) tabs = buf[i] === TAB;
      let n = split(buf, start, end, tabs ? TAB : SPACE, false);
      if (n !== columns.count) n = split(buf, start, end, tabs ? TAB : SPACE, true);
      if (n !== columns.count) return malformed(out, 'another number of columns than #Fields names');
      const { at } = columns;
      const has = (column: number): boolean =>
        column >= 0 &&
        !((ends[column] as number) - (starts[column] as number) === 1 && buf[starts[column] as number] === 45);
      const time = timeOf(buf, at);
      if (time === undefined) return malformed(out, 'date or time cannot be read');
      out.time = time;
      if (at.status >= 0 && has(at.status)) {
        const status = statusOf(buf, starts[at.status] as number, ends[at.status] as number);
        if (status < 0) return malformed(out, 'the status is no three-digit number');
        out.status = status;
      }
      if (has(at.duration)) {
        taken.set(buf, starts[at.duration] as number, ends[at.duration] as number, out);
      }
      if (has(at.client)) setClient(buf, starts[at.client] as number, ends[at.client] as number, out);
      for (const [column, span] of [
        [at.forwarded, out.forwarded],
        [at.user, out.user],
        [at.agent, out.agent],
        [at.session, out.session],
        [at.host, out.host],
      ] as const) {
        if (column >= 0) setSpan(span, starts[column] as number, ends[column] as number);
        dropDash(buf, span);
      }
      if (options.sessionCookie !== undefined && at.cookie >= 0) {
        cookieInto(buf, starts[at.cookie] as number, ends[at.cookie] as number, options.sessionCookie, out.session);
      }
      if (has(at.cache)) out.cacheHit = isHit(buf, starts[at.cache] as number, ends[at.cache] as number);
      return request(buf, at, out, has);
    },
  };

  function timeOf(buf: Uint8Array, at: Columns['at']): number | undefined {
    if (at.timestamp >= 0) {
      const time = isoTime(buf, starts[at.timestamp] as number, ends[at.timestamp] as number);
      return Number.isNaN(time) ? undefined : time;
    }
    const days = at.date < 0 ? day : isoDays(buf, starts[at.date] as number, ends[at.date] as number);
    if (at.date >= 0 && Number.isNaN(days)) return undefined;
    if (at.time < 0) return at.date < 0 ? Number.NaN : days * DAY;
    const clock = timeOfDay(buf, starts[at.time] as number, ends[at.time] as number);
    if (Number.isNaN(clock)) return undefined;
    if (at.date >= 0) return days * DAY + clock;
    // Only a time of day: a step back of more than half a day is midnight; smaller ones are lines out of order.
    if (lastClock - clock > DAY / 2) day++;
    const lateFromYesterday = clock - lastClock > DAY / 2;
    if (!lateFromYesterday) lastClock = clock;
    return (Number.isNaN(day) ? 0 : day - (lateFromYesterday ? 1 : 0)) * DAY + clock;
  }

  function request(buf: Uint8Array, at: Columns['at'], out: RawRecord, has: (column: number) => boolean): LineKind {
    if (has(at.method)) setSpan(out.method, starts[at.method] as number, ends[at.method] as number);
    if (!isMethod(buf, out.method.start, out.method.end)) return LINE.withoutRequest;
    if (at.stem >= 0) {
      if (!has(at.stem)) return LINE.withoutRequest;
      setSpan(out.path, starts[at.stem] as number, ends[at.stem] as number);
      if (has(at.query)) setSpan(out.query, starts[at.query] as number, ends[at.query] as number);
      if (hasText(buf, out.query.start, out.query.end, '?')) out.query.start++;
      return setStemAndQuery(out) ? LINE.record : LINE.withoutRequest;
    }
    if (at.uri < 0 || !has(at.uri)) return LINE.withoutRequest;
    return setTarget(out, starts[at.uri] as number, ends[at.uri] as number) ? LINE.record : LINE.withoutRequest;
  }
}

/** The names in a header, in the log's own writing. */
function columnNames(value: string): string[] {
  return value.split(/[\s,]+/).filter((name) => name !== '');
}

function readHeader(value: string, options: ReaderOptions): Columns {
  const names = columnNames(value);
  const lower = names.map((name) => name.toLowerCase());
  const at = {} as Record<Column, number>;
  for (const column of Object.keys(NAMES) as Column[]) {
    at[column] = -1;
    for (const name of NAMES[column]) {
      if (at[column] < 0) at[column] = lower.indexOf(name);
    }
  }
  const own = (column: Column, name: string | undefined): void => {
    if (name !== undefined) at[column] = lower.indexOf(name.toLowerCase());
  };
  if (options.clientField?.toLowerCase() !== 'forwarded') own('client', options.clientField);
  own('session', options.sessionField);
  const pairs = {
    time: 'timestamp',
    method: 'method',
    target: 'uri',
    path: 'stem',
    query: 'query',
    status: 'status',
  } as const;
  for (const [field, column] of Object.entries(pairs)) own(column, options.map?.[field as keyof typeof pairs]);
  for (const column of ['duration', 'client', 'user', 'agent', 'session', 'host', 'cache'] as const) {
    own(column, options.map?.[column]);
  }
  return { count: names.length, at };
}
