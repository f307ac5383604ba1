/** VUS users, each with the next request only after the last answer: here to show why a closed loop misleads. */

import { loadTest } from '../lib/load-test.ts';
import { sessionOf } from '../lib/session/session.ts';
import { detailsAndPause } from './bookstore/flows.ts';

const run = loadTest({
  name: 'closed-loop',
  flows: { user: detailsAndPause },
  own: { user: { share: 1, thinkTimes: { 'details->details': { law: 'uniform', min: 0.5, max: 1.5 } } } },
  seconds: 60,
  shape: 'closed',
});

export const { options, setup, handleSummary } = run;
export const user = sessionOf(detailsAndPause);
