import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
export default function () {
  const show = (what, r) => console.log(`${what} ${r.status} ${r.error_code} ${r.error} ${r.body}`);
  show('refused', http.get('http://127.0.0.1:1/x', { tags: { name: 'refused' } }));
  show('reset', http.get(`${B}/reset`, { tags: { name: 'reset' } }));
  show('closed', http.get(`${B}/close`, { tags: { name: 'closed' } }));
  show('timeout', http.get(`${B}/hang`, { tags: { name: 'timeout' }, timeout: '300ms' }));
  show('body timeout', http.get(`${B}/hangbody`, { tags: { name: 'body' }, timeout: 1000 }));
  show('scheme', http.get('foo', { tags: { name: 'scheme' } }));
  show('404', http.get(`${B}/ok?st=404`, { tags: { name: 'missing' } }));
}
