/**
 * Time stamps in a text of their own, as named fields have them: besides ISO 8601 and the common log's also what Kibana, Java,
 * mail headers, .NET and MongoDB write. Nothing is read of which the day and month could be changed round.
 */
import { decimal, integer } from './bytes.ts';
import { clfTime, epochTime, isoTime, lastStamp } from './time.ts';

/** Days and months by their names in English; a time of day with an optional half of the day; a zone. */
const MONTH = '(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*';
const CLOCK = String.raw`(\d{1,2}):(\d\d):(\d\d)([.,]\d+)?(?:\s?([AP]M))?`;
const ZONE = String.raw`(?:\s?(?:GMT(?=[+-]))?(Z|UTC|GMT|[+-]\d\d:?\d\d))?(?: \([\w ]+\))?`;
const WEEKDAY = '(?:[A-Z][a-z]+,? )?';

/** `Mar 10, 2025 @ 09:00:04.123` of Kibana, `Mar 10, 2025 9:00:04 AM` of Java, `Mon Mar 10 2025 09:00:04 GMT+0000 (...)` of JavaScript. */
const MONTH_FIRST = new RegExp(String.raw`^${WEEKDAY}${MONTH} (\d{1,2}),? (\d{4}),?(?: @)? ${CLOCK}${ZONE}$`, 'i');
/** `Mon, 10 Mar 2025 09:00:04 GMT` of mail and HTTP headers, `10-Mar-2025 09:00:04.123` of Tomcat. */
const DAY_FIRST = new RegExp(String.raw`^${WEEKDAY}(\d{1,2})[ -]${MONTH}[ -](\d{4}),? ${CLOCK}${ZONE}$`, 'i');
/** `Mon Mar 10 09:00:04 2025` of C, `Mon Mar 10 09:00:04 UTC 2025` of date. */
const YEAR_LAST = new RegExp(String.raw`^[A-Z][a-z]{2} ${MONTH} +(\d{1,2}) ${CLOCK}${ZONE} (\d{4})$`, 'i');
/** `20250310T090004Z` and `20250310090004`: so long a number would be a time after the year 2286. */
const COMPACT =
  /^((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)T?([0-2]\d)([0-5]\d)([0-6]\d)(?:[.,](\d{1,9})|(\d{3}))?(Z|[+-]\d\d:?\d\d)?$/;
/** `2025-03-10T09:00Z` */
const NO_SECONDS = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)(\s?(?:Z|UTC|[+-]\d\d:?\d\d))?$/;
/** Java's name of the zone behind an offset that tells it already. */
const ZONE_NAME = /(?<=Z|[+-]\d\d:?\d\d)\[[\w/+-]+\]$/;
/** .NET's old JSON. */
const DOTNET = /^\/Date\((\d+)(?:[+-]\d{4})?\)\/$/;

/** Ms since 1970, NaN when not understood; sets `lastStamp`. */
export function stampTime(value: string): number {
  // A stamp that was tried before may have named no zone; seconds since 1970 need none.
  lastStamp.zoneless = false;
  if (value[4] === '-' || value[2] === '/') {
    const everyday = fromBytes(Buffer.from(value, 'latin1'));
    if (!Number.isNaN(everyday)) return everyday;
    lastStamp.zoneless = false;
  }
  const text = value
    .trim()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(ZONE_NAME, '');
  const compact = COMPACT.exec(text);
  if (compact !== null) return compactTime(compact);
  const bytes = Buffer.from(text, 'latin1');
  const whole = integer(bytes, 0, bytes.length);
  const number = whole >= 0 ? whole : decimal(bytes, 0, bytes.length);
  if (!Number.isNaN(number)) return epochTime(number);
  const plain = fromBytes(bytes);
  if (!Number.isNaN(plain)) return plain;
  lastStamp.zoneless = false;
  const short = NO_SECONDS.exec(text);
  if (short !== null) return fromBytes(Buffer.from(`${short[1]}:00${short[2] ?? ''}`, 'latin1'));
  const dotnet = DOTNET.exec(text);
  if (dotnet !== null) return epochTime(Number(dotnet[1]));
  return namedMonthTime(text);
}

function fromBytes(bytes: Uint8Array): number {
  const time = isoTime(bytes, 0, bytes.length);
  return Number.isNaN(time) ? clfTime(bytes, 0, bytes.length) : time;
}

function compactTime(match: RegExpExecArray): number {
  const [, year, month, day, hour, minute, second, places, milliseconds, zone] = match;
  const digits = places ?? milliseconds;
  const rest = `${digits === undefined ? '' : `.${digits}`}${zone ?? ''}`;
  return fromBytes(Buffer.from(`${year}-${month}-${day}T${hour}:${minute}:${second}${rest}`, 'latin1'));
}

function namedMonthTime(text: string): number {
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst !== null) {
    const [, month, day, year, ...clock] = monthFirst;
    return civilTime(year, month, day, clock);
  }
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) {
    const [, day, month, year, ...clock] = dayFirst;
    return civilTime(year, month, day, clock);
  }
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast === null) return Number.NaN;
  const [, month, day, ...clock] = yearLast;
  return civilTime(clock.at(-1), month, day, clock);
}

/** @param clock hour, minute, second, fraction, half of the day and zone as the patterns above give them */
function civilTime(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  [hour, minute, second, fraction, half, zone]: readonly (string | undefined)[],
): number {
  const hours = Number(hour);
  if (hours > (half === undefined ? 23 : 12) || Number(day) < 1 || Number(day) > 31) return Number.NaN;
  const hour24 = half === undefined ? hours : (hours % 12) + (/p/i.test(half) ? 12 : 0);
  const number = 1 + MONTHS.indexOf((month ?? '').slice(0, 3).toLowerCase());
  const pad = (n: number): string => String(n).padStart(2, '0');
  const iso = `${year}-${pad(number)}-${pad(Number(day))}T${pad(hour24)}:${minute}:${second}${fraction ?? ''}${zone ?? ''}`;
  return fromBytes(Buffer.from(iso, 'latin1'));
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Whether a text that is not understood looks like a date or a time of day. */
export function looksLikeStamp(text: string): boolean {
  if (text.length > LONGEST_STAMP || /^\d+\.\d+\.\d+\.\d+/.test(text)) return false;
  return /^[\w ,.:;/@+\-()[\]]+$/.test(text) && /\d[:/.-]\d+[:/.-]\d|\d{6}T\d{4}/.test(text);
}
const LONGEST_STAMP = 40;
