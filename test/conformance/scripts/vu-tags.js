import http from 'k6/http';

const B = __ENV.BASE;

import exec from 'k6/execution';
import { Counter } from 'k6/metrics';

const c = new Counter('c1');
export const options = { vus: 1, iterations: 2 };
export default function () {
  if (__ITER === 0) exec.vu.metrics.tags.phase = 'cold';
  http.get(`${B}/ok`, { tags: { name: 'n' } });
  c.add(1);
  console.log(`phase ${exec.vu.metrics.tags.phase}`);
}
