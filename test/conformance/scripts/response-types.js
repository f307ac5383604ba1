import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1, discardResponseBodies: true };
export default function () {
  const show = (what, r) => console.log(`${what} ${r.body === null ? 'null' : typeof r.body} ${r.status}`);
  show('discarded', http.get(`${B}/ok`));
  show('text', http.get(`${B}/ok`, { responseType: 'text' }));
  show('binary', http.get(`${B}/ok`, { responseType: 'binary' }));
  show('204', http.get(`${B}/empty`, { responseType: 'text' }));
  try {
    http.get(`${B}/ok`).json();
  } catch (error) {
    console.log(error.name);
  }
}
