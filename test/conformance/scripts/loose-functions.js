import { check } from 'k6';
import { Counter, Rate, Trend } from 'k6/metrics';

// Taken from their objects, as a script does that keeps no more than it needs.
const { add } = new Counter('counted');
const addRate = new Rate('rated').add;
const addTrend = new Trend('took', true).add;

export const options = { vus: 1, iterations: 3, thresholds: { counted: ['count==6'], checks: ['rate<0.7'] } };

export default function () {
  add(2);
  addRate(true);
  addRate(false);
  addTrend(12.5, { kind: 'a' });
  // Values in the place of functions: what is truthy has passed.
  check(null, { 'an object': {}, 'a text': 'yes', true: true, nothing: undefined, null: null, zero: 0 });
}
