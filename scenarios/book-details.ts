/** One endpoint at a request rate, under any popularity law: how much the cache answers and what a miss costs. */
import { bookDetails } from '../lib/flows.ts';
import { sessionOf } from '../lib/session.ts';
import { suite } from '../lib/suite.ts';

const run = suite({
  name: 'book-details',
  flows: { details: bookDetails },
  own: { details: { share: 1, thinkTimes: {} } },
  rate: 600,
  seconds: 60,
});

export const { options, setup, handleSummary } = run;
export const details = sessionOf(bookDetails);
