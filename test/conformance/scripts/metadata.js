// Metadata of a VU: beside the tags, in a column of its own.
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter } from 'k6/metrics';

const counter = new Counter('counted');
export const options = { iterations: 2 };

export default function () {
  counter.add(1);
  exec.vu.metrics.metadata.trace_id = `t${__ITER}`;
  http.get(`${__ENV.BASE}/ok`);
  counter.add(1);
  console.log(JSON.stringify(exec.vu.metrics.metadata), 'trace_id' in exec.vu.metrics.metadata);
  if (__ITER === 1) delete exec.vu.metrics.metadata.trace_id;
  counter.add(1);
}
