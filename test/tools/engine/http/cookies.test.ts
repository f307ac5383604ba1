/** What conformance cannot show of cookies: the clock of a rehearsal, names above the host, and what a jar leaves behind. */
import { describe, expect, it } from 'vitest';
import { type Cookie, cookieJar, cookieText, readSetCookies } from '../../../../tools/engine/http/cookies.ts';

const PLAIN = { value: '1', domain: '', path: '', secure: false, httpOnly: false, maxAge: 0, expires: undefined };
const cookie = (name: string, more: Partial<Cookie> = {}): Cookie => ({ ...PLAIN, name, ...more });
const at = (href: string) => new URL(href);
const names = (pairs: readonly (readonly [string, string])[]) => pairs.map(([name]) => name);

describe('a cookie jar', () => {
  it('lets cookies age by the clock that it is told', () => {
    const jar = cookieJar();
    const url = at('http://shop.test/');
    jar.store(url, [cookie('age', { maxAge: 10 }), cookie('date', { expires: 5000 }), cookie('session')], 1000);
    expect(names(jar.pairs(url, 1000))).toEqual(['age', 'date', 'session']);
    // Being sent does not lengthen its life: 1,000 ms + 10 s.
    expect(names(jar.pairs(url, 5000))).toEqual(['age', 'session']);
    expect(names(jar.pairs(url, 10_999))).toEqual(['age', 'session']);
    expect(names(jar.pairs(url, 11_000))).toEqual(['session']);
  });

  it.each([
    ['its own name', 'a.shop.com', true],
    ['the name above', 'shop.com', true],
    ['the name above with a dot', '.shop.com', true],
    ['a public suffix, as k6 has no list of them', 'com', true],
    ['a name beside it', 'b.shop.com', false],
    ['a name that only ends like it', 'op.com', false],
    ['a foreign name', 'example.com', false],
    ['two dots', '..shop.com', false],
    ['a dot at the end', 'shop.com.', false],
  ])('takes a Domain of %s: %s', (_, domain, isTaken) => {
    const jar = cookieJar();
    const url = at('http://a.shop.com/');
    jar.store(url, [cookie('x', { domain })], 0);
    expect(jar.pairs(url, 0)).toHaveLength(isTaken ? 1 : 0);
  });

  it('sends the cookies of a domain to the names below it, and those of a host to itself', () => {
    const jar = cookieJar();
    jar.store(at('http://a.shop.test/'), [cookie('all', { domain: 'shop.test' }), cookie('own')], 0);
    expect(names(jar.pairs(at('http://b.shop.test/'), 0))).toEqual(['all']);
    expect(names(jar.pairs(at('http://x.a.shop.test/'), 0))).toEqual(['all']);
    expect(names(jar.pairs(at('http://a.shop.test/'), 0))).toEqual(['all', 'own']);
  });

  it('keeps a secure cookie from plain HTTP, but for the machine itself', () => {
    const jar = cookieJar();
    for (const host of ['shop.test', '127.0.0.1']) {
      jar.store(at(`https://${host}/`), [cookie('x', { secure: true })], 0);
    }
    expect(jar.pairs(at('http://shop.test/'), 0)).toHaveLength(0);
    expect(jar.pairs(at('https://shop.test/'), 0)).toHaveLength(1);
    expect(jar.pairs(at('http://127.0.0.1/'), 0)).toHaveLength(1);
  });

  it('comes back from its text as it was', () => {
    const jar = cookieJar();
    const url = at('http://shop.test/a/b');
    jar.store(url, [cookie('z'), cookie('y'), cookie('x', { path: '/a/b', maxAge: 1 })], 0);
    const again = cookieJar(jar.text());
    expect(again.pairs(url, 0)).toEqual(jar.pairs(url, 0));
    expect(names(again.pairs(url, 1000))).toEqual(['z', 'y']);
    expect(cookieJar(cookieJar().text()).pairs(url, 0)).toEqual([]);
  });

  it('is empty once cleared', () => {
    const jar = cookieJar();
    jar.store(at('http://shop.test/'), [cookie('x')], 0);
    jar.clear();
    expect(jar.pairs(at('http://shop.test/'), 0)).toEqual([]);
  });
});

describe('cookies as text', () => {
  it('are read as RFC 6265 has them, and nothing else is one', () => {
    const lines = ['a="b c"; Path=/x; Domain=.Shop.test; Secure; HttpOnly; Max-Age=60', 'no cookie', 'b=\u00e4', '=c'];
    expect(readSetCookies(lines)).toEqual([
      {
        name: 'a',
        value: 'b c',
        domain: '.Shop.test',
        path: '/x',
        secure: true,
        httpOnly: true,
        maxAge: 60,
        expires: undefined,
      },
    ]);
  });

  it('hold no character that could end them', () => {
    expect(cookieText(['a\r\nb', 'x;y"z\\\n'])).toBe('a--b=xyz');
    expect(cookieText(['a', 'x y'])).toBe('a="x y"');
  });
});
