/**
 * Finds the endpoint of a request: templates given (own table, OpenAPI, pinned, learned) as a trie over path segments, and
 * the fixed rules for whatever fits none of them. Routes are small integers.
 */
import { hash1, hash2 } from '../readers/hashes.ts';
import type { RawRecord, Span } from '../readers/raw-record.ts';
import { byteNode, byteWalker, literalChild } from './byte-trie.ts';
import { literalSegment } from './name-text.ts';
import { isPlaceholder, placeholderOf, segmentsOf } from './segments.ts';

export interface Template {
  /** `GET /api/books/{isbn}`, `GET /api/books?search=`. */
  readonly name: string;
  readonly method: string;
  readonly segments: readonly string[];
  /** Query key whose presence makes it another endpoint than the path alone. */
  readonly query?: string;
  /** Whether each of the keys that make an endpoint (`--query-keys`) does so here: not where the user listed the endpoints. */
  readonly splits?: boolean;
}

/** Reads `METHOD /path/{x}?key=`; `undefined` when the text is no template. */
export function parseTemplate(name: string): Template | undefined {
  const match = /^([A-Za-z*-]+)\s+(\/[^\s?]*|\*)(?:\?([^=&\s]+)=?)?$/.exec(name.trim());
  if (match === null) return undefined;
  const method = (match[1] as string).toUpperCase();
  const path = match[2] as string;
  const query = match[3];
  return {
    name: `${method} ${path}${query === undefined ? '' : `?${query}=`}`,
    method,
    segments: segmentsOf(path),
    ...(query === undefined ? {} : { query }),
  };
}

/** A route's place: the base route and whether query keys choose among several; route -1 is made when it is met. */
export interface Found {
  readonly route: number;
  readonly byQuery: readonly { readonly key: string; readonly route: number }[];
  /** Segment index of the item id within the path, -1 when the route has none. */
  readonly itemSegment: number;
}

/** Templates of one method and path: the base route and the routes that query keys select. */
interface End {
  found: Found;
}

/** More names than this fold into `(other)`: a log in which every path is new must not fill the memory. */
const MAX_ROUTES = 4_000;
export const OTHER_ROUTE = '(other)';

export interface RouteTable {
  readonly names: readonly string[];
  /** Keys of a query that make an endpoint of its own. */
  readonly queryKeys: readonly string[];
  /** Whether a template has a segment that looks like an id but stands for itself (`/v1/2024/report`). */
  readonly literalIds: boolean;
  /** Whether the route was given or learned, rather than made up by rule. */
  readonly known: readonly boolean[];
  find(method: string, path: string): Found;
  /** As `find` for given and learned templates only, without making a string of the path. */
  findKnown(method: string, buf: Uint8Array, path: Span): Found | undefined;
  /** Route of a name, made when new. */
  routeOf(name: string): number;
}

