/** JSON that is not one object a line: what it is instead, and how jq puts each record on a line of its own. */

interface Shape {
  readonly reason: string;
  /** Arguments of jq. */
  readonly jq: string;
}

/** Lists in which stores hand out records: where they are in the object, and how jq takes them out. */
const LISTS: readonly (readonly [path: readonly string[], jq: string])[] = [
  [['hits', 'hits'], "-c '.hits.hits[]._source'"],
  [['data', 'result'], "-r '.data.result[].values[][1]'"],
  [['results'], "-c '.results[] | map({(.field): .value}) | add'"],
  ...['records', 'Records', 'logEvents', 'events', 'entries', 'logs', 'items', 'rows', 'value', 'data'].map(
    (name): [string[], string] => [[name], `-c '.${name}[]'`],
  ),
];

const NESTED_LISTS = LISTS.map(([path, jq]): Shape & { path: readonly string[] } => ({
  path,
  jq,
  reason: `one object holds a list of records (${path.join('.')})`,
}));
const MULTILINE_LISTS = LISTS.map(([path, jq]): Shape & { name: string } => ({
  name: path.at(-1) as string,
  jq,
  reason: `JSON over several lines, with its records in a list (${path.join('.')})`,
}));
const ARRAY: Shape = { reason: 'a JSON array in one line', jq: "-c '.[]'" };
const CONCATENATED: Shape = { reason: 'several JSON objects in one line', jq: '-c .' };
const LIST_FRAGMENT: Shape = { reason: 'a JSON array whose objects go over several lines', jq: "-c '.[]'" };
const FRAGMENT: Shape = { reason: 'a JSON object that goes over several lines', jq: '-c .' };

/** By reason; those that tell more of the whole file come first. */
const SHAPES: ReadonlyMap<string, Shape> = new Map(
  [ARRAY, LIST_FRAGMENT, ...MULTILINE_LISTS, ...NESTED_LISTS, CONCATENATED, FRAGMENT].map((shape) => [
    shape.reason,
    shape,
  ]),
);

/** Whether the reason of a malformed line is one of these. */
export function isShape(reason: string): boolean {
  return SHAPES.has(reason);
}

/** What jq is to be called with for a file that has these reasons; `undefined` when none of them is one of these. */
export function jqFor(reasons: Iterable<string>): string | undefined {
  const all = new Set(reasons);
  for (const [reason, { jq }] of SHAPES) if (all.has(reason)) return jq;
  return undefined;
}

/** Words of an application, which may speak of any list. */
const WORDS = ['level', 'msg', 'message', 'severity'];

/** Why the object is no record, if it holds a list of them. */
export function listIn(object: Readonly<Record<string, unknown>>): string | undefined {
  if (WORDS.some((name) => name in object)) return undefined;
  for (const { path, reason } of NESTED_LISTS) {
    let value: unknown = object;
    for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name];
    if (Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null) return reason;
  }
  return undefined;
}

/** The line that opens or closes an array whose objects have lines of their own. */
export function arrayBracket(text: string): '[' | ']' | undefined {
  const found = text.trimEnd();
  return found === '[' || found === ']' ? found : undefined;
}

/** Nothing but brackets, or a member of an object. */
const FRAGMENT_LINE = /^\s*(?:[{}[\]]{1,8},?\s*$|"[^"]{1,100}"\s*:)/;

/**
 * Why a line that is no object is JSON all the same; `undefined` when it is none.
 * @param inArray whether a line before has opened an array
 */
export function shapeOf(text: string, inArray: boolean): string | undefined {
  const head = text.slice(0, 300);
  if (FRAGMENT_LINE.test(head)) {
    if (inArray) return LIST_FRAGMENT.reason;
    const name = /^\s*"([^"]+)"\s*:\s*\[/.exec(head)?.[1];
    return (MULTILINE_LISTS.find((list) => list.name === name) ?? FRAGMENT).reason;
  }
  if (/^\s*\[\s*\{/.test(head)) return parses(text) ? ARRAY.reason : LIST_FRAGMENT.reason;
  if (!head.startsWith('{')) return undefined;
  if (parses(`[${text.replace(/,\s*$/, '')}]`)) return ARRAY.reason;
  return /\}\s*\{/.test(text) && parses(`[${text.replaceAll(/\}\s*\{/g, '},{')}]`) ? CONCATENATED.reason : undefined;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
