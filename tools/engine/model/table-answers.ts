/** Good answers as an endpoint table describes them. */
import { type Endpoint, goodBody, goodStatus } from '../../../lib/model/endpoints.ts';
import type { ModelledAnswer, ModelledRequest } from '../../../lib/model/server-model.ts';

/** A body that says nothing, and can be read as JSON all the same. */
const NOTHING = '{}';
/** What is not in the table is there. */
const UNKNOWN: ModelledAnswer = { status: 200, body: NOTHING };

/**
 * Answers with the first expected status, and with the endpoint's example or the text that a good answer contains, filled with
 * what the request was sent with, else an empty object; a path that is in no table is answered 200 with an empty object.
 */
export function tableAnswers(endpoints: readonly Endpoint[]): (request: ModelledRequest) => ModelledAnswer {
  const routes = endpoints.map(routeOf);
  const byName = new Map(routes.map((route) => [route.endpoint.name, route]));
  // A path written out goes before one with placeholders, and a required query key before none.
  const inOrder = [...routes].sort((a, b) => a.names.length - b.names.length || b.keys.length - a.keys.length);
  return (request) => {
    const route = byName.get(request.name) ?? inOrder.find((one) => leadsTo(one, request));
    if (route === undefined) return UNKNOWN;
    return { status: goodStatus(route.endpoint), body: goodBody(route.endpoint, valuesOf(route, request)) || NOTHING };
  };
}

interface Route {
  readonly endpoint: Endpoint;
  /** The path, whatever BASE_URL has before it. */
  readonly pattern: RegExp;
  /** Placeholders of the path, in its order. */
  readonly names: readonly string[];
  /** Required query keys with their placeholders. */
  readonly keys: readonly (readonly [key: string, name: string])[];
}

function routeOf(endpoint: Endpoint): Route {
  const names: string[] = [];
  const pattern = endpoint.template
    .split(/\{([^{}]*)\}/)
    .map((piece, i) => {
      if (i % 2 === 0) return piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(piece);
      return '([^/]+)';
    })
    .join('');
  const sent = endpoint.path.map((piece, i) => (i % 2 === 0 ? piece : `{${piece}}`)).join('');
  const query = sent.includes('?') ? sent.slice(sent.indexOf('?') + 1).split('&') : [];
  const keys = query.map((pair) => pair.split('=')).map(([key = '', name = '']) => [key, name.slice(1, -1)] as const);
  return { endpoint, pattern: new RegExp(`${pattern}$`), names, keys };
}

function leadsTo({ endpoint, pattern, keys }: Route, { method, url }: ModelledRequest): boolean {
  if (method !== endpoint.method || !pattern.test(url.pathname)) return false;
  const given = new URLSearchParams(url.search);
  return keys.every(([key]) => given.has(key));
}

function valuesOf({ pattern, names, keys }: Route, { url }: ModelledRequest): (placeholder: string) => string {
  return (placeholder) => {
    const key = keys.find(([, name]) => name === placeholder)?.[0];
    if (key !== undefined) return new URLSearchParams(url.search).get(key) ?? '';
    const value = pattern.exec(url.pathname)?.[names.indexOf(placeholder) + 1] ?? '';
    return decodeURIComponent(value);
  };
}
