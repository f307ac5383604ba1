// A body that is not what its header says.
import http from 'k6/http';

export default function () {
  for (const responseType of ['text', 'binary', 'none']) {
    const {
      status,
      body,
      error_code: code,
      headers,
    } = http.get(`${__ENV.BASE}/encoded?as=gzip&broken`, { responseType, tags: { name: responseType } });
    console.log(`${responseType} ${status} ${body} ${code} ${Object.keys(headers).length > 0}`);
  }
}
