// Samples without end.
import { Counter, Gauge, Trend } from 'k6/metrics';

const trend = new Trend('trend');
const time = new Trend('time', true);
const gauge = new Gauge('gauge');
const counter = new Counter('counter');

export default function () {
  for (const metric of [trend, time, gauge, counter]) metric.add(Number.POSITIVE_INFINITY);
  trend.add(Number.NEGATIVE_INFINITY);
}
