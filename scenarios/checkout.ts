/** Buying alone: a book, a cart, an item and an order, at the rate that buying has in the workload. */

import { sessionOf } from '../lib/session/session.ts';
import { suite } from '../lib/suite.ts';
import { checkout as flow } from './bookstore/flows.ts';

const run = suite({ name: 'checkout', flows: { checkout: flow } });

export const { options, setup, handleSummary } = run;
export const checkout = sessionOf(flow);
