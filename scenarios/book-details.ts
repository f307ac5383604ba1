/** One endpoint at a request rate, under any popularity law: how much the cache answers and what a miss costs. */

import { loadTest } from '../lib/load-test.ts';
import { sessionOf } from '../lib/session/session.ts';
import { bookDetails } from './bookstore/flows.ts';

const run = loadTest({
  name: 'book-details',
  flows: { details: bookDetails },
  own: { details: { share: 1, thinkTimes: {} } },
  rate: 600,
  seconds: 60,
});

export const { options, setup, handleSummary } = run;
export const details = sessionOf(bookDetails);
