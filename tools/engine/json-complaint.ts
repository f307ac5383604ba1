/** What k6 (Go's encoding/json) says about a text that is no JSON. */

interface Complaint {
  /** Of the character that is wrong, from 0. */
  readonly at: number;
  readonly says: string;
}

/** @returns k6's message for `Response.json()` of a text that is no JSON, line and character from 1 */
export function jsonComplaint(text: string): string {
  // Go reads bytes, and tells places in characters.
  const bytes = Buffer.from(text).toString('latin1');
  const { at, says } = read(bytes);
  const before = Buffer.from(bytes.slice(0, at + 1), 'latin1')
    .toString()
    .split('\n');
  // A line break that is itself the culprit counts as the first character of the next line.
  const character = bytes[at] === '\n' ? 1 : Array.from(before.at(-1) ?? '').length;
  return `cannot parse json due to an error at line ${before.length}, character ${character} , error: ${says}`;
}

const SPACE = ' \t\r\n';

function read(text: string): Complaint {
  let i = 0;
  const stop = (where: string): never => {
    const ends = i >= text.length;
    // Go closes a text with a space, which only a word, a number and an escape stumble over.
    if (ends && !/^(in literal|in num|after dec|in exp|in string esc|in .u)/.test(where)) {
      throw { at: text.length - 1, says: 'unexpected end of JSON input' } satisfies Complaint;
    }
    throw {
      at: ends ? text.length - 1 : i,
      says: `invalid character ${quoted(text[i] ?? ' ')} ${where}`,
    } satisfies Complaint;
  };
  const skip = () => {
    while (i < text.length && SPACE.includes(text[i] ?? '')) i++;
  };
  const expect = (wanted: string, where: string) => {
    if (text[i] !== wanted) stop(where);
    i++;
  };
  const string = () => {
    for (i++; text[i] !== '"'; i++) {
      if (i >= text.length || (text[i] ?? '') < ' ') stop('in string literal');
      if (text[i] !== '\\') continue;
      i++;
      if (!'bfnrt\\/"u'.includes(text[i] ?? '?')) stop('in string escape code');
      if (text[i] !== 'u') continue;
      for (let k = 0; k < 4; k++) if (!/[0-9a-fA-F]/.test(text[++i] ?? '')) stop('in \\u hexadecimal character escape');
    }
    i++;
  };
  const word = (name: string) => {
    for (const char of name.slice(1)) {
      i++;
      if (text[i] !== char) stop(`in literal ${name} (expecting ${quoted(char)})`);
    }
    i++;
  };
  const digits = (where: string) => {
    if (!/[0-9]/.test(text[i] ?? '')) stop(where);
    while (/[0-9]/.test(text[i] ?? '')) i++;
  };
  const number = () => {
    if (text[i] === '-') i++;
    if (text[i] === '0') i++;
    else digits('in numeric literal');
    if (text[i] === '.') {
      i++;
      digits('after decimal point in numeric literal');
    }
    if (text[i] === 'e' || text[i] === 'E') {
      i++;
      if (text[i] === '+' || text[i] === '-') i++;
      digits('in exponent of numeric literal');
    }
  };
  const list = (end: string, after: string, item: () => void) => {
    i++;
    skip();
    if (text[i] === end) {
      i++;
      return;
    }
    for (;;) {
      item();
      skip();
      if (text[i] === end) break;
      expect(',', after);
      skip();
    }
    i++;
  };
  const value = (): void => {
    skip();
    const char = text[i] ?? '';
    if (char === '{') {
      list('}', 'after object key:value pair', () => {
        if (text[i] !== '"') stop('looking for beginning of object key string');
        string();
        skip();
        expect(':', 'after object key');
        value();
      });
    } else if (char === '[') list(']', 'after array element', value);
    else if (char === '"') string();
    else if (char === 't') word('true');
    else if (char === 'f') word('false');
    else if (char === 'n') word('null');
    else if (char !== '' && '-0123456789'.includes(char)) number();
    else stop('looking for beginning of value');
  };
  try {
    value();
    skip();
    return stop('after top-level value');
  } catch (complaint) {
    return complaint as Complaint;
  }
}

function quoted(char: string): string {
  if (char === "'") return "'\\''";
  if (char === '"') return `'"'`;
  return `'${JSON.stringify(char).slice(1, -1)}'`;
}
