/**
 * Durations as k6 reads them: Go's (`1h30m`, `1.5s`, `.5s`, `100us`, `-1s`), days before them (`1d`, `1d12h`), and bare
 * numbers. Counted in whole nanoseconds, as k6 counts them; what is finer is cut off.
 */
import { goNumber } from './go-number.ts';

const UNIT_NS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  // Go takes the Greek letter as well as the micro sign.
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
const PART = /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g;
const PARTS = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const DAYS = /^([+-]?\d+)d(.*)$/s;
const DAY_NS = 86_400e9;

/**
 * Milliseconds of a duration.
 * @param value text, or a number of milliseconds; a text that is only a number is milliseconds too
 * @returns undefined for what k6 refuses, and for what does not fit into 64 bits of nanoseconds (292 years), where k6 goes on
 *   with a number that depends on the processor
 */
export function durationMs(value: string | number): number | undefined {
  const ns = durationNs(value);
  return ns === undefined ? undefined : ns / 1e6;
}

/** Seconds of a duration; see `durationMs`. */
export function durationSeconds(value: string | number): number | undefined {
  const ns = durationNs(value);
  return ns === undefined ? undefined : ns / 1e9;
}

/**
 * Seconds of a duration of our own variables (`-e DURATION=90`): a text of digits and a point alone is seconds, all others
 * are k6's.
 * @returns undefined for any other number alone, and as `durationMs` does
 */
export function bareSeconds(text: string): number | undefined {
  const ns = fitting(/^[\d.]+$/.test(text) ? partsNs(`${text}s`) : textNs(text));
  return ns === undefined ? undefined : ns / 1e9;
}

function durationNs(value: string | number): number | undefined {
  const number = typeof value === 'number' ? value : goNumber(value);
  return fitting(number === undefined ? textNs(value as string) : number * 1e6);
}

/** Nanoseconds of a text with units. */
function textNs(text: string): number | undefined {
  const days = DAYS.exec(text);
  if (days === null) return partsNs(text);
  const [, count = '', rest = ''] = days;
  const restNs = rest === '' || /^[+-]?0$/.test(rest) ? 0 : partsNs(rest);
  if (restNs === undefined || restNs < 0) return undefined;
  const daysNs = Number(count) * DAY_NS;
  return daysNs < 0 ? daysNs - restNs : daysNs + restNs;
}

function partsNs(text: string): number | undefined {
  if (!PARTS.test(text)) return undefined;
  let sum = 0;
  for (const [, whole = '', fraction = '', unit = ''] of text.matchAll(PART)) {
    const ns = UNIT_NS[unit] as number;
    sum += Number(whole) * ns + Math.trunc(Number(fraction) * (ns / 10 ** fraction.length));
  }
  return text.startsWith('-') ? -sum : sum;
}

function fitting(ns: number | undefined): number | undefined {
  // The sum with 0 makes 0 of -0.
  return ns !== undefined && Math.abs(ns) < 2 ** 63 ? Math.trunc(ns) + 0 : undefined;
}
