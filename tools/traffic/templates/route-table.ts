/**
 * Finds the endpoint of a request: templates given (own table, OpenAPI, pinned, learned) as a trie over path segments, and
 * the fixed rules for whatever fits none of them. Routes are small integers.
 */
import { hash1, hash2 } from '../readers/hashes.ts';
import { latin1, type RawRecord, type Span } from '../readers/raw-record.ts';
import { isPlaceholder, placeholderOf, segmentsOf } from './segments.ts';

export interface Template {
  /** `GET /api/books/{isbn}`, `GET /api/books?search=`. */
  readonly name: string;
  readonly method: string;
  readonly segments: readonly string[];
  /** Query key whose presence makes it another endpoint than the path alone. */
  readonly query?: string;
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

interface Node {
  readonly literals: Map<string, Node>;
  any?: Node;
  /** Route of a template that ends here: method -> base route and the routes that a query key selects. */
  readonly ends: Map<string, End>;
}
interface End {
  base: number;
  readonly byQuery: { readonly key: string; readonly route: number }[];
}

/** A route's place: the base route and whether query keys choose among several. */
export interface Found {
  readonly route: number;
  readonly byQuery: End['byQuery'];
  /** Segment index of the item id within the path, -1 when the route has none. */
  readonly itemSegment: number;
}

/** More names than this fold into `(other)`: a log in which every path is new must not fill the memory. */
export const MAX_ROUTES = 4_000;
export const OTHER_ROUTE = '(other)';

export interface RouteTable {
  readonly names: readonly string[];
  /** Whether the route was given or learned, rather than made up by rule. */
  readonly known: readonly boolean[];
  find(method: string, path: string): Found;
  /** Route of a name, made when new. */
  routeOf(name: string): number;
}

export function routeTable(templates: readonly Template[], queryKeys: readonly string[]): RouteTable {
  const names: string[] = [];
  const known: boolean[] = [];
  const byName = new Map<string, number>();
  const root = newNode();

  function add(name: string, given: boolean): number {
    const existing = byName.get(name);
    if (existing !== undefined) return existing;
    if (names.length >= MAX_ROUTES && !given && name !== OTHER_ROUTE) return add(OTHER_ROUTE, false);
    names.push(name);
    known.push(given);
    byName.set(name, names.length - 1);
    return names.length - 1;
  }

  for (const template of templates) {
    let node = root;
    for (const segment of template.segments) {
      if (isPlaceholder(segment)) node = node.any ??= newNode();
      else node = childOf(node, segment);
    }
    const end = node.ends.get(template.method) ?? { base: -1, byQuery: [] };
    node.ends.set(template.method, end);
    const route = add(template.name, true);
    if (template.query === undefined) end.base = route;
    else end.byQuery.push({ key: template.query, route });
  }

  /** The most literal template wins; placeholders are tried second. */
  function walk(node: Node, segments: readonly string[], i: number, method: string): End | undefined {
    if (i === segments.length) return node.ends.get(method);
    const literal = node.literals.get(segments[i] as string);
    const found = literal === undefined ? undefined : walk(literal, segments, i + 1, method);
    return found ?? (node.any === undefined ? undefined : walk(node.any, segments, i + 1, method));
  }

  return {
    names,
    known,
    routeOf: (name) => add(name, false),
    find(method, path): Found {
      const segments = segmentsOf(path);
      const end = walk(root, segments, 0, method);
      if (end !== undefined && (end.base >= 0 || end.byQuery.length > 0)) {
        const template = names[end.base >= 0 ? end.base : (end.byQuery[0]?.route ?? 0)] as string;
        const base = end.base >= 0 ? end.base : add(template.replace(/\?.*$/, ''), false);
        return { route: base, byQuery: end.byQuery, itemSegment: lastPlaceholder(segmentsOf(pathOf(template))) };
      }
      const general = segments.map((segment) => {
        const name = placeholderOf(segment);
        return name === undefined ? segment : `{${name}}`;
      });
      const deep = general.length > 12 ? [...general.slice(0, 12), '{rest}'] : general;
      const name = `${method} ${path === '*' ? '*' : `/${deep.join('/')}`}`;
      const base = add(name.length > 300 ? OTHER_ROUTE : name, false);
      const byQuery = queryKeys.map((key) => ({ key, route: -1 }));
      return { route: base, byQuery, itemSegment: lastPlaceholder(general) };
    },
  };
}

function newNode(): Node {
  return { literals: new Map(), ends: new Map() };
}

function childOf(node: Node, segment: string): Node {
  let child = node.literals.get(segment);
  if (child === undefined) {
    child = newNode();
    node.literals.set(segment, child);
  }
  return child;
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

export function itemText(raw: RawRecord, segment: number): string {
  const span = segmentSpan(raw, segment);
  return latin1(raw.buf, span.start, span.end);
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
