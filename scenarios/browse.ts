/** Browsing alone: a list page and two books, at the rate that browsing has in the workload. */
import { browse as flow } from '../lib/flows.ts';
import { sessionOf } from '../lib/session.ts';
import { suite } from '../lib/suite.ts';

const run = suite({ name: 'browse', flows: { browse: flow } });

export const { options, setup, handleSummary } = run;
export const browse = sessionOf(flow);
