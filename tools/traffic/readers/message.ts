/** Lines that servers and applications write beside access records, told by their head. */
import { latin1 } from './raw-record.ts';
import { isoDays } from './time.ts';

/** Bytes of a line that its kind is told by, and those that may stand in front of them. */
const HEAD = 120;
const LONGEST_PREFIX = 240;
/** Bytes within which a message's record ends. */
const LONGEST_MESSAGE = 16_384;

/**
 * Error logs (`2024/03/04 10:00:00 [error] ...`, `[Mon Mar 04 ...] [...]`), levelled application messages and the lines of a
 * stack trace, also behind what syslog and containers put in front. A message that is a whole record of the common log format
 * is none.
 */
export function looksLikeMessage(buf: Uint8Array, start: number, end: number): boolean {
  const from = start + prefixLength(latin1(buf, start, Math.min(end, start + LONGEST_PREFIX)));
  const head = latin1(buf, from, Math.min(end, from + HEAD));
  // uvicorn's access lines look like any other of its lines up to here.
  if (/[\d\]]:\d+ - "[A-Z]+ /.test(head)) return false;
  if (/^(\s+at |\s*Caused by:|Traceback |\s+File ")/.test(head)) return true;
  if (/^\[(Mon|Tue|Wed|Thu|Fri|Sat|Sun) /.test(head)) return true;
  if (Number.isNaN(isoDays(buf, from, end))) {
    if (from > start && /[{=]/.test(head)) return false;
    // Python's logger puts its level in front of a server's line.
    return LEVEL.test(head) && !COMMON_RECORD.test(latin1(buf, from, Math.min(end, from + LONGEST_MESSAGE)));
  }
  if (head.includes('{') || !STAMP_AND_LEVEL.test(head)) return false;
  return !COMMON_RECORD.test(latin1(buf, from, Math.min(end, from + LONGEST_MESSAGE)));
}

/**
 * Whether a line that no reader takes is a message too: one that begins with a level, behind which fields with names may follow
 * but no broken object, or what else stands in the log of a Heroku application.
 */
export function isMessageToo(buf: Uint8Array, start: number, end: number): boolean {
  const head = latin1(buf, start, Math.min(end, start + LONGEST_PREFIX));
  if (!head.includes('{') && LEVEL.test(head.slice(prefixLength(head)))) return true;
  return /^\S+ (?:app|heroku)\[/.test(head.slice(0, HEAD));
}

const LEVEL = /^(TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b[\s:[]/;

/** Pairs right behind the level are a record or a message of their own reader. */
const STAMP_AND_LEVEL =
  /^.{10}[T ][0-9:.,]{8,}\S*\s+\[?(?:trace|debug|info|notice|warn|warning|error|crit|alert|emerg|fatal)\b(?!\]?[\s:-]+[a-z_][\w.]*=)/i;

/** Client or user, time, request and status in a row. */
const COMMON_RECORD =
  /\S \[\d\d\/[A-Z][a-z]{2}\/\d{4}[: ]\d\d:\d\d:\d\d[^\]"]{0,20}\] "[A-Z]+ [^"]*" (?:\d{3}|-)(?: |$)/;

/** Colours of a console, or none. */
const COLOURS = '(?:\\x1b\\[[\\d;]*m)*';

/** What stands in front of a server's line, one after the other. */
const PREFIXES: readonly RegExp[] = [
  // `web-1  | `, also coloured, of containers run together.
  new RegExp(`^${COLOURS}[\\w.-]+ *${COLOURS}\\|${COLOURS} ?${COLOURS}`),
  // `2024-03-04T10:00:00.123Z stderr F ` of a container's runtime.
  /^\d{4}-\d\d-\d\dT\S+ std(?:out|err) [FP] /,
  // `<187>1 2024-03-04T10:00:00Z host nginx 12 - - ` and `<187>Mar  4 10:00:00 host nginx[12]: ` of syslog.
  /^<\d{1,3}>\d \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[[^\]]*\])+) ?(?:\xef\xbb\xbf)?/,
  /^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\S+) \S+ [^\s:[]+(?:\[\d+\])?: /,
  // A container's time in front of the server's own.
  /^\d{4}-\d\d-\d\dT\S+ (?=\d{4}[-/]\d\d[-/]\d\d[ T]|\[[A-Z][a-z]{2} )/,
];

function prefixLength(head: string): number {
  let length = 0;
  for (const prefix of PREFIXES) length += prefix.exec(head.slice(length))?.[0].length ?? 0;
  return length;
}
