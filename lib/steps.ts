/** The requests of the bookstore: how each is made and what a good answer is. Another API replaces this file and `flows.ts`. */
import { ENDPOINTS, type Endpoint } from './endpoints.ts';
import type { Call, Reply, Visit } from './visit.ts';

const PAGES = 5;

/** `endpoint: status 200` and, for a call that reads the body, `endpoint: <what>`. */
function call(endpoint: Endpoint, what?: string, good?: (reply: Reply) => boolean, rest?: Partial<Call>): Call {
  const { name, expected } = endpoint;
  const checks = {
    [`${name}: status ${expected.join(' or ')}`]: (reply: Reply) => expected.includes(reply.status),
    ...(what && good && { [`${name}: ${what}`]: good }),
  };
  return { endpoint, checks, readsBody: good !== undefined, ...rest };
}

const holds = (reply: Reply, text: string) => reply.body?.includes(text) === true;

const LIST = call(ENDPOINTS.list, 'a page of books', (reply) => holds(reply, '"items"'));
const SEARCH = call(ENDPOINTS.search, 'a page of books', (reply) => holds(reply, '"items"'));
const DETAILS = call(ENDPOINTS.details, 'the right book', (reply) => holds(reply, reply.about));
const CART = call(ENDPOINTS.cart, 'has an id', (reply) => cartId(reply) !== undefined, {
  example: '{"id":"00000000-0000-4000-8000-000000000000"}',
});
const ITEM = call(ENDPOINTS.item);
const ORDER = call(ENDPOINTS.order, undefined, undefined, { exhausted: 409 });

/** A page of one of the categories. */
export function list(visit: Visit): void {
  const category = visit.category();
  const page = 1 + Math.floor(visit.random() * PAGES);
  visit.send(LIST, `/api/books?category=${encodeURIComponent(category)}&page=${page}`);
}

/** A search for one of the search terms. */
export function search(visit: Visit): void {
  visit.send(SEARCH, `/api/books?search=${encodeURIComponent(visit.searchTerm())}`);
}

/** The details of a book picked by popularity; gives its ISBN. */
export function details(visit: Visit): string {
  const isbn = visit.book();
  visit.send(DETAILS, `/api/books/${encodeURIComponent(isbn)}`, isbn);
  return isbn;
}

/** A new cart; gives its id, or nothing when the system refused one. */
export function cart(visit: Visit): string | undefined {
  return cartId(visit.send(CART, '/api/carts', '', '{}'));
}

/** Puts one copy of the book into the cart; tells whether it is in. */
export function item(visit: Visit, cart: string, isbn: string): boolean {
  const path = `/api/carts/${encodeURIComponent(cart)}/items/${encodeURIComponent(isbn)}`;
  return visit.send(ITEM, path, isbn, '{"quantity":1}').status === 200;
}

/** Orders what is in the cart. */
export function order(visit: Visit, cart: string): void {
  visit.send(ORDER, '/api/orders', cart, `{"cartId":${JSON.stringify(cart)}}`);
}

function cartId(reply: Reply): string | undefined {
  return /"id"\s*:\s*"([^"\\]+)"/.exec(reply.body ?? '')?.[1];
}
