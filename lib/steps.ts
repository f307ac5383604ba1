/**
 * The requests of the bookstore: how each is made and what a good answer is. Another API replaces this file and `flows.ts`.
 *
 * What stands here and in the other modules of sessions is held by every VU. In k6's engine a function costs a VU 0.7 kB, a
 * small object 0.6 kB, the use of a regular expression up to 28 kB (live memory, measured over 1,000 VUs).
 */
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import type { Call, Reply, Visit } from './visit.ts';

const PAGES = 5;

/** Without the array's own method: the first use of any built-in method costs each VU 1 to 2 kB, of the first pattern 14. */
const among = (statuses: readonly number[], status: number): boolean => {
  for (let i = 0; i < statuses.length; i++) if (statuses[i] === status) return true;
  return false;
};

/** Checks `endpoint: status 200` and, for a call that reads the body, `endpoint: <what>`. */
export const call = (endpoint: Endpoint, what = '', good?: (reply: Reply) => boolean, rest?: Partial<Call>): Call => {
  const { name, expected } = endpoint;
  let statuses = `${expected[0]}`;
  for (let i = 1; i < expected.length; i++) statuses += ` or ${expected[i]}`;
  const checks: Record<string, (reply: Reply) => boolean> = {
    [`${name}: status ${statuses}`]: (reply) => among(expected, reply.status),
  };
  if (good) checks[`${name}: ${what}`] = good;
  return { endpoint, checks, readsBody: good !== undefined, ...rest };
};

export const holds = (reply: Reply, text: string) => reply.body?.includes(text) === true;
const isPage = (reply: Reply) => holds(reply, '"items"');

const LIST = () => call(ENDPOINTS.list, 'a page of books', isPage);
const SEARCH = () => call(ENDPOINTS.search, 'a page of books', isPage);
const DETAILS = () => call(ENDPOINTS.details, 'the right book', (reply) => holds(reply, reply.about));
const CART = () =>
  call(ENDPOINTS.cart, 'has an id', (reply) => cartId(reply) !== undefined, {
    example: '{"id":"00000000-0000-4000-8000-000000000000"}',
  });
const ITEM = () => call(ENDPOINTS.item);
const ORDER = () => call(ENDPOINTS.order, '', undefined, { exhausted: 409 });

/** Id of the cart in the body; a regular expression would cost every VU 28 kB. */
const cartId = (reply: Reply): string | undefined => {
  try {
    const { id } = JSON.parse(reply.body ?? '') as { id?: unknown };
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
};

/** A page of one of the categories. */
export const list = (visit: Visit): void => {
  const category = visit.category();
  const page = 1 + Math.floor(visit.random() * PAGES);
  visit.send(LIST, `/api/books?category=${encodeURIComponent(category)}&page=${page}`);
};

/** A search for one of the search terms. */
export const search = (visit: Visit): void => {
  visit.send(SEARCH, `/api/books?search=${encodeURIComponent(visit.searchTerm())}`);
};

/** The details of a book picked by popularity; gives its ISBN. */
export const details = (visit: Visit): string => {
  const isbn = visit.book();
  visit.send(DETAILS, `/api/books/${encodeURIComponent(isbn)}`, isbn);
  return isbn;
};

/** A new cart; gives its id, or nothing when the system refused one. */
export const cart = (visit: Visit): string | undefined => cartId(visit.send(CART, '/api/carts', '', '{}'));

/** Puts one copy of the book into the cart; tells whether it is in. */
export const item = (visit: Visit, cart: string, isbn: string): boolean => {
  const path = `/api/carts/${encodeURIComponent(cart)}/items/${encodeURIComponent(isbn)}`;
  return visit.send(ITEM, path, isbn, '{"quantity":1}').status === 200;
};

/** Orders what is in the cart. */
export const order = (visit: Visit, cart: string): void => {
  visit.send(ORDER, '/api/orders', cart, `{"cartId":${JSON.stringify(cart)}}`);
};
