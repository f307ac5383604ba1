import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
const show = (what, r) => {
  if (r.status === 0) {
    console.log(`${what}: ${r.error} ${r.error_code} ${r.url}`);
    return;
  }
  const { method, headers, body } = r.json();
  console.log(
    `${what}: ${method} ${headers['content-type']} ${headers['content-length'] ?? 0} ${JSON.stringify(body)}`,
  );
};
const bytes = new Uint8Array([0, 1, 128, 255]);
const typed = { headers: { 'Content-Type': 'application/json' } };
export default function () {
  show('buffer', http.post(`${B}/inspect`, bytes.buffer));
  show('view', http.post(`${B}/inspect`, bytes.subarray(1, 3)));
  show('text', http.post(`${B}/inspect`, 'ä€😀'));
  show('empty text', http.post(`${B}/inspect`, ''));
  show('null', http.post(`${B}/inspect`, null, typed));
  show('get', http.get(`${B}/inspect`, typed));
  show('delete', http.del(`${B}/inspect`, null, typed));
  show('delete with a body', http.del(`${B}/inspect`, 'x', typed));
  show('patch', http.patch(`${B}/inspect`, '{"a":1}', typed));
  show('put of nothing', http.put(`${B}/inspect`));
  show('options', http.options(`${B}/inspect`, null, typed));
  show('get with a body', http.request('GET', `${B}/inspect`, 'x'));
  show('own method', http.request('PROPFIND', `${B}/inspect`, 'x'));
  show('own length', http.post(`${B}/inspect`, 'abc', { headers: { 'Content-Length': '3' } }));
  show('number', http.post(`${B}/inspect`, 5));
  show('fraction', http.post(`${B}/inspect`, 5.5));
  show('boolean', http.post(`${B}/inspect`, true));
  show('list', http.post(`${B}/inspect`, ['a']));
  show('file', http.post(`${B}/inspect`, http.file('x', 'y')));
}
