import http from 'k6/http';

const B = __ENV.BASE;
const LOCAL = B.replace('127.0.0.1', 'localhost');
const withUser = (user, base = B) => base.replace('//', `//${user}@`);
export const options = { vus: 1, iterations: 1 };
const show = (what, url, headers, params) => {
  const r = http.get(url, { headers, ...params });
  if (r.status !== 200) {
    console.log(`${what}: ${r.status} ${r.body}`);
    return;
  }
  const { authorization, referer, 'x-a': own, 'proxy-authorization': proxy } = r.json().headers;
  const plain = (text) => decodeURIComponent(decodeURIComponent(String(text))).replace(/:[0-9]+\//g, ':PORT/');
  console.log(`${what}: ${authorization} ${plain(referer)} ${own} ${proxy} ${plain(r.url)}`);
};
const to = (target, base = B) => `${base}/to?url=${encodeURIComponent(target)}`;
const named = { tags: { name: 'x' } };
const secret = { Authorization: 'secret', 'x-a': '1', 'Proxy-Authorization': 'p' };
export default function () {
  show('user', `${withUser('user:pass')}/inspect`);
  show('without a password', `${withUser('user')}/inspect`);
  show('with an empty password', `${withUser('user:')}/inspect`, undefined, named);
  show('escaped', `${withUser('us%40er:p%3Aw')}/inspect`, undefined, named);
  show('named basic', `${withUser('user:pass')}/inspect`, undefined, { auth: 'basic' });
  show('header above', `${withUser('user:pass')}/inspect`, { authorization: 'mine' });
  show('user and relative', to('/inspect', withUser('user:pass')));
  show('user and absolute', to(`${B}/inspect`, withUser('user:pass')), undefined, named);
  show('user of the target', to(`${withUser('other:pw')}/inspect`), undefined, named);
  show('user to another host', to(`${LOCAL}/inspect`, withUser('user:pass')), undefined, named);
  show('same host', to('/inspect'), secret);
  show('another host', to(`${LOCAL}/inspect`), secret, named);
  show('there and back', to(to(`${B}/inspect`, LOCAL)), secret, named);
  show('own referer', to('/inspect'), { Referer: 'mine' });
  show('own host', to('/inspect'), { Host: 'example.com' });
  show('no redirect', to('/inspect'), secret, { redirects: 0 });
  const host = (url) =>
    http
      .get(url, { headers: { host: 'example.com' }, ...named })
      .json()
      .headers.host.replace(/:.*/, '');
  console.log(`own host: ${host(`${B}/echo`)}, relative ${host(to('/echo'))}, absolute ${host(to(`${B}/echo`))}`);
}
