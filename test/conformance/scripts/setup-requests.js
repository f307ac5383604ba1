import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1, tags: { run: 'r1' } };
export function setup() {
  http.get(`${B}/ok`, { tags: { name: 'login' } });
}
export default function () {
  http.get(`${B}/ok`, { tags: { name: 'page' } });
}
export function teardown() {
  http.get(`${B}/ok`, { tags: { name: 'logout' } });
}
