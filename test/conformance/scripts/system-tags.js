import http from 'k6/http';

const B = __ENV.BASE;

import { check } from 'k6';
export const options = {
  vus: 2,
  iterations: 2,
  systemTags: ['status', 'name', 'vu', 'iter', 'check'],
  tags: { run: 'r1' },
};
export default function () {
  check(http.get(`${B}/ok`, { tags: { name: 'n', flow: 'f' } }), { ok: (r) => r.status === 200 });
}
