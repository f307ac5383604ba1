// Headers beyond ASCII go out as UTF-8; what is no header is a request that failed, and the next one finds a free connection.
import http from 'k6/http';

const seen = (headers) => http.get(`${__ENV.BASE}/inspect`, { headers, timeout: '5s' });

export default function () {
  const odd = [
    { 'X-Name': 'Łukasz' },
    { 'X-Name': 'café' },
    { 'X-Name': 'a\nb' },
    { 'X B': '1' },
    { '': 'x' },
    { 'X-T': ' sp ' },
  ];
  const own = [
    { 'Keep-Alive': 'timeout=5' },
    { Upgrade: 'h2c' },
    { TE: 'trailers' },
    { 'X-E': '' },
    { 'User-Agent': '' },
  ];
  for (const headers of [...odd, ...odd, ...own, { 'X-U': undefined, 'X-N': null, 'X-A': ['a', 'b'] }]) {
    const { status, error, error_code: code, body } = seen(headers);
    console.log(`${JSON.stringify(headers)} ${status} ${error} ${code} ${body}`);
  }
}
