import { describe, expect, it } from 'vitest';
import { checkHosts, checkProxy, checkRedirects, checkTarget, hostOf, withoutUser } from '../../../lib/plan/target.ts';

describe('the host of a URL', () => {
  it.each([
    ['http://localhost:8080', 'localhost'],
    ['HTTP://LocalHost/api', 'localhost'],
    ['https://127.0.0.1', '127.0.0.1'],
    ['http://[::1]:80/x', '[::1]'],
    ['http://127.0.0.1@shop.example/', 'shop.example'],
    ['http://user:pw@shop.example:81?x', 'shop.example'],
    ['http://127.0.0.1.shop.example', '127.0.0.1.shop.example'],
    ['http://shop.example#@127.0.0.1', 'shop.example'],
  ])('of %s is %s', (url, host) => expect(hostOf(url)).toBe(host));

  it.each(['', 'localhost', 'ftp://localhost', 'http://', 'http:///x', 'http://a b', 'http://\\evil', 'http://a:b:c'])(
    '%j has none',
    (url) => expect(hostOf(url)).toBeUndefined(),
  );
});

describe('the target', () => {
  it.each([
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://localhost@evil.example',
    'http://10.0.0.1',
  ])('%s is no loopback and must be named twice', (url) => {
    const host = hostOf(url) as string;
    expect(() => checkTarget(url, '')).toThrow(`add -e ALLOW_TARGET=${host}`);
    expect(() => checkTarget(url, 'other.example')).toThrow('ALLOW_TARGET');
    expect(() => checkTarget(url, host.toUpperCase())).not.toThrow();
  });
  it.each([
    'http://127.999.999.999',
    'http://127.000.000.001',
    'http://127.1',
    'http://127.0.0.256',
    'http://0177.0.0.1',
  ])('%s is no dotted quad of the loopback network', (url) =>
    expect(() => checkTarget(url, '')).toThrow('ALLOW_TARGET'),
  );
  it.each(['http://localhost?x', 'http://localhost/api?', 'http://127.0.0.1#', 'http://localhost/#/x'])(
    '%s has a query or fragment',
    (url) => expect(() => checkTarget(url, '')).toThrow(`BASE_URL=${url} is not valid: paths are added to its end`),
  );
  it('on loopback needs no permission', () => {
    for (const url of [
      'http://localhost',
      'http://127.8.9.1:1',
      'http://127.255.0.255',
      'https://[::1]',
      'http://[::1]:80/x',
    ])
      checkTarget(url, '');
  });
});

describe('k6’s option hosts', () => {
  const HOME = 'http://127.0.0.1:8080/api';

  it.each([
    ['the target', { '127.0.0.1': '127.0.0.2' }],
    ['the target at a port', { '127.0.0.1:8080': '127.0.0.2:9' }],
    ['a pattern that holds it', { '*.0.0.1': '127.0.0.2' }],
    ['every host', { '*': '127.0.0.2' }],
  ])('must not send what is meant for %s to a host that nobody named', (_, hosts) => {
    expect(() => checkHosts(HOME, hosts, '')).toThrow(
      'the option hosts sends what is meant for 127.0.0.1 to 127.0.0.2, which nobody named',
    );
    expect(() => checkHosts(HOME, hosts, '127.0.0.3')).toThrow('which nobody named');
    expect(() => checkHosts(HOME, hosts, '127.0.0.2')).not.toThrow();
  });

  it.each([{ '*1': '127.0.0.2' }, { '::1': '127.0.0.2' }, { '*': '127.0.0.2:9' }])(
    'must not lead an IPv6 target elsewhere, whose address k6 knows without brackets: %j',
    (hosts) => {
      expect(() => checkHosts('http://[::1]:80', hosts, '')).toThrow('what is meant for ::1 to 127.0.0.2');
      expect(() => checkHosts('http://[::1]:80', { '::1': '[::1]:81' }, '')).not.toThrow();
    },
  );

  it('may do what it likes with other hosts, and name the target’s own port', () => {
    for (const hosts of [
      undefined,
      null,
      {},
      { 'shop.example': '127.0.0.2' },
      { '*.example': '127.0.0.2' },
      { '127.0.0.1': '127.0.0.1:9' },
    ]) {
      expect(() => checkHosts(HOME, hosts, '')).not.toThrow();
    }
  });

  it('has a remedy that works: ALLOW_TARGET beside loopback, BASE_URL where that names a foreign host already', () => {
    expect(() => checkHosts(HOME, { '*': '10.0.0.1' }, '')).toThrow('or add -e ALLOW_TARGET=10.0.0.1');
    expect(() => checkTarget(HOME, '10.0.0.1')).not.toThrow();
    expect(() => checkHosts('http://shop.example', { '*': '10.0.0.1' }, 'shop.example')).toThrow(
      'or name 10.0.0.1 in BASE_URL',
    );
    expect(() => checkTarget('http://10.0.0.1', '10.0.0.1')).not.toThrow();
  });

  it('is read without regard to case', () => {
    expect(() => checkHosts('http://Shop.example', { 'SHOP.example': 'Else.example' }, '')).toThrow('to else.example');
    expect(() => checkHosts('http://Shop.example', { '*.EXAMPLE': 'shop.EXAMPLE:81' }, '')).not.toThrow();
  });
});

