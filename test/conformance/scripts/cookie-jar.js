import http from 'k6/http';

const B = __ENV.BASE;
export const options = { vus: 1, iterations: 1 };
const TAGS = { name: 'x' };
const early = new http.CookieJar();
early.set(`${B}/`, 'early', 'yes');
const shown = (what, jar, url = `${B}/inspect`) => {
  const found = jar.cookiesForURL(url);
  console.log(
    `${what}: ${Object.keys(found)
      .sort()
      .map((name) => `${name}=${found[name].join('+')}`)}`,
  );
};
const sent = (what, params, path = '/inspect') =>
  console.log(`${what}: ${http.get(`${B}${path}`, { ...params, tags: TAGS }).json().headers.cookie}`);
const thrown = (what, work) => {
  try {
    console.log(`${what}: ${work()}`);
  } catch (error) {
    console.log(`${what}: ${String(error.message ?? error).split(':')[0]}`);
  }
};
export default function () {
  const jar = http.cookieJar();
  console.log(`set ${jar.set(`${B}/folder/x`, 'a', '1')}`);
  jar.set(B, 'b', '2', { path: '/', max_age: 60, http_only: true });
  jar.set(B, 'c', '3', { path: '/folder', secure: true });
  jar.set(B, 'd', '4', { domain: 'example.com' });
  jar.set(B, 'e', '5', { Expires: 'Wed, 01 Jan 2098 00:00:00 GMT', Path: '/' });
  jar.set(B, 'f', '6', { expires: 'Thu, 01 Jan 1970 00:00:00 GMT' });
  jar.set(B, 'g', '7', { max_age: -1 });
  jar.set('ftp://127.0.0.1/', 'h', '8');
  shown('root', jar);
  shown('folder', jar, `${B}/folder/x`);
  shown('no path', jar, B);
  shown('ftp', jar, 'ftp://127.0.0.1/');
  sent('sent', {});
  sent('in the folder', {}, '/folder/inspect');
  sent('with the jar named', { jar });
  sent('with null', { jar: null });
  jar.delete(B, 'b');
  shown('deleted', jar);
  jar.clear(`${B}/folder/x`);
  shown('cleared', jar);
  shown('cleared in the folder', jar, `${B}/folder/x`);
  thrown('no name', () => jar.delete(B, ''));
  thrown('bad date', () => jar.set(B, 'x', '1', { expires: 'tomorrow' }));

  const own = new http.CookieJar();
  shown('new', own);
  own.set(B, 'own', '1');
  sent('of an own one', { jar: own });
  sent('of none', {});
  http.get(`${B}/set?c=learnt%3D1&c=own%3D2`, { jar: own, tags: TAGS });
  shown('learnt', own);
  shown('not the other', http.cookieJar());
  http.batch([
    ['GET', `${B}/set?c=one%3D1`, null, { jar: own, tags: TAGS }],
    ['GET', `${B}/set?c=two%3D2`, null, { jar: early, tags: TAGS }],
    ['GET', `${B}/set?c=three%3D3`, null, { jar: own, tags: TAGS }],
    ['GET', `${B}/set?c=four%3D4`, null, { tags: TAGS }],
  ]);
  shown('after a batch', own);
  shown('the early one', early);
  shown('the one of the VU', jar);
  sent('of the early one', { jar: early });
  console.log(typeof own, typeof http.CookieJar);
}
