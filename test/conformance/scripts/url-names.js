// The tags `name` and `url` of odd URLs.
import http from 'k6/http';

export default function () {
  for (const path of ["/it's", '/a|b', '/a/../b', '/a b?c=d', '/x#y', '/é']) http.get(`${__ENV.BASE}${path}`);
  http.get(`${__ENV.BASE}/q`.replace('http:', 'HTTP:'));
}
