// Touches k6: the suite's own metrics, made once at init because k6 allows that nowhere else. Only their `add` is kept, which
// needs no `this`: the object around it would cost every VU half a kilobyte for each metric.
import { Counter, Rate, Trend } from 'k6/metrics';
import { DURATION_METRICS, METRICS } from '../model/names.ts';

/** Latency Trends by the first digit of the status; 0 and 1 have none. */
export const addDuration: readonly (Trend['add'] | undefined)[] = [
  undefined,
  undefined,
  new Trend(DURATION_METRICS['2xx'], true).add,
  new Trend(DURATION_METRICS['3xx'], true).add,
  new Trend(DURATION_METRICS['4xx'], true).add,
  new Trend(DURATION_METRICS['5xx'], true).add,
];
export const addNoResponse = new Counter(METRICS.noResponse).add;
export const addRateLimited = new Counter(METRICS.rateLimited).add;
export const addOutOfStock = new Counter(METRICS.outOfStock).add;
export const addPaymentPending = new Counter(METRICS.paymentPending).add;
/** Only where rows are used up: k6 must know the metric, for which VU 0 is enough, and no other VU adds to it. */
export const addDataExhausted =
  __VU === 0 || __ENV['POPULARITY'] === 'once' ? new Counter(METRICS.dataExhausted).add : undefined;
export const addFlowErrors = new Rate(METRICS.flowErrors).add;
export const addSessionDuration = new Trend(METRICS.sessionDuration, true).add;
