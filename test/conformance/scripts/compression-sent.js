// What arrives of a compressed body.
import http from 'k6/http';

export default function () {
  const sent = http.post(`${__ENV.BASE}/inspect`, 'hello', { compression: 'gzip' }).json();
  console.log(sent.headers['content-encoding'], sent.body.charCodeAt(0), sent.body.charCodeAt(1));
  console.log(
    http.post(`${__ENV.BASE}/inspect`, { a: 'b' }, { compression: 'deflate, gzip' }).json('headers.content-type'),
  );
}
