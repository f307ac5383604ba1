/** The traffic of the bookstore: browsing, searching and buying sessions arrive side by side, each flow at its own rate. */

import { loadTest } from '../lib/load-test.ts';
import { sessionOf } from '../lib/session/session.ts';
import * as flows from './bookstore/flows.ts';

const mix = loadTest({
  name: 'bookstore-mix',
  flows: { browse: flows.browse, search: flows.searching, checkout: flows.checkout },
});

export const { options, setup, handleSummary } = mix;
export const browse = sessionOf(flows.browse);
export const search = sessionOf(flows.searching);
export const checkout = sessionOf(flows.checkout);
