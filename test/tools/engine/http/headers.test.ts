/** Which headers go on after a redirect, and which stay behind. */

import { describe, expect, it } from 'vitest';
import {
  canonical,
  firstHeaders,
  redirectedHeaders,
  staysBehind,
  wireHeaders,
} from '../../../../tools/engine/http/headers.ts';
import { isTarget, parseTarget } from '../../../../tools/engine/http/target.ts';

const at = (href: string) => {
  const target = parseTarget(href);
  if (!isTarget(target)) throw new Error(target.error);
  return target;
};
const FIRST = { Authorization: 's', Cookie: 'c', 'Content-Type': 't', Host: 'h', 'X-A': '1' };
const hop = (from: string, to: string, more = {}) => ({
  first: at(from),
  from: at(from),
  to: at(to),
  keepsHost: true,
  stripped: false,
  withBody: true,
  ...more,
});

describe('credentials', () => {
  it.each([
    ['the same host', 'http://shop.test/b', false],
    ['another port of it', 'http://shop.test:81/', false],
    ['a name below it', 'http://a.shop.test/', false],
    ['another host', 'http://other.test/', true],
    ['a name that ends like it', 'http://myshop.test/', true],
    ['the name above it', 'http://test/', true],
    ['an address', 'http://127.0.0.1/', true],
  ])('on the way to %s (%s) stay behind: %s', (_, to, stay) => {
    const way = hop('http://shop.test/a', to);
    expect(staysBehind(way)).toBe(stay);
    expect(redirectedHeaders(FIRST, way)['Authorization']).toBe(stay ? undefined : 's');
  });

  it('do not come back once they stayed behind', () => {
    expect(staysBehind(hop('http://shop.test/', 'http://shop.test/', { stripped: true }))).toBe(true);
  });
});

describe('headers after a redirect', () => {
  it('lose the cookies, which are chosen anew, and what speaks of a body that is gone', () => {
    const way = hop('http://shop.test/', 'http://shop.test/b', { withBody: false, keepsHost: false });
    expect(redirectedHeaders(FIRST, way)).toEqual({ Authorization: 's', 'X-A': '1', Referer: 'http://shop.test/' });
  });

  it('name the page before, without its password, and not from TLS to plain HTTP', () => {
    expect(redirectedHeaders({}, hop('http://u:p@shop.test/', 'http://shop.test/'))).toEqual({
      Referer: 'http://shop.test/',
    });
    expect(redirectedHeaders({}, hop('https://shop.test/', 'http://shop.test/'))).toEqual({});
    expect(redirectedHeaders({ Referer: 'mine' }, hop('http://shop.test/', 'http://shop.test/'))).toEqual({
      Referer: 'mine',
    });
  });
});

describe('the first headers', () => {
  it('are written as Go writes them, and the script has the last word on all but the length', () => {
    expect(canonical('x-request-ID')).toBe('X-Request-Id');
    expect(firstHeaders({ 'content-type': 'a/b', 'content-LENGTH': '5' }, 'agent', 'text/plain')).toEqual({
      'User-Agent': 'agent',
      'Content-Type': 'a/b',
    });
  });

  it('carry the credentials of the URL, unescaped', () => {
    // base64 of "u@x:p:w" by RFC 4648.
    expect(wireHeaders({}, at('http://u%40x:p%3Aw@shop.test/'))).toEqual({ Authorization: 'Basic dUB4OnA6dw==' });
    expect(wireHeaders({ Authorization: 'mine' }, at('http://u:p@shop.test/'))).toEqual({ Authorization: 'mine' });
  });
});
