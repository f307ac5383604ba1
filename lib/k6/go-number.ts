/** Numbers as Go's `strconv.ParseFloat` reads them: k6 takes its thresholds, percentiles and bare durations from there. */

/** Underscores stand between digits only. */
const DECIMAL = /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/i;
const HEX =
  /^([+-]?)0x_?(?:([\da-f]+(?:_[\da-f]+)*)\.?([\da-f]+(?:_[\da-f]+)*)?|\.([\da-f]+(?:_[\da-f]+)*))p([+-]?\d+)$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

/**
 * `5`, `.5`, `5.`, `+5`, `1e3`, `1_000`, `0x1p4`, `Inf` and `NaN`, and nothing around them.
 * @returns undefined for what Go refuses, which a number beyond the largest double is too
 */
export function goNumber(text: string): number | undefined {
  if (DECIMAL.test(text)) return finite(Number(text.replace(/_/g, '')));
  if (/^nan$/i.test(text)) return Number.NaN;
  const infinite = INFINITE.exec(text);
  if (infinite !== null) return infinite[1] === '-' ? -Infinity : Infinity;
  const hex = HEX.exec(text);
  if (hex === null) return undefined;
  const [, sign, whole = '', behind, alone = '', exponent] = hex;
  const fraction = (behind ?? alone).replace(/_/g, '');
  const mantissa = Number.parseInt(whole.replace(/_/g, '') + fraction, 16);
  return finite((sign === '-' ? -1 : 1) * mantissa * 2 ** (Number(exponent) - 4 * fraction.length));
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);
