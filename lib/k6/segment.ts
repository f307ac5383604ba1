/** k6's execution segments, the parts of a test that workers run: `1/4:1/2`, with exact fractions. */

/** A fraction in lowest terms; whole numbers, `bottom` > 0. */
export interface Fraction {
  readonly top: number;
  readonly bottom: number;
}

/** A part of the whole, `from` < `to`, both from 0 to 1. */
export interface Segment {
  readonly from: Fraction;
  readonly to: Fraction;
}

const NONE: Fraction = { top: 0, bottom: 1 };
const ALL: Fraction = { top: 1, bottom: 1 };
export const WHOLE_SEGMENT: Segment = { from: NONE, to: ALL };

/**
 * Reads `1/4:1/2`; `1/4` alone is the part from 0 to there; nothing is the whole. Borders are fractions, decimals (`0.25`,
 * `25e-2`) or whole percentages (`25%`).
 * @returns undefined for what k6 refuses, and for numbers in other bases than ten, which k6 takes
 */
export function parseSegment(text: string): Segment | undefined {
  if (text === '') return WHOLE_SEGMENT;
  const colon = text.indexOf(':');
  return segmentOf(colon < 0 ? NONE : fraction(text.slice(0, colon)), fraction(text.slice(colon + 1)));
}

/** Reads the borders of all segments, `0,1/4,1`: at least two, rising. @returns undefined for what k6 refuses */
export function parseSequence(text: string): Fraction[] | undefined {
  const borders = text.split(',').map(fraction);
  const rising = borders.slice(1).every((border, i) => segmentOf(borders[i], border) !== undefined);
  return borders.length > 1 && rising ? (borders as Fraction[]) : undefined;
}

/** Share of the whole, 0 to 1. */
export function segmentLength({ from, to }: Segment): number {
  return compareFractions(to, from) / (to.bottom * from.bottom);
}

/** The same of k6's option `executionSegment`, which k6 has checked by then: anything that is no segment is the whole. */
export function segmentShare(option: unknown): number {
  return segmentLength((typeof option === 'string' ? parseSegment(option) : undefined) ?? WHOLE_SEGMENT);
}

/** Below 0 when `a` is less than `b`, 0 when they are equal, else above 0: the top of a - b, not in lowest terms. */
export function compareFractions(a: Fraction, b: Fraction): number {
  // The products of two long decimals do not fit into a double.
  return Number(BigInt(a.top) * BigInt(b.bottom) - BigInt(b.top) * BigInt(a.bottom));
}

/** `1/4`, or `1` for a whole number. */
export function fractionText({ top, bottom }: Fraction): string {
  return bottom === 1 ? String(top) : `${top}/${bottom}`;
}

export function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function segmentOf(from: Fraction | undefined, to: Fraction | undefined): Segment | undefined {
  if (from === undefined || to === undefined) return undefined;
  return from.top >= 0 && compareFractions(from, to) < 0 && compareFractions(to, ALL) <= 0 ? { from, to } : undefined;
}

function fraction(text: string): Fraction | undefined {
  const ratio = /^([+-]?(?:0|[1-9]\d*))\/(0|[1-9]\d*)$/.exec(text);
  if (ratio !== null) return lowest(Number(ratio[1]), Number(ratio[2]));
  const percentage = /^([+-]?\d+)%$/.exec(text);
  if (percentage !== null) return lowest(Number(percentage[1]), 100);
  const decimal = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i.exec(text);
  if (decimal === null) return undefined;
  const [, sign, whole = '', part = '', exponent = '0'] = decimal;
  if (whole + part === '') return undefined;
  const power = Number(exponent) - part.length;
  const digits = (sign === '-' ? -1 : 1) * Number(whole + part);
  return power < 0 ? lowest(digits, 10 ** -power) : lowest(digits * 10 ** power, 1);
}

function lowest(top: number, bottom: number): Fraction | undefined {
  if (bottom === 0 || !Number.isSafeInteger(top) || !Number.isSafeInteger(bottom)) return undefined;
  const divisor = greatestCommonDivisor(Math.abs(top), bottom);
  return { top: top / divisor, bottom: bottom / divisor };
}
