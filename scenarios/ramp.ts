/** A ramp of requests to a peak and down again (RATE is the peak), which ends itself when the system fails. */

import { loadTest } from '../lib/load-test.ts';
import { sessionOf } from '../lib/session/session.ts';
import { bookDetails } from './bookstore/flows.ts';

const run = loadTest({
  name: 'ramp',
  flows: { details: bookDetails },
  own: { details: { share: 1, thinkTimes: {} } },
  rate: 500,
  seconds: 480,
  shape: 'ramp',
  thresholds: 'ramp',
});

export const { options, setup, handleSummary } = run;
export const details = sessionOf(bookDetails);
