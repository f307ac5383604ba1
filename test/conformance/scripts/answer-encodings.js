// Answers that are encoded, more than once, and not at all.
import http from 'k6/http';

export default function () {
  for (const as of ['gzip', 'deflate', 'br', 'gzip, br', 'br,gzip', 'identity', 'rot13', 'GZIP']) {
    const {
      status,
      body,
      error,
      error_code: code,
    } = http.get(`${__ENV.BASE}/encoded?as=${encodeURIComponent(as)}`, { tags: { name: as } });
    console.log(`${as} ${status} ${body} ${error} ${code}`);
  }
  console.log(
    new Uint8Array(http.get(`${__ENV.BASE}/encoded?as=gzip`, { responseType: 'binary', tags: { name: 'b' } }).body)
      .length,
  );
}
