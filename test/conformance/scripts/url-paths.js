// A path is sent as it was written where it can be; what has to be escaped escapes all of it.
import http from 'k6/http';

const PATHS = [
  '/inspect?a/../b',
  "/text?text='",
  '/text?text=a|b',
  '/text?text={a}',
  '/text?text=%zz',
  '/x?',
  '/a/../b',
  '/./c',
  "/it's",
  '/a|b',
  '/a b',
  '/a%20b',
  '/é',
  '/a"b',
  '/a\\b',
  '/a^`',
  '/a%2fb c',
  "/it's a",
  '//double',
  '/%2e%2e/z',
  '/[x]',
  '/a;b@c:d!e$f',
  '/(a)*,+',
  '/~%7E',
  '/x#a b',
  '#f',
  '?x=1',
  '',
];

export default function () {
  for (const path of PATHS) {
    const { status, url, request } = http.get(`${__ENV.BASE}${path}`, { tags: { name: 'x' } });
    console.log(`${path} ${status} ${url} ${request.url}`);
  }
}
