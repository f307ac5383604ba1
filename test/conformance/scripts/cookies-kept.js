import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 2, noCookiesReset: true };
export default function () {
  console.log(`${__ITER} ${http.get(`${B}/inspect`).json().headers.cookie}`);
  http.get(`${B}/set?c=a%3D1`);
}
