// Requests a second, over all VUs.
import exec from 'k6/execution';
import http from 'k6/http';

export const options = { vus: 2, iterations: 6, rps: 10 };

export default function () {
  http.get(`${__ENV.BASE}/ok`);
  if (exec.scenario.iterationInTest === 5) console.log(exec.instance.currentTestRunDuration > 390);
}
