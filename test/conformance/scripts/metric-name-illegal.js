import { Trend } from 'k6/metrics';

new Trend('a b');
export default function () {}
