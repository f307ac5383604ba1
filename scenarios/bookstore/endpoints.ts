/**
 * The endpoint table: the single source for `name` tags, threshold keys, the API's routes and the log reader's
 * templates. Adapting the suite to another API starts here.
 */

export interface Endpoint {
  /** `name` tag of every request and subject of objectives: method plus path template. No comma (k6 refuses one). */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** Path with `{placeholders}`, one per path segment. */
  readonly template: string;
  /** Query key whose presence makes this endpoint another one than the same path without it. */
  readonly query?: string;
  /** Statuses that are no failure of the system. 409 on orders is exhausted test data. */
  readonly expected: readonly number[];
  /** Whether the API's output cache may answer it. */
  readonly cacheable: boolean;
}

export const ENDPOINTS = {
  list: {
    name: 'GET /api/books',
    method: 'GET',
    template: '/api/books',
    expected: [200],
    cacheable: false,
  },
  search: {
    name: 'GET /api/books?search=',
    method: 'GET',
    template: '/api/books',
    query: 'search',
    expected: [200],
    cacheable: false,
  },
  details: {
    name: 'GET /api/books/{isbn}',
    method: 'GET',
    template: '/api/books/{isbn}',
    expected: [200],
    cacheable: true,
  },
  cart: {
    name: 'POST /api/carts',
    method: 'POST',
    template: '/api/carts',
    expected: [201],
    cacheable: false,
  },
  item: {
    name: 'PUT /api/carts/{id}/items/{isbn}',
    method: 'PUT',
    template: '/api/carts/{id}/items/{isbn}',
    expected: [200],
    cacheable: false,
  },
  order: {
    name: 'POST /api/orders',
    method: 'POST',
    template: '/api/orders',
    expected: [201, 409],
    cacheable: false,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointKey = keyof typeof ENDPOINTS;
export const ENDPOINT_KEYS = /* @__PURE__ */ Object.keys(ENDPOINTS) as EndpointKey[];

/** All endpoints in table order. */
export const ENDPOINT_LIST: readonly Endpoint[] = /* @__PURE__ */ ENDPOINT_KEYS.map((key) => ENDPOINTS[key]);
