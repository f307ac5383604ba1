import { beforeEach, describe, expect, it } from 'vitest';
import { virtualUser } from '../../support/fake-k6/api.ts';
import { failedChecks, valuesOf } from '../../support/fake-k6/session.ts';
import { fake, resetFake } from '../../support/fake-k6/state.ts';

beforeEach(resetFake);

const endpoints = {
  old: { request: 'GET /old/{id}?page', redirects: 2, headers: { 'X-A': '1' } },
  post: { request: 'POST /old', redirects: 2, expect: [200, 201] },
  plain: 'GET /plain',
} as const;

/** URLs after the first, where `/old` leads to `location` and everything else answers 200. */
function followed(location: string, base = 'http://127.0.0.1:8080/v1', page?: string): string[] {
  resetFake();
  fake.answer = ({ url }) =>
    url.includes('/old') ? { status: 302, headers: { Location: location } } : { status: 200 };
  virtualUser({ endpoints, env: { BASE_URL: base } })(({ call }) => call('old', { id: 1, page }));
  expect(valuesOf('flow_errors')).toEqual([false]);
  return fake.sent.slice(1).map(({ url }) => url);
}

describe('a redirect', () => {
  it.each([
    ['http://127.0.0.1:8080/new', 'http://127.0.0.1:8080/new'],
    ['//127.0.0.1:8080/new', 'http://127.0.0.1:8080/new'],
    ['/new?to=http://evil.example/', 'http://127.0.0.1:8080/new?to=http://evil.example/'],
    ['new', 'http://127.0.0.1:8080/v1/old/new'],
    ['new?to=http://evil.example/', 'http://127.0.0.1:8080/v1/old/new?to=http://evil.example/'],
    ['?page=2', 'http://127.0.0.1:8080/v1/old/1?page=2'],
  ])('to %s, on the host that was named, is followed', (location, url) => {
    // What leads to /old again is stopped by the number of hops, see below.
    expect(followed(location)[0]).toBe(url);
  });

  it('is resolved against the page, not what stands in its query', () => {
    expect(followed('new', undefined, 'a/b')[0]).toBe('http://127.0.0.1:8080/v1/old/new');
    expect(followed('?page=2', undefined, 'a')[0]).toBe('http://127.0.0.1:8080/v1/old/1?page=2');
  });

  it.each([
    'http://127.0.0.2:8080/new',
    '//127.0.0.2:8080/new',
    '//evil.example',
    'https://127.0.0.1:8080/new',
    'http://127.0.0.1:8081/new',
    'http://127.0.0.1/new',
    'http://127.0.0.1:8080@evil.example/new',
    'http://user:pw@127.0.0.1:8080/new',
    'http://evil.example#@127.0.0.1:8080/',
    'http://evil.example?127.0.0.1:8080/',
    'http://evil.example\\@127.0.0.1:8080/',
    'http://127.0.0.1:8080.evil.example/new',
    'http:///evil.example/new',
    'ftp://127.0.0.1:8080/new',
    'HTTP://EVIL.example/',
  ])('to %s is not: the 3xx answer is what is measured, and its check fails', (location) => {
    expect(followed(location)).toEqual([]);
    expect(valuesOf('duration_3xx')).toHaveLength(1);
    expect(failedChecks()).toEqual(['GET /old/{id}: status 2xx']);
  });

  it.each(['/\\evil.example/new', '\\\\evil.example/new', 'http:evil.example'])(
    'to %s, which some take for another host, stays on this one',
    (location) => {
      for (const url of followed(location)) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:8080\/./);
    },
  );

  it('of an endpoint that does not ask for it is not followed', () => {
    fake.answer = () => ({ status: 301, headers: { Location: '/new' } });
    virtualUser({ endpoints })(({ call }) => call('plain'));
    expect(fake.sent).toHaveLength(1);
  });

  it('is followed as often as the endpoint says, and measured at its end', () => {
    fake.answer = () => ({ status: 302, headers: { Location: '/again' } });
    virtualUser({ endpoints })(({ call }) => call('old', { id: 1 }));
    expect(fake.sent.map(({ url }) => url)).toEqual(['http://h/v1/old/1', 'http://h/again', 'http://h/again']);
    expect(valuesOf('duration_3xx')).toHaveLength(1);
    expect(fake.checks).toHaveLength(1);
    // All under one name, with the endpoint's headers.
    expect(new Set(fake.sent.map(({ params }) => JSON.stringify(params))).size).toBe(1);
  });

  it.each([
    [301, 'GET', null],
    [303, 'GET', null],
    [307, 'POST', '{"a":1}'],
    [308, 'POST', '{"a":1}'],
  ])('with %d after a POST asks with %s', (status, method, body) => {
    fake.answer = ({ url }) => (url.endsWith('/old') ? { status, headers: { Location: '/new' } } : { status: 200 });
    virtualUser({ endpoints })(({ call }) => call('post', {}, { json: { a: 1 } }));
    expect([fake.sent[1]?.method, fake.sent[1]?.body ?? null]).toEqual([method, body]);
    expect(failedChecks()).toEqual([]);
  });

  it('without a place is an answer like others', () => {
    fake.answer = () => ({ status: 304 });
    virtualUser({ endpoints })(({ call }) => call('old', { id: 1 }));
    expect(fake.sent).toHaveLength(1);
  });
});
