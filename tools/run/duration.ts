/** Durations as k6 and Go write them: `90s`, `1m30s`, `1.5h`, `300ms`. */

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  d: 86_400,
  h: 3_600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  µs: 1e-6,
  ns: 1e-9,
};

/** Seconds of a duration; undefined when it is none. */
export function durationSeconds(text: string): number | undefined {
  if (!/^(?:[0-9]+(?:\.[0-9]+)?(?:d|h|ms|m|s|us|µs|ns))+$/.test(text)) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(/([0-9.]+)(d|h|ms|m|s|us|µs|ns)/g)) {
    seconds += Number(amount) * (UNIT_SECONDS[unit as string] ?? 0);
  }
  return seconds;
}
