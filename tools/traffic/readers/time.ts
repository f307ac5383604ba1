/** Time stamps as access logs write them. All results are milliseconds since 1970 UTC, NaN when not understood. */
import { digit, hasText, SPACE } from './bytes.ts';

const DAY = 86_400_000;

/** Days from 1970-01-01 to a date of the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date algorithms"). */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Month 1-12 of its three-letter English name, 0 when it is none. */
export function monthOf(a: number | undefined, b: number | undefined, c: number | undefined): number {
  const key = (((a as number) | 32) << 16) | (((b as number) | 32) << 8) | ((c as number) | 32);
  return MONTHS.indexOf(key) + 1;
}
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].map(
  (name) => (name.charCodeAt(0) << 16) | (name.charCodeAt(1) << 8) | name.charCodeAt(2),
);

function two(buf: Uint8Array, at: number): number {
  const value = digit(buf[at]) * 10 + digit(buf[at + 1]);
  return value > 99 ? Number.NaN : value;
}

/** Whether the stamp read last named no zone; a field and not a result, because stamps are read a million times a second. */
export const lastStamp = { zoneless: false };

/** Offset of `+0200`, `+02:00`, `-05` or `Z` in ms; 0 when [at, end) is empty, NaN when it is something else. */
function zone(buf: Uint8Array, at: number, end: number): number {
  while (at < end && buf[at] === SPACE) at++;
  lastStamp.zoneless = at >= end;
  if (at >= end) return 0;
  const sign = buf[at] === 43 ? 1 : buf[at] === 45 ? -1 : 0;
  if (sign === 0) {
    const z = ((buf[at] as number) | 32) === 122 && at + 1 === end;
    const utc = end - at === 3 && ['UTC', 'GMT', 'utc'].some((name) => hasText(buf, at, end, name));
    return z || utc ? 0 : Number.NaN;
  }
  const minutes = at + 3 >= end ? 0 : two(buf, buf[at + 3] === 58 ? at + 4 : at + 3);
  const hours = two(buf, at + 1);
  // Line Islands Time, UTC+14, is the furthest.
  return hours <= 14 && minutes < 60 ? sign * (hours * 60 + minutes) * 60_000 : Number.NaN;
}

/** Whether the month has such a day: 31 February would else be a day of March. */
function isDay(year: number, month: number, day: number): boolean {
  const long = month === 2 ? (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28) : 30;
  return day >= 1 && day <= (month === 2 ? long : long + ((month + (month > 7 ? 1 : 0)) & 1));
}

/** `HH:MM:SS` with an optional fraction after `.` or `,`; ms since midnight. `next` of the result's owner is not kept. */
export function timeOfDay(buf: Uint8Array, at: number, end: number): number {
  if (end - at < 8 || buf[at + 2] !== 58 || buf[at + 5] !== 58) return Number.NaN;
  const hour = two(buf, at);
  const minute = two(buf, at + 3);
  const second = two(buf, at + 6);
  // 60 is a leap second.
  if (!(hour < 24 && minute < 60 && second <= 60)) return Number.NaN;
  return hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction(buf, at + 8, end);
}

/** Milliseconds of a fraction that begins at `at` with `.` or `,`; 0 when there is none. */
function fraction(buf: Uint8Array, at: number, end: number): number {
  if (buf[at] !== 46 && buf[at] !== 44) return 0;
  let value = 0;
  let scale = 1000;
  for (let i = at + 1; i < end; i++) {
    const d = digit(buf[i]);
    if (d > 9) break;
    scale /= 10;
    value += d * scale;
  }
  return value;
}

function afterFraction(buf: Uint8Array, at: number, end: number): number {
  if (buf[at] !== 46 && buf[at] !== 44) return at;
  let i = at + 1;
  while (i < end && digit(buf[i]) <= 9) i++;
  return i;
}

/** Apache's and nginx's `04/Mar/2024:10:00:00 +0000`, with optional fraction and zone; Python's servers write a blank after the date. */
export function clfTime(buf: Uint8Array, start: number, end: number): number {
  if (end - start < 20 || buf[start + 2] !== 47 || buf[start + 6] !== 47) return Number.NaN;
  if (buf[start + 11] !== 58 && buf[start + 11] !== SPACE) return Number.NaN;
  const month = monthOf(buf[start + 3], buf[start + 4], buf[start + 5]);
  const day = two(buf, start);
  const year = two(buf, start + 7) * 100 + two(buf, start + 9);
  if (month === 0 || Number.isNaN(year) || !isDay(year, month, day)) return Number.NaN;
  const clock = timeOfDay(buf, start + 12, end);
  const rest = afterFraction(buf, start + 20, end);
  return daysFromCivil(year, month, day) * DAY + clock - zone(buf, rest, end);
}

/** `2024-03-04` or `2024/03/04` at `at`: days since 1970, or NaN. */
export function isoDays(buf: Uint8Array, at: number, end: number): number {
  const separator = buf[at + 4];
  if (end - at < 10 || (separator !== 45 && separator !== 47) || buf[at + 7] !== separator) return Number.NaN;
  const year = two(buf, at) * 100 + two(buf, at + 2);
  const month = two(buf, at + 5);
  const day = two(buf, at + 8);
  if (!(month >= 1 && month <= 12) || Number.isNaN(year) || !isDay(year, month, day)) return Number.NaN;
  return daysFromCivil(year, month, day);
}

/** ISO 8601 `2024-03-04T10:00:00.250Z`, `2024-03-04 10:00:00,250 +0100`, no zone means UTC. */
export function isoTime(buf: Uint8Array, start: number, end: number): number {
  const days = isoDays(buf, start, end);
  if (Number.isNaN(days)) return Number.NaN;
  if (end - start === 10) return days * DAY;
  return days * DAY + timeOfDay(buf, start + 11, end) - zone(buf, afterFraction(buf, start + 19, end), end);
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by size (years 1973 to 5138 in each). */
export function epochTime(value: number): number {
  const size = Math.abs(value);
  if (!(size >= 1e8)) return Number.NaN;
  if (size < 1e11) return value * 1000;
  if (size < 1e14) return value;
  return size < 1e17 ? value / 1000 : value / 1e6;
}
