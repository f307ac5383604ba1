/** The quick way to read a URL gives what `URL` gives, or leaves it to `URL`. */
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../../lib/model/random.ts';
import { isTarget, nameOf, parseTarget, redirectTarget } from '../../../../tools/engine/http/target.ts';

const PARTS = ['href', 'origin', 'protocol', 'hostname', 'port', 'username', 'password', 'pathname', 'search'] as const;

/** Parts in which a text is not read as `URL` reads it. */
function differences(text: string): string[] {
  const target = parseTarget(text);
  if (!isTarget(target)) return [`${text}: ${target.error}`];
  const url = new URL(text);
  return PARTS.filter((part) => target[part] !== url[part]).map((part) => `${part} of ${text}: ${target[part]}`);
}

describe('parseTarget', () => {
  it.each([
    'http://127.0.0.1:8080/api/books/978-3-16-148410-0',
    'http://127.0.0.1:8080/api/books?category=a%20b&page=2',
    'http://127.0.0.1:80/default/port',
    'https://shop.example/a.b/c',
    'https://shop.example:443/x',
    'http://SHOP.example/Case',
    'http://shop.example',
    'http://shop.example/',
    'http://shop.example?only=query',
    'http://shop.example/a?',
    'http://shop.example/a?b?c',
    'http://shop.example/a#b',
    'http://shop.example/./a/../b/.hidden/..',
    'http://shop.example/%2e%2e/a/%41',
    'http://shop.example/a b/ü',
    "http://shop.example/a?b='c'",
    'http://user:secret@shop.example/a',
    'http://shop.example@other.example/a',
    'http://127.1/a',
    'http://0x7f.0.0.1/a',
    'http://[::1]:8080/a',
    'http://shop.example\\a',
    'http:///shop.example/a',
    ' http://shop.example/a ',
    'HTTP://shop.example/a',
  ])('%s', (text) => expect(differences(text)).toEqual([]));

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
    expect(nameOf(target)).toBe('http://****:****@shop.example');
  });
});
