import http from 'k6/http';

const B = __ENV.BASE;
const LOCAL = B.replace('127.0.0.1', 'localhost');
export const options = { vus: 1, iterations: 2 };
const TAGS = { name: 'x' };
const sent = (what, url, params) =>
  console.log(`${what}: ${http.get(url, { ...params, tags: TAGS }).json().headers.cookie}`);
const set = (base, ...lines) =>
  http.get(`${base}?${lines.map((line) => `c=${encodeURIComponent(line)}`).join('&')}`, { tags: TAGS });

export default function () {
  sent('none left of the last iteration', `${B}/inspect`);
  set(`${B}/set`, 'a=1', 'b=2; Path=/folder', 'c=3; Path=/folder/inspect');
  set(`${B}/folder/set`, 'd=4', 'e=5; Path=nonsense');
  sent('paths', `${B}/folder/inspect`);
  sent('of the root', `${B}/inspect`);
  sent('another host', `${LOCAL}/inspect`);
  set(`${B}/set`, 'f=1; Domain=example.com', 'g=1; Domain=127.0.0.1', 'h=1; Domain=.127.0.0.1');
  set(`${LOCAL}/set`, 'i=1; Domain=example.com', 'j=1; Domain=host', 'k=1; Domain=localhost', 'l=1; Domain=.localhost');
  sent('domains of an address', `${B}/inspect`);
  sent('domains of a name', `${LOCAL}/inspect`);
  set(`${B}/set`, 'a=changed', 'm=1; Max-Age=0', 'n=1; Max-Age=-5', 'o=1; Max-Age=60', 'p=1; Max-Age=x');
  set(
    `${B}/set`,
    'q=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'r=1; Expires=Wed, 01 Jan 2098 00:00:00 GMT',
    's=1; Expires=never',
  );
  set(`${B}/set`, 't="in quotes"', 'u=a b', 'v=a,b', 'w=', 'x', '=y', 'z=back\\slash', 'a a=1');
  sent('ages and values', `${B}/inspect`);
  set(
    `${B}/set`,
    'a=; Max-Age=0',
    'o=; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'sec=1; Secure',
    '__Host-x=1',
    '__Secure-y=1',
  );
  sent('deleted and secure', `${B}/inspect`);
  sent('of the request, beside', `${B}/inspect`, { cookies: { r: 'mine' } });
  sent('of the request, in place', `${B}/inspect`, { cookies: { r: { value: 'mine', replace: true } } });
  sent('of the request, no replace', `${B}/inspect`, { cookies: { r: { value: 'mine' }, none: null } });
  sent('of the request, in quotes', `${B}/inspect`, { cookies: { q: 'a b;"c\\' } });
  sent('of the header', `${B}/inspect`, { headers: { cookie: 'own=1' } });
  sent('of both', `${B}/inspect`, { headers: { Cookie: 'own=1' }, cookies: { r: '2' } });
  sent('set on the way', `${B}/set?c=way%3D1&to=%2Finspect`, { headers: { Cookie: 'own=1' }, cookies: { r: '2' } });
  sent('set on the way to another host', `${B}/set?c=way%3D2&to=${encodeURIComponent(`${LOCAL}/inspect`)}`);
}
