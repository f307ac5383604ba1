import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
const headers = { 'Content-Type': 'text/plain', 'Content-Language': 'en', 'X-A': '1' };
export default function () {
  for (const st of [301, 302, 303, 307, 308]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
      const tags = { name: `${st}` };
      const r = http.request(method, `${B}/to?st=${st}&url=%2Finspect`, method === 'GET' ? null : 'body', {
        headers,
        tags,
      });
      const seen =
        r.body === '' ? '' : JSON.stringify([r.json().method, Object.entries(r.json().headers).sort(), r.json().body]);
      console.log(`${st} ${method}: ${r.status} ${r.request.method} ${seen}`);
    }
  }
  for (const url of ['', 'ftp://127.0.0.1/', '/to?url=%2Finspect', 'inspect', '?url=inspect', '//127.0.0.1:1/x']) {
    const r = http.get(`${B}/to?url=${encodeURIComponent(url)}`, { tags: { name: 'odd' } });
    console.log(`${url}: ${r.status} ${r.error} ${r.error_code} ${r.url}`);
  }
  const chain = (n) => (n === 0 ? '/ok' : `/to?url=${encodeURIComponent(chain(n - 1))}`);
  for (const redirects of [0, 1, 3]) {
    const r = http.get(`${B}${chain(2)}`, { redirects, tags: { name: 'chain' } });
    console.log(`${redirects}: ${r.status} ${r.url}`);
  }
  const r = http.get(`${B}${chain(2)}`, { tags: { name: 'chain' } });
  console.log(`option: ${r.status} ${r.url}`);
}
