/**
 * The flows of the bookstore: what one session does. A flow says what, the workload says how often and with which think
 * times; how many requests it sends is measured by running it (`lib/plan/flow-record.ts`).
 */

import type { Session } from '../../lib/model/flow.ts';
import { cart, details, item, list, order, search } from './requests.ts';
import type { Bookstore } from './suite.ts';

type Visitor = Session<Bookstore>;

export const browse = (session: Visitor): void => {
  list(session);
  session.think('list->details');
  details(session);
  session.think('details->details');
  details(session);
};

export const searching = (session: Visitor): void => {
  search(session);
  session.think('search->details');
  details(session);
};

/** Ends early when the system refuses the cart or the item: there is nothing to order then. */
export const checkout = (session: Visitor): void => {
  const isbn = details(session);
  session.think('details->cart');
  const id = cart(session);
  if (id === undefined) return;
  session.think('cart->item');
  if (!item(session, id, isbn)) return;
  session.think('item->order');
  order(session, id);
};

/** One request, no thinking: the cache tables and the ramp. */
export const bookDetails = details;

/** Details of one book after another with a pause after each: one user of a closed loop. */
export const detailsAndPause = (session: Visitor): void => {
  details(session);
  session.think('details->details');
};
