/** Buying alone: a book, a cart, an item and an order, at the rate that buying has in the workload. */

import { loadTest } from '../lib/load-test.ts';
import { sessionOf } from '../lib/session/session.ts';
import { checkout as flow } from './bookstore/flows.ts';

const run = loadTest({ name: 'checkout', flows: { checkout: flow }, thresholds: 'flow' });

export const { options, setup, handleSummary } = run;
export const checkout = sessionOf(flow);
