/** Browsing alone: a list page and two books, at the rate that browsing has in the workload. */

import { loadTest } from '../lib/load-test.ts';
import { sessionOf } from '../lib/session/session.ts';
import { browse as flow } from './bookstore/flows.ts';

const run = loadTest({ name: 'browse', flows: { browse: flow } });

export const { options, setup, handleSummary } = run;
export const browse = sessionOf(flow);
