/** Searching alone: a search and a book, at the rate that searching has in the workload. */
import workload from '../data/workload.json';
import { searching as flow } from '../lib/flows.ts';
import { suite } from '../lib/suite.ts';

const run = suite({ name: 'search', workload, flows: { search: flow } });

export const { options, setup, handleSummary } = run;
export const search = run.session('search');
