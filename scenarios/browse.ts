/** Browsing alone: a list page and two books, at the rate that browsing has in the workload. */
import workload from '../data/workload.json';
import { browse as flow } from '../lib/flows.ts';
import { suite } from '../lib/suite.ts';

const run = suite({ name: 'browse', workload, flows: { browse: flow } });

export const { options, setup, handleSummary } = run;
export const browse = run.session('browse');
