import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
export default function () {
  const id = 7;
  http.get(http.url`${B}/ok?id=${id}`, { tags: { kind: 'template' } });
}
