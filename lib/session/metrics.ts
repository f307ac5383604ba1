// Touches k6: the metrics of every suite, made once at init because k6 allows that nowhere else. Only their `add` is kept, which
// needs no `this`: the object around it would cost every VU half a kilobyte for each metric.
import { Counter, Rate, Trend } from 'k6/metrics';
import { DURATION_METRICS, METRICS } from '../model/names.ts';

/** From here, so that a bundle imports it once: every binding costs a VU 0.8 kB. */
export { Counter };

/** Adds a value to a metric. */
export type Add = Trend['add'];

/** A Counter of the suite's own; for the top of a file, since k6 makes metrics at init only. */
export const counter = (name: string): Add => new Counter(name).add;
/** A Rate of the suite's own. */
export const rate = (name: string): Rate['add'] => new Rate(name).add;
/** A Trend of the suite's own. @param isTime whether its values are milliseconds */
export const trend = (name: string, isTime = false): Add => new Trend(name, isTime).add;

/**
 * k6's own metric of checks, by which `check()` counts: the samples are the same, and cost two fifths of the time. The tag `check`
 * is the check's name.
 */
export const addCheck = new Rate('checks').add as Add;

const add2xx = new Trend(DURATION_METRICS['2xx'], true).add;
const add3xx = new Trend(DURATION_METRICS['3xx'], true).add;
const add4xx = new Trend(DURATION_METRICS['4xx'], true).add;
const add5xx = new Trend(DURATION_METRICS['5xx'], true).add;
/** Adds to the latency Trend of a status; others have none. Not in an array, which would cost a VU 0.7 kB. */
export const durationOf = (status: number): Add | undefined => {
  if (status < 300) return status < 200 ? undefined : add2xx;
  if (status < 400) return add3xx;
  if (status < 500) return add4xx;
  return status < 600 ? add5xx : undefined;
};
export const addNoResponse = new Counter(METRICS.noResponse).add;
export const addRateLimited = new Counter(METRICS.rateLimited).add;
/** Only where rows are used up: k6 must know the metric, for which VU 0 is enough, and no other VU adds to it. */
export const addDataExhausted =
  __VU === 0 || typeof USES_ROWS_ONCE === 'undefined' || USES_ROWS_ONCE || __ENV['POPULARITY'] === 'once'
    ? new Counter(METRICS.dataExhausted).add
    : undefined;
export const addFlowErrors = new Rate(METRICS.flowErrors).add;
export const addSessionDuration = new Trend(METRICS.sessionDuration, true).add;
