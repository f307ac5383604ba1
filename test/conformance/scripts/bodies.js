import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
const show = (r) => {
  const { method, headers, body } = r.json();
  console.log(`${method} ${headers['content-type']} ${headers['x-a']} ${headers.cookie} ${body}`);
};
export default function () {
  show(http.post(`${B}/echo`, { a: '1 2', b: 'x&y' }));
  show(
    http.post(`${B}/echo`, JSON.stringify({ a: 1 }), { headers: { 'Content-Type': 'application/json', 'X-A': '1' } }),
  );
  show(http.put(`${B}/echo`, 'text', { cookies: { mine: 'yes' } }));
  show(http.patch(`${B}/echo`, null));
  show(http.del(`${B}/echo`));
  show(http.request('OPTIONS', `${B}/echo`));
  show(http.get(`${B}/echo`));
  console.log(http.get(`${B}/echo`).json('headers.x-none'));
}
