import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
const show = (what, r) =>
  console.log(
    `${what}: ${r.status} ${JSON.stringify(r.status_text)} ${typeof r.body} ${JSON.stringify(r.body)} ${r.headers.Etag}`,
  );
export default function () {
  show('fresh', http.get(`${B}/etag`));
  show('not modified', http.get(`${B}/etag`, { headers: { 'If-None-Match': '"v1"' } }));
  show('not modified, bytes', http.get(`${B}/etag`, { headers: { 'If-None-Match': '"v1"' }, responseType: 'binary' }));
  show('changed', http.get(`${B}/etag`, { headers: { 'If-None-Match': '"v2"' } }));
  show('head', http.head(`${B}/etag`));
  show('head, no body asked for', http.head(`${B}/etag`, { responseType: 'none' }));
  show('none', http.get(`${B}/etag`, { responseType: 'none' }));
  show('patch', http.patch(`${B}/empty`, 'x'));
  const bytes = http.get(`${B}/bytes`, { responseType: 'binary' }).body;
  console.log(bytes instanceof ArrayBuffer, new Uint8Array(bytes).join());
  const twice = http.get(`${B}/twice`);
  console.log(
    twice.headers['X-Twice'],
    twice.headers['X-Lower-Case'],
    twice.headers['x-twice'],
    twice.headers['Set-Cookie'],
  );
  const [a] = twice.cookies.a;
  const [b] = twice.cookies.b;
  for (const { name, value, domain, path, http_only, secure, max_age, expires } of [a, b]) {
    console.log([name, value, domain, path, http_only, secure, max_age, expires].join('|'));
  }
  const { cookies } = http.get(
    `${B}/set?c=d%3D1%3BExpires%3DWed%2C%2001%20Jan%202098%2000%3A00%3A00%20GMT&c=d%3D2&c=x`,
  );
  console.log(cookies.d.map(({ value, expires }) => `${value} ${expires}`).join());
  const { request } = http.post(`${B}/to?url=%2Fok`, { q: '1' }, { headers: { 'x-own': '1' }, cookies: { c: '2' } });
  const { method, url, headers, body } = request;
  console.log(method, url, body, headers['X-Own'], headers['Content-Type'], headers.Cookie, request.cookies.c[0].value);
  const failed = http.get('http://127.0.0.1:1/', { tags: { name: 'refused' } });
  console.log(
    failed.status,
    failed.body,
    failed.url,
    failed.proto,
    JSON.stringify(failed.headers),
    JSON.stringify(failed.cookies),
  );
  console.log(http.get(http.url`${B}/ok?st=${201}`).status);
}
