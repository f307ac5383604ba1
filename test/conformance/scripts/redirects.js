import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
export default function () {
  const show = (what, r) => console.log(`${what} ${r.status} ${r.url.replace(B, '')}`);
  show('followed', http.get(`${B}/redir`, { tags: { name: 'redir' } }));
  show('not followed', http.get(`${B}/redir`, { tags: { name: 'first' }, redirects: 0 }));
  show('endless', http.get(`${B}/loop`, { tags: { name: 'loop' }, redirects: 3 }));
  show('post', http.post(`${B}/redir`, 'x', { tags: { name: 'post' } }));
  show('kept', http.post(`${B}/redir307`, 'x', { tags: { name: 'kept' } }));
}
