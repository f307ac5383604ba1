/**
 * The flows of the bookstore: what one session does. A flow says what, the workload says how often and with which think
 * times; how many requests it sends is measured by running it (`record.ts`).
 */

import type { Flow, Visit } from '../../lib/model/flow.ts';
import { cart, details, item, list, order, search } from './requests.ts';

export const browse = (visit: Visit): void => {
  list(visit);
  visit.think('list->details');
  details(visit);
  visit.think('details->details');
  details(visit);
};

export const searching = (visit: Visit): void => {
  search(visit);
  visit.think('search->details');
  details(visit);
};

/** Ends early when the system refuses the cart or the item: there is nothing to order then. */
export const checkout = (visit: Visit): void => {
  const isbn = details(visit);
  visit.think('details->cart');
  const id = cart(visit);
  if (id === undefined) return;
  visit.think('cart->item');
  if (!item(visit, id, isbn)) return;
  visit.think('item->order');
  order(visit, id);
};

/** One request, no thinking: the cache tables and the ramp. */
export const bookDetails: Flow = details;

/** Details of one book after another with a pause after each: one user of a closed loop. */
export const detailsAndPause = (visit: Visit): void => {
  details(visit);
  visit.think('details->details');
};
