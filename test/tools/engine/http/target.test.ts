/** The quick way to read a URL gives what the long one gives, and both what k6 v2.2 was seen to send. */
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../../lib/model/random.ts';
import { isTarget, nameOf, parseTarget, readTarget, redirectTarget } from '../../../../tools/engine/http/target.ts';

/** Texts that the two ways read differently. */
function differences(text: string): string[] {
  const [quick, long] = [parseTarget(text), readTarget(text)];
  return JSON.stringify(quick) === JSON.stringify({ ...long }) || sameParts(quick, long) ? [] : [text];
}

const PARTS = ['href', 'origin', 'protocol', 'hostname', 'port', 'username', 'password', 'pathname', 'search'] as const;

function sameParts(quick: object, long: object): boolean {
  const [a, b] = [quick as Record<string, unknown>, long as Record<string, unknown>];
  return PARTS.every((part) => a[part] === b[part]) && a['error'] === b['error'];
}

const ERROR = 'parse';

describe('parseTarget', () => {
  it.each([
    ['/anything/a/../b', '/anything/a/../b'],
    ["/anything/it's", "/anything/it's"],
    ['/anything/a|b', '/anything/a%7Cb'],
    ['/anything/a b', '/anything/a%20b'],
    ['/anything/a%2fb c', '/anything/a/b%20c'],
    ["/anything/it's a", '/anything/it%27s%20a'],
    ['/anything/é', '/anything/%C3%A9'],
    ['/anything/a\\b', '/anything/a%5Cb'],
    ['/anything/[x]', '/anything/[x]'],
    ["/x?q='a|b", "/x?q='a|b"],
    ['/x?q=%zz', '/x?q=%zz'],
    ['/x?', '/x?'],
    ['/x?a=1#frag', '/x?a=1'],
    ['', '/'],
    ['?x=1', '/?x=1'],
  ])('sends %s as k6 sends it', (text, sent) => {
    const target = parseTarget(`http://127.0.0.1:8080${text}`);
    expect(isTarget(target) ? target.pathname + target.search : target).toBe(sent);
  });

  it.each([
    ['http://a/%zz', 1020, `${ERROR} "http://a/%zz": invalid URL escape "%zz"`],
    ['http://a b/', 1020, `${ERROR} "http://a b/": invalid character " " in host name`],
    ['http://a:b/', 1020, `${ERROR} "http://a:b/": invalid port ":b" after host`],
    [' http://a/', 1020, `${ERROR} " http://a/": first path segment in URL cannot contain colon`],
    ['http://us er@a/', 1020, `${ERROR} "http://us er@a/": net/url: invalid userinfo`],
    ['http:///x', 1000, 'http: no Host in request URL'],
    ['http://a:99999/', 1210, 'dial tcp: address 99999: invalid port'],
    ['http://127.1/', 1101, 'lookup: no such host'],
    ['ftp://a/', 1000, 'unsupported protocol scheme "ftp"'],
    ['/a', 1000, 'unsupported protocol scheme ""'],
  ])('says of %s what k6 says', (text, errorCode, error) => {
    expect(parseTarget(text)).toMatchObject({ errorCode, error: expect.stringContaining(error) });
  });

  it('agrees on texts of the characters that matter', () => {
    const random = sessionRandom(11, 0);
    const pieces = [
      '/',
      '.',
      '..',
      '%',
      '%2e',
      '?',
      '&',
      '=',
      '#',
      'a',
      'Z',
      '0',
      '-',
      '_',
      '~',
      ',',
      "'",
      ' ',
      'ü',
      '\\',
      '+',
      '"',
    ];
    const servers = ['http://127.0.0.1:1234', 'https://a.example', 'http://a.example:80'];
    const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
    const found: string[] = [];
    for (let i = 0; i < 3000; i++) {
      let text = `${pick(servers)}/`;
      for (let n = Math.floor(random() * 8); n > 0; n--) text += pick(pieces);
      found.push(...differences(text));
    }
    expect(found).toEqual([]);
  });

  it('refuses what is no target', () => {
    for (const text of [
      '',
      'shop.example/a',
      '/a',
      'ftp://shop.example/a',
      'http://',
      'http://a b/c',
      'http://a:99999/b',
    ]) {
      expect(isTarget(parseTarget(text)), text).toBe(false);
    }
  });

  it('reads what refers to another target', () => {
    const base = parseTarget('http://shop.example/a/b?c=1');
    if (!isTarget(base)) throw new Error('no target');
    expect(redirectTarget('../d', base)).toMatchObject({ href: 'http://shop.example/d' });
    expect(redirectTarget('//other.example/e', base)).toMatchObject({ href: 'http://other.example/e' });
    expect(redirectTarget('?x', base)).toMatchObject({ href: 'http://shop.example/a/b?x' });
    expect(redirectTarget('ftp://x/', base)).toMatchObject({ error: 'unsupported protocol scheme "ftp"' });
  });

  it('names a target without its password', () => {
    const target = parseTarget('http://user:secret@shop.example/');
    if (!isTarget(target)) throw new Error('no target');
    expect(nameOf(target)).toBe('http://****:****@shop.example/');
  });
});
