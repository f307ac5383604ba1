import http from 'k6/http';

const B = __ENV.BASE;
export const options = {
  vus: 1,
  iterations: 3,
  thresholds: {
    'http_req_duration{name:never}': ['p(95)<5'],
    'checks{flow:pay}': ['rate>0.99'],
    'http_reqs{name:never}': ['count>0'],
    'http_reqs{name:search}': ['count>0', 'count==3'],
  },
};
export default function () {
  http.get(`${B}/ok`, { tags: { name: 'search' } });
}
