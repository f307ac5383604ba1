/** Searching alone: a search and a book, at the rate that searching has in the workload. */
import { searching as flow } from '../lib/flows.ts';
import { sessionOf } from '../lib/session.ts';
import { suite } from '../lib/suite.ts';

const run = suite({ name: 'search', flows: { search: flow } });

export const { options, setup, handleSummary } = run;
export const search = sessionOf(flow);
