/** The bookstore's endpoint table: what its suite sends, its API serves and its log is read by. */
import { type Endpoint, type EndpointTable, readEndpoints } from '../../lib/model/endpoints.ts';

export const TABLE = {
  list: { request: 'GET /api/books?category&page', expect: [200], contains: '"items"' },
  search: { request: 'GET /api/books?search={term}', expect: [200], contains: '"items"' },
  details: { request: 'GET /api/books/{isbn}', expect: [200], contains: '{isbn}', cacheable: true },
  cart: {
    request: 'POST /api/carts',
    expect: [201],
    contains: '"id"',
    example: { id: '00000000-0000-4000-8000-000000000000' },
  },
  item: { request: 'PUT /api/carts/{id}/items/{isbn}', expect: [200], body: 'none' },
  // 409: the test data ran out, which is no failure of the system.
  order: { request: 'POST /api/orders', expect: [201, 409] },
} as const satisfies EndpointTable;

export type EndpointKey = keyof typeof TABLE;
export const ENDPOINT_KEYS = Object.keys(TABLE) as EndpointKey[];
/** All endpoints in table order. */
export const ENDPOINT_LIST: readonly Endpoint[] = readEndpoints(TABLE);
/** Endpoints by key. */
export const ENDPOINTS = Object.fromEntries(ENDPOINT_LIST.map((one) => [one.key, one])) as Readonly<
  Record<EndpointKey, Endpoint>
>;
