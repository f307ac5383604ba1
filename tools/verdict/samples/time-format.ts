/** The six time formats of k6's CSV output, recognised from a value, and their conversion to microseconds in SQL. */

export type TimeFormat = 'unix' | 'unix_milli' | 'unix_micro' | 'unix_nano' | 'rfc3339' | 'rfc3339_nano';

/**
 * Format of one time stamp. Digits decide: seconds have 10 until the year 2286, milliseconds 13, microseconds 16,
 * nanoseconds 19. `undefined` for anything else, so that nothing is dated 1970 or 57000 by a wrong guess.
 */
export function timeFormatOf(value: string): TimeFormat | undefined {
  if (/^\d{9,10}$/.test(value)) return 'unix';
  if (/^\d{12,13}$/.test(value)) return 'unix_milli';
  if (/^\d{15,16}$/.test(value)) return 'unix_micro';
  if (/^\d{18,19}$/.test(value)) return 'unix_nano';
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:?\d\d)$/.test(value)) return 'rfc3339';
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+(Z|[+-]\d\d:?\d\d)$/.test(value)) return 'rfc3339_nano';
  return undefined;
}

/** The format that most time stamps of a file have. */
export function mostCommon(formats: readonly TimeFormat[]): TimeFormat | undefined {
  const counts = new Map<TimeFormat, number>();
  for (const format of formats) counts.set(format, (counts.get(format) ?? 0) + 1);
  // A whole second happens to be written without a fraction: any fraction means nanosecond notation.
  if (counts.has('rfc3339_nano')) return 'rfc3339_nano';
  return [...counts.entries()].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** SQL for microseconds since 1970 of a text expression; NULL where it does not parse. */
export function microsecondsSql(expression: string, format: TimeFormat): string {
  const integer = `try_cast(${expression} as BIGINT)`;
  switch (format) {
    case 'unix':
      return `${integer} * 1000000`;
    case 'unix_milli':
      return `${integer} * 1000`;
    case 'unix_micro':
      return integer;
    case 'unix_nano':
      return `${integer} // 1000`;
    case 'rfc3339':
    case 'rfc3339_nano':
      return `epoch_us(try_cast(${expression} as TIMESTAMPTZ))`;
  }
}

/** Smallest step between two time stamps of a format, ms. */
export function resolutionMs(format: TimeFormat): number {
  if (format === 'unix' || format === 'rfc3339') return 1000;
  return format === 'unix_milli' ? 1 : 0.001;
}
