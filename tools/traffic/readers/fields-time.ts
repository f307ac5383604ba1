/** The time stamp among named fields. */
import type { Fields } from './field-names.ts';
import type { RawRecord } from './raw-record.ts';
import { looksLikeStamp, stampTime } from './stamp-text.ts';
import { epochTime, lastStamp } from './time.ts';

/** Where MongoDB's exports keep a date within a field. */
const WITHIN = ['.$date', '.$date.$numberlong'];

const BARE_DATE = /^\d{4}[-/]\d\d[-/]\d\d$/;

/**
 * The first of these fields that is a time; else a date with the time of day beside it; NaN when there is neither. A field that
 * looks like a time and is not understood is named in the record.
 */
export function timeIn(fields: Fields, names: readonly string[], out: RawRecord): number {
  for (const name of names) {
    const time = readTime(fields.get(name));
    if (!Number.isNaN(time)) return time;
  }
  for (const name of names) {
    for (const end of WITHIN) {
      const time = readTime(fields.get(name + end));
      if (!Number.isNaN(time)) return time;
    }
  }
  const [date, time] = [fields.get('date'), fields.get('time')];
  if (typeof date === 'string' && BARE_DATE.test(date) && typeof time === 'string') {
    const both = readTime(`${date} ${time}`);
    if (!Number.isNaN(both)) return both;
  }
  const unread = names.find((name) => mayBeStamp(name, fields.get(name)));
  if (unread !== undefined) out.unreadStamp = `${unread}, as "${String(fields.get(unread))}"`;
  return Number.NaN;
}

/** A number under a name such as `time` may be a duration. */
function mayBeStamp(name: string, value: unknown): boolean {
  return typeof value === 'number'
    ? /^(?:@?timestamp|ts)/.test(name)
    : typeof value === 'string' && looksLikeStamp(value);
}

function readTime(value: unknown): number {
  lastStamp.zoneless = false;
  // So long a number is a date written as one.
  if (typeof value === 'number') return value >= 1e13 && value < 1e14 ? stampTime(String(value)) : epochTime(value);
  return typeof value !== 'string' || value === '' || BARE_DATE.test(value) ? Number.NaN : stampTime(value);
}
