// A length that the script writes is not sent, nor is a coding of the transfer; the connection's own words are.
import http from 'k6/http';

export default function () {
  for (const headers of [
    { 'Content-Length': '7' },
    { 'Transfer-Encoding': 'chunked' },
    { Connection: 'close' },
    { Connection: 'keep-alive' },
  ]) {
    console.log(
      JSON.stringify(headers),
      http.post(`${__ENV.BASE}/inspect`, 'abc', { headers }).json('headers.content-length'),
    );
  }
  const { headers } = http.get(`${__ENV.BASE}/ok`, { headers: { Connection: 'close' } });
  console.log(headers.Connection, headers['Transfer-Encoding']);
}
