/** What the text of a duration says by itself: a number, perhaps with its unit, or the forms of Go (`1m2.5s`) and Java (`PT1M2.5S`). */

import { durationMs } from '../../../lib/k6/duration.ts';

export interface DurationText {
  /** NaN when there is no number that is sure. */
  readonly number: number;
  /** Milliseconds per unit, where the text names the unit. */
  readonly scale: number | undefined;
  /** Digits after the point; 0 for a whole number. */
  readonly places: number;
  /** Whether something is there that may well be a duration and cannot be read. */
  readonly unread: boolean;
}

const words = (ms: number, names: string): [string, number][] => names.split(' ').map((name) => [name, ms]);

/** Milliseconds per unit, by every word for it. Both signs for micro are in use. */
export const UNIT_WORDS: ReadonlyMap<string, number> = new Map([
  ...words(1e-6, 'ns nsec nsecs nanos nanosecond nanoseconds'),
  ...words(1e-3, 'us µs μs usec usecs micros microsecond microseconds'),
  ...words(1, 'ms msec msecs millis millisecond milliseconds'),
  ...words(1000, 's sec secs second seconds'),
  ...words(60_000, 'm min mins minute minutes'),
  ...words(3_600_000, 'h hr hrs hour hours'),
]);

const NONE: DurationText = { number: Number.NaN, scale: undefined, places: 0, unread: false };
const UNREAD: DurationText = { ...NONE, unread: true };

const SIMPLE = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*([a-zµμ]+)?$/i;
/** Without a unit it is a number, which k6 would take for milliseconds. */
const GO_LIKE = /^\d.*[a-zµμ]$/;
const JAVA = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/;
/** Numbers with marks between the digits, and perhaps a word behind; no date, no time of day, no address. */
const NUMBER_LIKE = /^(?!\d\d:\d\d:\d\d$|\d+\.\d+\.\d+\.\d+)\d[\d.,:'\s]*[a-zµμ\d.,]*$/i;

/**
 * @param value a number, a text, or anything else, which is no duration
 * @param decimalComma whether a comma is known to be the decimal mark; else a number with one is not read, because `12,345` may
 *   be twelve or twelve thousand, and to read only those of its column that look sure would keep a part that is not like the rest
 */
export function durationText(value: unknown, decimalComma: boolean): DurationText {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? plain(value, String(value)) : NONE;
  if (typeof value !== 'string') return NONE;
  const text = value.trim();
  const pointed = decimalComma ? withPoint(text) : text;
  const simple = SIMPLE.exec(pointed);
  if (simple !== null) {
    const unit = simple[3];
    const scale = unit === undefined ? undefined : UNIT_WORDS.get(unit.toLowerCase());
    if (unit !== undefined && scale === undefined) return UNREAD;
    const digits = `${simple[1]}${simple[2] ?? ''}`;
    return { ...plain(Number(digits), digits), scale };
  }
  const ms = (GO_LIKE.test(pointed) ? durationMs(pointed) : undefined) ?? javaMilliseconds(pointed);
  if (ms >= 0) return { number: ms, scale: 1, places: 0, unread: false };
  return NUMBER_LIKE.test(text) ? UNREAD : NONE;
}

function plain(number: number, digits: string): DurationText {
  const places = /^\d*\.?(\d*)$/.exec(digits)?.[1]?.length;
  const pointed = digits.includes('.');
  return {
    number,
    scale: undefined,
    places: places === undefined ? (Number.isInteger(number) ? 0 : MANY) : pointed ? places : 0,
    unread: false,
  };
}

/** Places of a number with an exponent: more than a server's fixed ones. */
const MANY = 9;

/** With a decimal comma, points stand between groups of thousands. */
function withPoint(text: string): string {
  return /^\d{1,3}(?:\.\d{3})*,\d+\D*$|^\d+,\d+\D*$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text;
}

function javaMilliseconds(text: string): number {
  const match = JAVA.exec(text);
  if (match === null || text === 'PT') return Number.NaN;
  const [hours, minutes, seconds] = [match[1], match[2], match[3]].map((part) => Number(part ?? 0));
  return ((hours as number) * 3600 + (minutes as number) * 60 + (seconds as number)) * 1000;
}
