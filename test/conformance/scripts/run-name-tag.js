// The option `tags` with the name of one of k6's own.
import http from 'k6/http';

export const options = { tags: { name: 'all', build: '7' } };

export default function () {
  http.get(`${__ENV.BASE}/ok`);
  http.get(`${__ENV.BASE}/redir`);
}
