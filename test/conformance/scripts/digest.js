// Digest authentication: a challenge first, which is no failure.
import http from 'k6/http';

export default function () {
  for (const user of ['u:p@', 'u:wrong@', '']) {
    const { status, url } = http.get(`${__ENV.BASE.replace('//', `//${user}`)}/digest`, {
      auth: 'digest',
      tags: { user },
    });
    console.log(`${user} ${status} ${url}`);
  }
}
