/** Browsing alone: a list page and two books, at the rate that browsing has in the workload. */

import { sessionOf } from '../lib/session/session.ts';
import { suite } from '../lib/suite.ts';
import { browse as flow } from './bookstore/flows.ts';

const run = suite({ name: 'browse', flows: { browse: flow } });

export const { options, setup, handleSummary } = run;
export const browse = sessionOf(flow);
