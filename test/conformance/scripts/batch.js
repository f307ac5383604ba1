import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
export default function () {
  const list = http.batch([
    `${B}/ok`,
    ['GET', `${B}/ok?st=404`, null, { tags: { name: 'missing' } }],
    { method: 'POST', url: `${B}/echo`, body: 'z' },
  ]);
  console.log(list.map((r) => r.status).join(' '));
  const named = http.batch({ a: `${B}/ok`, b: ['GET', `${B}/ok?st=500`] });
  console.log(`${named.a.status} ${named.b.status}`);
}
