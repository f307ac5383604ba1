/**
 * The requests of the bookstore: what each is sent with.
 *
 * What stands here and in the flows is held by every VU. In k6's engine a function costs a VU 0.7 kB, a small object 0.6 kB, the
 * use of a regular expression up to 28 kB (live memory, measured over 1,000 VUs).
 */
import type { Session } from '../../lib/model/flow.ts';
import { add } from '../../lib/session/checks.ts';
import { counter } from '../../lib/session/metrics.ts';
import type { Bookstore } from './suite.ts';

type Visitor = Session<Bookstore>;

const PAGES = 5;

// Marked, so that a load test whose flows use none of them does without; VU 0 makes what `suite.ts` declares.
const outOfStock = /* @__PURE__ */ counter('out_of_stock');
const paymentPending = /* @__PURE__ */ counter('payment_pending');

/** A page of one of the categories. */
export const list = ({ call, pick, random }: Visitor): void => {
  const { category } = pick('categories');
  call('list', { category, page: 1 + ((random() * PAGES) | 0) });
};

/** A search for one of the search terms. */
export const search = ({ call, pick }: Visitor): void => {
  call('search', pick('terms'));
};

/** The details of a book picked by popularity; gives its ISBN. */
export const details = ({ call, pick }: Visitor): string => {
  const book = pick('books');
  call('details', book);
  return book.isbn;
};

/** A new cart; gives its id, or nothing when the system refused one. */
export const cart = ({ call }: Visitor): string | undefined => {
  const answer = call('cart', undefined, { json: {} });
  if (answer.status !== 201) return undefined;
  try {
    return answer.json('id') || undefined;
  } catch {
    // The answer's check has said that it is no cart.
    return undefined;
  }
};

/** Puts one copy of the book into the cart; tells whether it is in. */
export const item = ({ call }: Visitor, cart: string, isbn: string): boolean =>
  call('item', { id: cart, isbn }, { json: { quantity: 1 } }).status === 200;

/** Orders what is in the cart. */
export const order = (session: Visitor, cart: string): void => {
  const { status, body } = session.call('order', undefined, { json: { cartId: cart } });
  if (status === 409) add(session, outOfStock);
  // Counted apart, since the answer took another time than that to a paid order.
  else if (body?.includes('"PaymentPending"')) add(session, paymentPending);
};
