// Touches k6: the suite's own metrics, made once at init because k6 allows that nowhere else.
import { Counter, Rate, Trend } from 'k6/metrics';
import { METRICS } from './names.ts';

/** Latency Trends by the first digit of the status; 0 and 1 have none. */
export const DURATIONS: readonly (Trend | undefined)[] = [
  undefined,
  undefined,
  new Trend(METRICS.duration2xx, true),
  new Trend(METRICS.duration3xx, true),
  new Trend(METRICS.duration4xx, true),
  new Trend(METRICS.duration5xx, true),
];
export const noResponse = new Counter(METRICS.noResponse);
export const rateLimited = new Counter(METRICS.rateLimited);
export const outOfStock = new Counter(METRICS.outOfStock);
export const dataExhausted = new Counter(METRICS.dataExhausted);
export const flowErrors = new Rate(METRICS.flowErrors);
export const sessionDuration = new Trend(METRICS.sessionDuration, true);
