// Names that nothing may be sent to.
import http from 'k6/http';

export const options = { blockHostnames: ['blocked.test', '*.all.test'], tags: { name: 'x' } };

export default function () {
  for (const url of ['http://blocked.test/', 'http://a.ALL.test/', `${__ENV.BASE}/ok`]) {
    const { status, error, error_code: code } = http.get(url);
    console.log(`${status} ${error} ${code}`);
  }
}
