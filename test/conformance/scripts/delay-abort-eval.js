import http from 'k6/http';

const B = __ENV.BASE;

import { sleep } from 'k6';
export const options = {
  vus: 1,
  duration: '2s',
  thresholds: { http_req_failed: [{ threshold: 'rate<0.5', abortOnFail: true, delayAbortEval: '30s' }] },
};
export default function () {
  http.get(`${B}/ok?st=500`, { tags: { name: 'bad' } });
  sleep(1.5);
}
