/** The selectors of `Response.json()`: GJSON paths (github.com/tidwall/gjson), without modifiers and multipaths. */
import { EngineError } from './engine-error.ts';

/** GJSON's modifiers; another name after an `@` is the name of a member. */
const MODIFIERS = /^@(pretty|ugly|reverse|this|flatten|join|valid|keys|values|tostr|fromstr|group|dig)\b/;

interface Part {
  readonly text: string;
  /** What follows, and whether after a `|`. */
  readonly rest: string | undefined;
  readonly piped: boolean;
}

/**
 * @returns undefined where there is nothing
 * @throws Error for a selector that this engine does not have
 */
export function select(json: string, path: string): unknown {
  return path === '' ? undefined : at(JSON.parse(json), path);
}

function at(value: unknown, path: string): unknown {
  if (MODIFIERS.test(path) || /^([{[!]|\.\.)/.test(path)) {
    throw EngineError.notOffered(`json() with the selector "${path}"`);
  }
  const part = cut(path);
  if (Array.isArray(value) && part.text.startsWith('#')) return ofElements(value, part);
  return onward(member(value, part.text), part);
}

const onward = (value: unknown, { rest }: Part): unknown =>
  value === undefined || rest === undefined ? value : at(value, rest);

/** The first part of a path: up to a dot or a bar that no backslash, string or bracket of a query covers. */
function cut(path: string): Part {
  let depth = 0;
  let quoted = false;
  const inQuery = path.startsWith('#(');
  for (let i = 0; i < path.length; i++) {
    const char = path[i];
    if (char === '\\') i++;
    else if (inQuery && char === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (inQuery && char === '(') depth++;
    else if (inQuery && char === ')') depth--;
    else if (depth === 0 && (char === '.' || char === '|')) {
      return { text: path.slice(0, i), rest: path.slice(i + 1), piped: char === '|' };
    }
  }
  return { text: path, rest: undefined, piped: false };
}

function member(value: unknown, key: string): unknown {
  if (value === null || typeof value !== 'object') return undefined;
  const plain = key.replace(/\\(.)/g, '$1');
  if (Array.isArray(value)) return /^[0-9]+$/.test(key) ? value[Number(key)] : undefined;
  const record = value as Record<string, unknown>;
  if (!/[*?]/.test(key.replace(/\\./g, ''))) return Object.hasOwn(record, plain) ? record[plain] : undefined;
  const found = Object.keys(record).find((name) => wildcard(key).test(name));
  return found === undefined ? undefined : record[found];
}

/** A pattern of `*` and `?`, where a backslash takes the meaning of the next character. */
function wildcard(pattern: string): RegExp {
  const source = pattern.replace(/\\(.)|([*?])|([\s\S])/g, (_, escaped?: string, wild?: string, plain?: string) =>
    wild === undefined ? literal(escaped ?? plain ?? '') : wild === '*' ? '[\\s\\S]*' : '[\\s\\S]',
  );
  return new RegExp(`^${source}$`, 'u');
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replace(/\\-/g, '\\x2d');

/** `#`, `#(query)` and `#(query)#`. */
function ofElements(list: readonly unknown[], part: Part): unknown {
  if (part.text === '#') {
    if (part.rest === undefined || part.piped) return onward(list.length, part);
    return each(list, part.rest);
  }
  const query = /^#\(([\s\S]*)\)(#?)$/.exec(part.text);
  if (query === null) return undefined;
  const [, condition = '', all] = query;
  const matches = conditionOf(condition);
  if (all === '') return onward(list.find(matches), part);
  const found = list.filter(matches);
  return part.rest === undefined || part.piped ? onward(found, part) : each(found, part.rest);
}

const each = (list: readonly unknown[], path: string): unknown[] =>
  list.map((item) => at(item, path)).filter((item) => item !== undefined);

type Test = (item: unknown) => boolean;

function conditionOf(text: string): Test {
  const [path, operator, wanted] = split(text);
  const subject = (item: unknown) => (path === '' ? item : at(item, path));
  if (operator === undefined) return (item) => subject(item) !== undefined;
  const compare = comparison(operator === '==' ? '=' : operator, wanted);
  return (item) => compare(subject(item));
}

/** Path, operator and value of a query; the path of a nested query holds operators of its own. */
function split(text: string): [path: string, operator: string | undefined, wanted: string] {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    const operator = depth === 0 ? /^(==|!=|<=|>=|!%|=|<|>|%)/.exec(text.slice(i))?.[0] : undefined;
    if (operator !== undefined) return [text.slice(0, i).trim(), operator, text.slice(i + operator.length).trim()];
  }
  return [text.trim(), undefined, ''];
}

/** @param operator `=`, `!=`, `<`, `<=`, `>`, `>=`, `%` or `!%` */
function comparison(operator: string, wanted: string): Test {
  const kind = wanted.startsWith('~') ? TRUTHS[wanted.slice(1)] : undefined;
  if (kind !== undefined) {
    const isTrue = comparison(operator, 'true');
    return (value) => isTrue(kind(value));
  }
  const text = /^"([\s\S]*?)"?$/.exec(wanted)?.[1]?.replace(/\\(.)/g, '$1') ?? wanted;
  const pattern = operator.endsWith('%') ? wildcard(text) : undefined;
  return (value) => {
    if (typeof value === 'string') {
      return pattern === undefined ? ordered(operator, value, text) : pattern.test(value) === (operator === '%');
    }
    if (typeof value === 'number') return ordered(operator, value, Number(text) || 0);
    // Of true and false GJSON says only what holds between the two.
    if (typeof value !== 'boolean') return false;
    if (operator === '=' || operator === '!=') return (text === String(value)) === (operator === '=');
    return operator === (value ? '>=' : '<=') || (operator === (value ? '>' : '<') && text === String(!value));
  };
}

function ordered<T extends string | number>(operator: string, a: T, b: T): boolean {
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    case '!=':
      return a !== b;
    case '=':
      return a === b;
    default:
      return false;
  }
}

const named = (value: unknown, pattern: RegExp) => typeof value === 'string' && pattern.test(value);

/** What GJSON compares in place of a value with `~true` and its like. */
const TRUTHS: Readonly<Record<string, Test>> = {
  true: (value) => value === true || (typeof value === 'number' && value !== 0) || named(value, /^(1|t|true)$/i),
  false: (value) => value === false || value === 0 || (value ?? null) === null || named(value, /^(0|f|false)$/i),
  null: (value) => (value ?? null) === null,
  '*': (value) => value !== undefined,
};
