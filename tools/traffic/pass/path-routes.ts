/** From the request of a record to its route, noise class and item: by the general rules, with what was found kept at hand. */

import { setSpan } from '../readers/bytes.ts';
import { HASH_SEED_1, hashWide, lane1, mix32 } from '../readers/hashes.ts';
import { type RawRecord, resetRecord, type Span, textOf } from '../readers/raw-record.ts';
import { type Found, hasQueryKey, itemKey, pathOf, type RouteTable } from '../templates/route-table.ts';
import type { KernelLookup } from './kernel-lines.ts';
import { agentClass, kernelKind, pathClass } from './noise.ts';

/** What a path means; one object, filled again and again. */
export interface PathMeaning {
  method: string;
  route: number;
  pathClass: number;
  /** Key of the item, NaN when the route has none. */
  item: number;
}

export interface PathRoutes {
  /** Meaning of the request in `raw`, whose hashes must be there. */
  meaning(): PathMeaning;
  /** The same rules for the kernel. */
  readonly lookup: KernelLookup;
}

export interface PathRouteOptions {
  readonly routes: RouteTable;
  /** Names of routes whose last placeholder is an item id. */
  readonly itemRoutes: ReadonlySet<string>;
  /** Whether the kernel may know only paths that fit a template. */
  readonly onlyKnown: boolean;
}

const CACHE_BITS = 15;
const CACHE_SIZE = 1 << CACHE_BITS;

/** Direct-mapped, from path and method to route: most requests ask for paths that were asked for before. */
interface PathCache {
  readonly key1: Int32Array;
  readonly key2: Int32Array;
  readonly route: Int32Array;
  readonly kind: Uint8Array;
  readonly item: Float64Array;
}

function newCache(): PathCache {
  return {
    key1: new Int32Array(CACHE_SIZE),
    key2: new Int32Array(CACHE_SIZE),
    route: new Int32Array(CACHE_SIZE).fill(-1),
    kind: new Uint8Array(CACHE_SIZE),
    item: new Float64Array(CACHE_SIZE),
  };
}

export function pathRoutes(raw: RawRecord, { routes, itemRoutes, onlyKnown }: PathRouteOptions): PathRoutes {
  // Made when a line comes that the kernel does not read: most stretches of a large log have hardly any.
  let cache: PathCache | undefined;
  const queryRoutes: (Found['byQuery'] | undefined)[] = [];
  const routeClasses: (number | undefined)[] = [];
  const methods = new Map<number, string>();
  const result: PathMeaning = { method: '', route: 0, pathClass: 0, item: Number.NaN };
  let methodHash = 0;

  function methodOf(): string {
    let h = HASH_SEED_1;
    for (let i = raw.method.start; i < raw.method.end; i++) h = lane1(h, raw.buf[i] as number);
    methodHash = h;
    let method = methods.get(h);
    if (method === undefined) {
      method = textOf(raw.buf, raw.method).toUpperCase();
      if (methods.size < 1000) methods.set(h, method);
    }
    return method;
  }

  /** Route, class and item segment of the path under way. */
  function resolve(method: string): { route: number; class: number; itemSegment: number } {
    const known = routes.findKnown(method, raw.buf, raw.path);
    const found = known ?? routes.find(method, textOf(raw.buf, raw.path));
    const { route, itemSegment, byQuery } = found;
    if (byQuery.length > 0) queryRoutes[route] ??= byQuery;
    return {
      route,
      class: known === undefined || !endsWithId() ? pathClass(textOf(raw.buf, raw.path)) : classOfRoute(route),
      itemSegment: itemRoutes.has(routes.names[route] as string) ? itemSegment : -1,
    };
  }

  /** Whether the last segment is an id (digits, letters a-f, dashes), which no rule for noise is about. */
  function endsWithId(): boolean {
    const { buf, path } = raw;
    let i = path.end - 1;
    for (; i >= path.start && buf[i] !== 47; i--) {
      const byte = buf[i] as number;
      const letter = byte | 32;
      if (!((byte >= 48 && byte <= 57) || byte === 45 || (letter >= 97 && letter <= 102))) return false;
    }
    return i < path.end - 1;
  }

  /** Noise class that the template's literal segments give. */
  function classOfRoute(route: number): number {
    let known = routeClasses[route];
    if (known === undefined) {
      known = pathClass(pathOf(routes.names[route] as string).replace(/\{[^}]*\}/g, '0'));
      routeClasses[route] = known;
    }
    return known;
  }

  function routeByQuery(base: number, choices: Found['byQuery']): number {
    if (raw.query.end <= raw.query.start) return base;
    for (const choice of choices) {
      if (!hasQueryKey(raw, choice.key)) continue;
      return choice.route >= 0 ? choice.route : routes.routeOf(`${routes.names[base]}?${choice.key}=`);
    }
    return base;
  }

  function aim(buf: Uint8Array, method: Span, path: Span): void {
    resetRecord(raw, buf);
    setSpan(raw.method, method.start, method.end);
    setSpan(raw.path, path.start, path.end);
  }

  const lookup: KernelLookup = {
    path(buf, method, path) {
      aim(buf, method, path);
      const name = methodOf();
      if (onlyKnown && routes.findKnown(name, buf, raw.path) === undefined) return undefined;
      const { route, class: kind, itemSegment } = resolve(name);
      return {
        route,
        ...kernelKind(kind, name),
        byQuery: queryRoutes[route] !== undefined,
        itemSegment,
      };
    },
    queryRoute(buf, method, path, query) {
      aim(buf, method, path);
      setSpan(raw.query, query.start, query.end);
      const { route } = resolve(methodOf());
      const choices = queryRoutes[route];
      return choices === undefined ? route : routeByQuery(route, choices);
    },
    agent(buf, agent) {
      // A lone dash says that there was none.
      const end = agent.end - agent.start === 1 && buf[agent.start] === 45 ? agent.start : agent.end;
      const span = { start: agent.start, end };
      return { hash: hashWide(buf, span.start, span.end), agentClass: agentClass(textOf(buf, span)) };
    },
  };

  return {
    lookup,
    meaning() {
      const method = methodOf();
      cache ??= newCache();
      const { key1, key2, route: cachedRoute, kind: cachedClass, item: cachedItem } = cache;
      const k1 = raw.pathHash1 ^ mix32(methodHash);
      const k2 = raw.pathHash2;
      const slot = (mix32(k1) >>> (32 - CACHE_BITS)) & (CACHE_SIZE - 1);
      if (key1[slot] !== k1 || key2[slot] !== k2 || cachedRoute[slot] === -1) {
        const found = resolve(method);
        key1[slot] = k1;
        key2[slot] = k2;
        cachedRoute[slot] = found.route;
        cachedClass[slot] = found.class;
        cachedItem[slot] = found.itemSegment >= 0 ? itemKey(raw, found.itemSegment) : Number.NaN;
      }
      const base = cachedRoute[slot] as number;
      const choices = queryRoutes[base];
      result.method = method;
      result.route = choices === undefined ? base : routeByQuery(base, choices);
      result.pathClass = cachedClass[slot] as number;
      result.item = cachedItem[slot] as number;
      return result;
    },
  };
}
