import http from 'k6/http';

const B = __ENV.BASE;
export const options = {
  vus: 1,
  iterations: 2,
  thresholds: {
    'http_reqs{name:a,status:200}': ['count==2'],
    'http_reqs{ status:404 , name:"a" }': ['count==2'],
    'http_reqs{url:a}': ['count==4'],
  },
};
export default function () {
  http.get(`${B}/ok`, { tags: { name: 'a' } });
  http.get(`${B}/ok?st=404`, { tags: { name: 'a' } });
}
