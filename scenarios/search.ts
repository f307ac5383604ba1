/** Searching alone: a search and a book, at the rate that searching has in the workload. */

import { loadTest } from '../lib/load-test.ts';
import { sessionOf } from '../lib/session/session.ts';
import { searching as flow } from './bookstore/flows.ts';

const run = loadTest({ name: 'search', flows: { search: flow }, thresholds: 'flow' });

export const { options, setup, handleSummary } = run;
export const search = sessionOf(flow);
