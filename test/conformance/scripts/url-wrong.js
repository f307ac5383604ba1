// What is no URL, and what leads nowhere.
import http from 'k6/http';

const URLS = ['/%zz', '/a\tb'].map((path) => `${__ENV.BASE}${path}`);
const OTHERS = [
  'http:///x',
  ' http://127.0.0.1/',
  '127.0.0.1/get',
  '/get',
  '',
  'ftp://127.0.0.1/',
  'http://127.0.0.1:99999/',
  'http://127.0.0.1:abc/',
  'http://[::1',
  'http://a b/',
  'http://us er@127.0.0.1/',
  ':x',
  'a:b',
  'http://%31.0.0.1/',
];

export default function () {
  for (const url of [...URLS, ...OTHERS]) {
    const { status, error, error_code: code, url: shown, request } = http.get(url);
    console.log(`${url} ${status} ${error} ${code} ${shown} ${request === null}`);
  }
}