describe('k6’s option maxRedirects', () => {
  it('must be the 0 of the plan, since k6 follows to any host', () => {
    for (const value of [0, undefined, null]) expect(() => checkRedirects(value)).not.toThrow();
    for (const value of [1, 10]) expect(() => checkRedirects(value)).toThrow(`k6 is told to follow ${value} redirects`);
  });
});

describe('user and password of a target', () => {
  it.each([
    ['http://u:geheim@h:8080/x', 'http://h:8080/x'],
    ['https://u:ge@heim@h', 'https://h'],
    ['http://h/a@b', 'http://h/a@b'],
  ])('%s is shown as %s', (url, shown) => {
    expect(withoutUser(url)).toBe(shown);
  });

  it('stand in no refusal', () => {
    for (const url of ['http://u:geheim@h?x', 'http://u:geheim@h:x:y', 'http://u:geheim@foreign']) {
      expect(() => checkTarget(url, '')).toThrow(/^BASE_URL(?!.*geheim)/);
    }
  });
});

describe('a proxy of the environment', () => {
  const SHOP = 'http://shop.test/base';
  it.each([
    [SHOP, { HTTP_PROXY: 'http://127.0.0.2:3128' }, '127.0.0.2'],
    [SHOP, { http_proxy: 'proxy.test:8080' }, 'proxy.test'],
    ['https://shop.test', { HTTPS_PROXY: 'http://u:secret@proxy.test' }, 'proxy.test'],
    [SHOP, { HTTP_PROXY: 'http://proxy.test', NO_PROXY: 'other.test' }, 'proxy.test'],
  ])('that gets what is meant for %s is refused: %j', (url, env, through) => {
    expect(() => checkProxy(url, env)).toThrow(`through ${through}, which nobody named`);
    expect(() => checkProxy(url, env)).not.toThrow('secret');
  });

  it.each([
    ['http://127.0.0.1:3000', { HTTP_PROXY: 'http://127.0.0.2:3128' }],
    [SHOP, { HTTPS_PROXY: 'http://proxy.test' }],
    [SHOP, { HTTP_PROXY: '' }],
    [SHOP, { HTTP_PROXY: 'http://shop.test:8080' }],
    [SHOP, { HTTP_PROXY: 'http://proxy.test', NO_PROXY: 'a.test, shop.test' }],
    ['http://api.shop.test', { HTTP_PROXY: 'http://proxy.test', NO_PROXY: '.shop.test' }],
    [SHOP, { HTTP_PROXY: 'http://proxy.test', no_proxy: '*' }],
  ])('that does not is none of our business: %s %j', (url, env) => {
    expect(() => checkProxy(url, env)).not.toThrow();
  });
});
