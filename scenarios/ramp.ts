/** A ramp of requests to a peak and down again (RATE is the peak), which ends itself when the system fails. */
import workload from '../data/workload.json';
import { bookDetails } from '../lib/flows.ts';
import { suite } from '../lib/suite.ts';

const run = suite({
  name: 'ramp',
  workload,
  flows: { details: bookDetails },
  own: { details: { share: 1, thinkTimes: {} } },
  rate: 500,
  seconds: 480,
  shape: 'ramp',
  thresholds: 'ramp',
});

export const { options, setup, handleSummary } = run;
export const details = run.session('details');
