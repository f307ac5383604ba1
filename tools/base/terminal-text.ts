/** Text from files on a terminal: nothing in a name moves the cursor, colours a line or breaks a table. */

/** Control characters (line ends and tabs too), line and paragraph separators, and marks that turn the direction of reading. */
const INVISIBLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Control characters as escapes (`\n`, `\u001b`), so that what is shown is what is there. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (one) => SHORT[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON in which such characters are escapes, as JSON has them, beside those that it escapes anyway: it may be read on a terminal. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(INVISIBLE, (one) =>
    one === '\n' ? one : `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same of a text of several lines, which stay lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** A copy of plain data with every text made `visible`, keys too. */
export function visibleAll<Value>(value: Value): Value {
  const walk = (one: unknown): unknown => {
    if (typeof one === 'string') return visible(one);
    if (Array.isArray(one)) return typeof one[0] === 'number' ? one : one.map(walk);
    if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [visible(key), walk(inner)]));
  };
  return walk(value) as Value;
}

/** A name at most so many characters long; what is left out of its middle is shown as `…`, since names differ at both ends. */
export function shorten(text: string, most = 60): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const head = Math.ceil(((most - 1) * 2) / 3);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (most - 1 - head)).join('')}`;
}

/** Columns of a text for people. */
export const TEXT_WIDTH = 100;

/** Lines of at most `width` columns, broken at blanks; a longer word has a line of its own. The first begins with `first`. */
export function wrapped(text: string, first = '', indent = first.replace(/./gu, ' '), width = TEXT_WIDTH): string[] {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line);
      [line, empty] = [indent, true];
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line];
}
