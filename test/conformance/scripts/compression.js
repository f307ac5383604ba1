// Bodies of requests, compressed.
import http from 'k6/http';

export default function () {
  for (const compression of ['gzip', 'deflate', 'br', 'gzip, br', ' gzip ', '', 'x', 'GZIP']) {
    for (const body of ['hello hello', { a: 1 }, null]) {
      const { status, error, request } = http.post(`${__ENV.BASE}/inspect`, body, { compression, tags: { name: 'x' } });
      console.log(`${compression} ${status} ${error} ${request?.body.length} ${request?.headers['Content-Encoding']}`);
    }
  }
}
