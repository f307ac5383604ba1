// Where odd Locations lead, and what goes along.
import http from 'k6/http';

const PLACES = [
  '',
  '/inspect#x',
  '?url=/inspect',
  'inspect',
  '../inspect',
  './x/../inspect',
  'ftp://x/',
  'http://[bad',
  "/it's|a b",
];

export default function () {
  for (const place of PLACES) {
    const to = encodeURIComponent(place);
    const headers = { Authorization: 'secret', Cookie: 'c=1', Host: 'my.host', 'X-Keep': '1' };
    const {
      status,
      error,
      error_code: code,
      url,
      body,
    } = http.get(`${__ENV.BASE}/to?url=${to}`, { headers, tags: { name: 'x' } });
    console.log(`${place} ${status} ${error} ${code} ${url} ${body}`);
  }
}
