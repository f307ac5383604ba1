// Requests that nobody would make on purpose: each is the script's exception, and the run goes on.
import http from 'k6/http';

export const options = { vus: 2, iterations: 6 };

const REQUESTS = [
  () => http.get(`${__ENV.BASE}/a`, { responseCallback: { statuses: 5 } }),
  () => http.post(`${__ENV.BASE}/api/orders`, 'no JSON', { tags: { name: 'POST /api/orders' } }),
  () => http.get('ftp://127.0.0.1/a', { responseCallback: { statuses: 5 } }),
  () => http.get('http://a b/'),
  () =>
    http.batch([`${__ENV.BASE}/b`, ['GET', `${__ENV.BASE}/c`, null, { responseCallback: { ranges: 5 } }], 'ftp://d']),
];

export default function () {
  for (const [i, request] of REQUESTS.entries()) {
    let how = 'answered';
    try {
      const answer = request();
      how = Array.isArray(answer) ? answer.map(({ status }) => status > 0).join() : `${answer.status > 0}`;
    } catch (error) {
      how = error.name;
    }
    console.log(`${__ITER} ${i} ${how}`);
  }
  http.get(`${__ENV.BASE}/last`, { responseCallback: { statuses: 5 } });
}
