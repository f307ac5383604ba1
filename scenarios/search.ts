/** Searching alone: a search and a book, at the rate that searching has in the workload. */

import { sessionOf } from '../lib/session/session.ts';
import { suite } from '../lib/suite.ts';
import { searching as flow } from './bookstore/flows.ts';

const run = suite({ name: 'search', flows: { search: flow } });

export const { options, setup, handleSummary } = run;
export const search = sessionOf(flow);
