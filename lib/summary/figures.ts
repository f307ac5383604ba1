/** Numbers for people: short, but never rounded onto a value that would say something else. */

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

/** A share, 0 to 1, in percent: neither 0 nor 100 when it is not. */
export const percent = (share: number): string => `${decimals(100 * share, 1, [0, 100])} %`;
