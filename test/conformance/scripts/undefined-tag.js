import http from 'k6/http';

const B = __ENV.BASE;

import { Trend } from 'k6/metrics';

const t = new Trend('t1');
export const options = { vus: 1, iterations: 1 };
export default function () {
  for (const value of [undefined, null, {}, 5, true, 'text']) {
    const r = http.get(`${B}/ok`, { tags: { name: 'n', book: value } });
    console.log(`${String(value)} ${r.status}`);
    try {
      t.add(1, { book: value });
    } catch (error) {
      console.log(`${error.name} ${error.message}`);
    }
  }
}
