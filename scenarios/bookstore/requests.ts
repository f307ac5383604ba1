/**
 * The requests of the bookstore: how each is made and what a good answer is. Another API replaces this file and `flows.ts`.
 *
 * What stands here and in the other modules of sessions is held by every VU. In k6's engine a function costs a VU 0.7 kB, a
 * small object 0.6 kB, the use of a regular expression up to 28 kB (live memory, measured over 1,000 VUs).
 */

import type { Call, Reply, Visit } from '../../lib/model/flow.ts';
import { ENDPOINTS } from './endpoints.ts';

const PAGES = 5;

/** Kept, since k6's engine looks a global up by its name at every use. */
const encode = encodeURIComponent;

/** Keys of the calls below: named, so that the endpoint table can grow without them. */
type Key = 'list' | 'search' | 'details' | 'cart' | 'item' | 'order';

/** Every endpoint's call. Bodies are looked at as text, which costs a small part of what parsing them would. */
const calls = (key: Key): Call => {
  switch (key) {
    case 'list':
      return {
        endpoint: ENDPOINTS.list,
        what: 'a page of books',
        good: ({ body }) => body?.includes('"items"') === true,
      };
    case 'search':
      return {
        endpoint: ENDPOINTS.search,
        what: 'a page of books',
        good: ({ body }) => body?.includes('"items"') === true,
      };
    case 'details':
      return {
        endpoint: ENDPOINTS.details,
        what: 'the right book',
        good: ({ body, about }) => body?.includes(about) === true,
      };
    case 'cart':
      return {
        endpoint: ENDPOINTS.cart,
        what: 'has an id',
        good: (reply) => cartId(reply) !== undefined,
        example: '{"id":"00000000-0000-4000-8000-000000000000"}',
      };
    case 'item':
      return { endpoint: ENDPOINTS.item };
    case 'order':
      return { endpoint: ENDPOINTS.order, exhausted: 409, unpaid: '"PaymentPending"' };
  }
};

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
  const page = 1 + ((visit.random() * PAGES) | 0);
  visit.send(calls, 'list', `/api/books?category=${encode(category)}&page=${page}`);
};

/** A search for one of the search terms. */
export const search = (visit: Visit): void => {
  visit.send(calls, 'search', `/api/books?search=${encode(visit.searchTerm())}`);
};

/** The details of a book picked by popularity; gives its ISBN. */
export const details = (visit: Visit): string => {
  const isbn = visit.book();
  visit.send(calls, 'details', `/api/books/${encode(isbn)}`, isbn);
  return isbn;
};

/** A new cart; gives its id, or nothing when the system refused one. */
export const cart = (visit: Visit): string | undefined => cartId(visit.send(calls, 'cart', '/api/carts', '', '{}'));

/** Puts one copy of the book into the cart; tells whether it is in. */
export const item = (visit: Visit, cart: string, isbn: string): boolean => {
  const path = `/api/carts/${encode(cart)}/items/${encode(isbn)}`;
  return visit.send(calls, 'item', path, isbn, '{"quantity":1}').status === 200;
};

/** Orders what is in the cart. */
export const order = (visit: Visit, cart: string): void => {
  visit.send(calls, 'order', '/api/orders', cart, `{"cartId":${JSON.stringify(cart)}}`);
};
