/** Numbers for people: short, but never rounded onto a value that would say something else. Works inside k6 too. */

/** Decimals after which a number is given up on as being what it looks like. */
const MOST = 12;

/** `value` with at least this many decimals, and more until it is not mistaken for one of `apart` that it is not. */
function decimals(value: number, least: number, apart: readonly number[]): string {
  for (let digits = least; digits <= MOST; digits++) {
    const text = value.toFixed(digits);
    if (!apart.some((other) => other !== value && Number(text) === other)) return text;
  }
  return `${value}`;
}

/**
 * A latency, a rate or a count: at least two significant digits, also of what is missing to 1, and apart from the threshold's
 * limit.
 */
export function figure(value: number, limit?: number): string {
  if (value % 1 === 0) return `${value}`;
  const apart = [0, 1, ...(limit === undefined ? [] : [limit])];
  if (value > 0 && value < 1) {
    const edge = Math.min(value, 1 - value);
    return decimals(value, Math.min(MOST, Math.max(2, 1 - Math.floor(Math.log10(edge) + 1e-9))), apart);
  }
  return decimals(value, value >= 100 ? 0 : value >= 10 ? 1 : 2, apart);
}

/** A measured value to about four digits, without trailing zeros, as tables of raw samples show it. */
export function quantity(value: number): string {
  const size = Math.abs(value);
  return String(Number(value.toFixed(size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4)));
}

/** Percentage points below which a share is what it should be but for the last bits of its sum. */
const DUST = 1e-9;

function percentage(share: number, least: number): string {
  const value = 100 * share;
  return decimals(
    value,
    least,
    [0, 100].filter((edge) => Math.abs(value - edge) > DUST),
  );
}

/** A share, 0 to 1, in percent, for tables: `5.0 %`; neither 0 nor 100 when it is not. */
export function percent(share: number, least = 1): string {
  return `${percentage(share, least)} %`;
}

/** The same for sentences, without trailing zeros: `5 %`, `12.3 %`. */
export function shortPercent(share: number, least = 1): string {
  return `${Number(percentage(share, least))} %`;
}

/** A time that has passed: `8.0 s`, `5.2 min`, `1.5 h`. */
export function elapsed(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(1)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** A length that a test must have at least: rounded up, `72 s`, `5 min`, `1.5 h`. */
export function needed(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${(Math.ceil(seconds / 360) / 10).toFixed(1)} h`;
}