export function routeTable(templates: readonly Template[], queryKeys: readonly string[]): RouteTable {
  const names: string[] = [];
  const known: boolean[] = [];
  const byName = new Map<string, number>();
  const root = byteNode<End>();
  const { walk } = byteWalker(root);

  function add(name: string, given: boolean): number {
    const existing = byName.get(name);
    if (existing !== undefined) return existing;
    if (names.length >= MAX_ROUTES && !given && name !== OTHER_ROUTE) return add(OTHER_ROUTE, false);
    names.push(name);
    known.push(given);
    byName.set(name, names.length - 1);
    return names.length - 1;
  }

  for (const template of templates) add(template.name, true);
  for (const template of templates) {
    let node = root;
    for (const segment of template.segments) {
      if (isPlaceholder(segment)) {
        node.any ??= byteNode();
        node = node.any;
      } else node = literalChild(node, segment);
    }
    const route = add(template.name, true);
    const itemSegment = lastPlaceholder(template.segments);
    const before = node.ends.get(template.method)?.found;
    // A path whose template has a query key is an endpoint of its own without the key.
    const base =
      template.query === undefined ? route : (before?.route ?? add(template.name.replace(/\?.*$/, ''), false));
    const own = before?.byQuery.filter(({ route: made }) => made >= 0) ?? [];
    const byQuery = template.query === undefined ? own : [...own, { key: template.query, route }];
    const all = template.splits === true ? withKeys(byQuery, queryKeys) : byQuery;
    node.ends.set(template.method, { found: { route: base, byQuery: all, itemSegment } });
  }

  return {
    names,
    known,
    queryKeys: [...queryKeys, ...templates.flatMap(({ query }) => query ?? [])],
    literalIds: templates.some(({ segments }) => segments.some((segment) => placeholderOf(segment) !== undefined)),
    routeOf: (name) => add(name, false),
    findKnown: (method, buf, path) => walk(method, buf, path)?.found,
    find(method, path): Found {
      const bytes = Buffer.from(path, 'latin1');
      const end = walk(method, bytes, { start: 0, end: bytes.length });
      if (end !== undefined) return end.found;
      const general = segmentsOf(path).map((segment) => {
        const name = placeholderOf(segment);
        return name === undefined ? literalSegment(segment) : `{${name}}`;
      });
      const deep = general.length > 12 ? [...general.slice(0, 12), '{rest}'] : general;
      const name = `${method} ${path === '*' ? '*' : `/${deep.join('/')}`}`;
      const base = add(name.length > 300 ? OTHER_ROUTE : name, false);
      const byQuery = names[base] === OTHER_ROUTE ? [] : withKeys([], queryKeys);
      return { route: base, byQuery, itemSegment: lastPlaceholder(general) };
    },
  };
}

/** Routes of all keys in the order in which the user names them, so that of two keys in a query the same one decides always. */
function withKeys(made: Found['byQuery'], keys: readonly string[]): Found['byQuery'] {
  return [
    ...keys.map((key) => made.find((choice) => choice.key === key) ?? { key, route: -1 }),
    ...made.filter(({ key }) => !keys.includes(key)),
  ];
}

export function pathOf(name: string): string {
  return name.slice(name.indexOf(' ') + 1).replace(/\?.*$/, '');
}

function lastPlaceholder(segments: readonly string[]): number {
  for (let i = segments.length - 1; i >= 0; i--) if (isPlaceholder(segments[i] as string)) return i;
  return -1;
}

/** Whether the query holds `key=` or a lone `key`. */
export function hasQueryKey(raw: RawRecord, key: string): boolean {
  const { buf, query } = raw;
  for (let at = query.start; at < query.end; ) {
    let i = 0;
    while (i < key.length && at + i < query.end && buf[at + i] === key.charCodeAt(i)) i++;
    const after = at + i < query.end ? buf[at + i] : 38;
    if (i === key.length && (after === 61 || after === 38)) return true;
    while (at < query.end && buf[at] !== 38) at++;
    at++;
  }
  return false;
}

/**
 * Key of an item: the number itself when the segment is one (exact up to 15 digits), else a negative 52-bit hash.
 * @param segment which segment of the path
 */
export function itemKey(raw: RawRecord, segment: number): number {
  const span = segmentSpan(raw, segment);
  let value = 0;
  const n = span.end - span.start;
  if (n > 0 && n <= 15) {
    let i = span.start;
    for (; i < span.end; i++) {
      const d = (raw.buf[i] as number) - 48;
      if (d < 0 || d > 9) break;
      value = value * 10 + d;
    }
    if (i === span.end) return value;
  }
  return -((hash1(raw.buf, span) >>> 0) * 1_048_576 + (hash2(raw.buf, span) & 0xfffff)) - 1;
}

function segmentSpan(raw: RawRecord, segment: number): Span {
  const { buf, path } = raw;
  let seen = -1;
  let start = path.start;
  for (let i = path.start; i <= path.end; i++) {
    if (i === path.end || buf[i] === 47) {
      if (i > start) {
        seen++;
        if (seen === segment) return { start, end: i };
      }
      start = i + 1;
    }
  }
  return { start: path.end, end: path.end };
}
