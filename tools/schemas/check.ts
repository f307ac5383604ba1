/** zod issues as one sentence with the file, the place in it, and the nearest valid key. */
import { isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { nearest } from '../../lib/model/nearest.ts';
import { UserError } from '../base/user-error.ts';

/**
 * @param known valid keys at a place, for the hint of an unknown one
 * @throws UserError for text that is no JSON and for a document that does not fit
 */
export function parseJsonFile<T>(schema: z.ZodType<T>, text: string, file: string, known: readonly string[]): T {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UserError(`${file}${jsonPlace(text, error as Error)}: not valid JSON (${(error as Error).message})`);
  }
  const twice = doubledKey(text);
  if (twice !== undefined)
    throw new UserError(
      `${file}:${twice.line}: key "${twice.key}" stands twice in one object; JSON keeps only the last: merge the two`,
    );
  if (hasProto(document)) throw new UserError(`${file}: key "__proto__" is never read; take it out`);
  return checkDocument(schema, document, { text, file }, known);
}

/**
 * @param from text that the document was read from or made by, as JSON or TypeScript, for the line of what is wrong
 * @throws UserError for a document that does not fit
 */
export function checkDocument<T>(
  schema: z.ZodType<T>,
  document: unknown,
  { text, file }: { readonly text: string; readonly file: string },
  known: readonly string[],
): T {
  const result = schema.safeParse(document);
  if (result.success) return result.data;
  const issue = telling(result.error.issues);
  throw new UserError(`${file}:${place(text, issue)} ${sentence(issue, known)}`);
}

/** Whether a key is `__proto__`, however it is written: what stands under it is lost on the way. */
function hasProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProto);
}

/** First key that stands twice in one object, with its line; JSON is read as the YAML that it also is, which keeps places. */
function doubledKey(text: string): { key: string; line: number } | undefined {
  const lines = new LineCounter();
  let found: { key: string; line: number } | undefined;
  visit(parseDocument(text.replace(/^\uFEFF/, ''), { uniqueKeys: false, lineCounter: lines, schema: 'json' }), {
    Map: (_, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) {
          found = { key: String(key.value), line: lines.linePos(key.range?.[0] ?? 0).line };
          return visit.BREAK;
        }
        seen.add(key.value);
      }
      return undefined;
    },
  });
  return found;
}

/** The issue to speak of: a mistyped key explains the missing one. */
function telling(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  return issues.find((issue) => issue.code === 'unrecognized_keys') ?? (issues[0] as z.core.$ZodIssue);
}

function sentence(issue: z.core.$ZodIssue, known: readonly string[]): string {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] as string;
    return `unknown key "${key}"; ${hint(key, known)}`;
  }
  if (issue.code === 'invalid_union') {
    // The branch that got furthest says most.
    const inner = issue.errors.flat().sort((a, b) => b.path.length - a.path.length);
    if (inner.length > 0 && inner.some((one) => one.path.length > 0 || one.code === 'unrecognized_keys')) {
      return sentence(telling(inner), known);
    }
  }
  if (issue.code === 'invalid_key')
    return (issue.issues[0] as { message?: string } | undefined)?.message ?? issue.message;
  return issue.message;
}

/** Sentence that names the nearest of the known words. */
export function hint(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? 'take it out' : `did you mean "${near}"?`;
}

/** `line: path:` of an issue; the line is that of the last key of the path that is found in the text. */
function place(text: string, issue: z.core.$ZodIssue): string {
  const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? [issue.keys[0] as string] : [])];
  let at = 0;
  for (const key of path) {
    if (typeof key !== 'string') continue;
    const found = keyPlace(text, key, at);
    if (found < 0) break;
    at = found;
  }
  const shown = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `"${String(key)}"`)).join(' > ');
  return `${text.slice(0, at).split('\n').length}:${shown === '' ? '' : ` ${shown}:`}`;
}

/** Where a key stands in JSON, or without quotes or with single ones in TypeScript; -1 when it does not from there on. */
function keyPlace(text: string, key: string, from: number): number {
  const found = text.indexOf(JSON.stringify(key), from);
  if (found >= 0) return found;
  const plain = new RegExp(`(?<=[{,\\s])(['"]?)${key.replace(/[^\w]/g, '\\$&')}\\1\\s*[:,(}]`, 'g');
  plain.lastIndex = from;
  return plain.exec(text)?.index ?? -1;
}

function jsonPlace(text: string, error: Error): string {
  const position = /position (\d+)/.exec(error.message)?.[1];
  const at = position === undefined ? oddPlace(text) : Number(position);
  return at === undefined ? '' : `:${text.slice(0, at).split('\n').length}`;
}

/** Where the first thing stands that JSON does not know, or a comma too many: older engines do not say. */
function oddPlace(text: string): number | undefined {
  const token = /\s+|"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\]:,]/y;
  let before = '';
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    token.lastIndex = at;
    const [found] = token.exec(text) ?? [];
    if (found === undefined || (before === ',' && /^[}\],]/.test(found))) return at;
    if (found.trim() !== '') before = found;
    at += found.length;
  }
  return undefined;
}
