import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
const show = (what, body, params) => {
  const { headers, body: text } = http.post(`${B}/inspect`, body, params).json();
  console.log(`${what}: ${headers['content-type']} ${text}`);
};
export default function () {
  show('list', { t: ['onion', 'bacon'], b: 1, a: true });
  show('sorted', { z: '1', a: '2', Z: '3' });
  show('marks', { x: "it's! (a*b) ~-._", 'k y': 'ä€😀' });
  show('empty', { n: null, u: undefined, e: '', l: [], m: [null, 'x'] });
  show('numbers', { i: 5, f: 1.5, big: 1234567.5, huge: 1e21, small: 0.00001, million: 1e6, minus: -3, zero: 0 });
  show('nested', { o: { a: 1 }, l: [[1], { b: 2 }, 'c'] });
  show('nothing', {});
  show('own type', { a: '1' }, { headers: { 'content-type': 'text/plain' } });
}
