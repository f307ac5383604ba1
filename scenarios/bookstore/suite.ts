/** The bookstore's suite: what a run must know of the API once; virtual users hold nothing of it. */
import type workload from '../../data/workload.json';
import { defineSuite, type SuiteOf } from '../../lib/plan/suite-definition.ts';
import { TABLE } from './endpoints.ts';
import { preflight } from './preflight.ts';
import { variables } from './variables.ts';

const suite = defineSuite({
  endpoints: TABLE,
  pools: {
    books: { file: 'books.csv', columns: { isbn: 'isbn13' }, law: 'workload' },
    // Terms stand in popularity order and are drawn by Zipf's law, as words are.
    terms: { file: 'search-terms.csv', columns: { term: 'text' }, law: { law: 'zipf', s: 1 } },
    categories: { file: 'books.csv', columns: { category: 'text' }, distinct: true, law: { law: 'uniform' } },
  },
  variables,
  counters: {
    out_of_stock: {
      means: 'exhausted',
      says: '{n} orders were answered "not enough stock": the test data ran out, these are no failures; top up the stock',
    },
    payment_pending: {
      means: 'note',
      says: '{n} orders were answered unpaid (PaymentPending): their latency is not that of paid ones; why stands in the logs of the target and of the payment stub',
    },
  },
  preflight,
});

export default suite;
export type Bookstore = SuiteOf<typeof suite, typeof workload>;
