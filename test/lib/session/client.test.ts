import { beforeEach, describe, expect, it, vi } from 'vitest';
import { virtualUser } from '../../support/fake-k6/api.ts';
import { failedChecks, valuesOf } from '../../support/fake-k6/session.ts';
import { fake, resetFake } from '../../support/fake-k6/state.ts';

beforeEach(resetFake);

const last = () => fake.sent[fake.sent.length - 1];
const headers = () => fake.sent.map(({ params }) => params.headers ?? {});

describe('a request', () => {
  const endpoints = {
    issues: 'GET /projects/{project}/issues?status&cursor',
    search: 'GET /issues?q={text}&page',
    export: 'GET /export?format=csv',
    patch: 'PATCH /issues/{id}',
    remove: 'DELETE /issues/{id}',
    head: 'HEAD /issues/{id}',
  } as const;

  it('has its parameters encoded, and the query keys that were given, in the order of the table', () => {
    virtualUser({ endpoints })(({ call }) => {
      call('issues', { project: 'a/b ä' });
      call('issues', { cursor: '1&2', project: 'p', status: undefined });
      call('issues', { cursor: 3, status: 'open', project: 'p' });
      call('search', { text: '50 % = ?' });
      call('search', { text: 'x', page: 2 });
      call('export');
    });
    expect(fake.sent.map(({ url }) => url)).toEqual([
      'http://h/v1/projects/a%2Fb%20%C3%A4/issues',
      'http://h/v1/projects/p/issues?cursor=1%262',
      'http://h/v1/projects/p/issues?status=open&cursor=3',
      'http://h/v1/issues?q=50%20%25%20%3D%20%3F',
      'http://h/v1/issues?q=x&page=2',
      'http://h/v1/export?format=csv',
    ]);
  });

  it('whose answer before held no value for it is not sent, and a query key without one is left out', () => {
    for (const id of [undefined, null]) {
      virtualUser({ endpoints })(({ call }) => {
        expect(() => call('patch', { id: id as never })).toThrow('PATCH /issues/{id}: {id} has no value');
      });
    }
    virtualUser({ endpoints })(({ call }) => call('issues', { project: 'p', cursor: null as never }));
    expect(fake.sent.map(({ url }) => url)).toEqual(['http://h/v1/projects/p/issues']);
  });

  it('is tagged with the endpoint’s name, never with what was asked for', () => {
    virtualUser({ endpoints })(({ call }) => call('search', { text: 'x' }));
    expect(last()?.params.tags).toEqual({ name: 'GET /issues?q=' });
  });

  it('has the method of its endpoint', () => {
    virtualUser({ endpoints })(({ call }) => {
      call('patch', { id: 1 }, { json: { status: 'closed' } });
      call('remove', { id: 1 });
      call('head', { id: 1 });
      call('export');
    });
    expect(fake.sent.map(({ method }) => method)).toEqual(['PATCH', 'DELETE', 'HEAD', 'GET']);
  });

  it('carries a JSON value with its Content-Type, a form or a body as they are, or nothing', () => {
    virtualUser({ endpoints })(({ call }) => {
      call('patch', { id: 1 }, { json: { a: [1, 'ä'] } });
      call('patch', { id: 1 }, { json: null });
      call('patch', { id: 1 }, { form: { a: 1 } });
      call('patch', { id: 1 }, { body: 'text' });
      call('patch', { id: 1 });
    });
    expect(fake.sent.map(({ body }) => body ?? null)).toEqual(['{"a":[1,"ä"]}', 'null', { a: 1 }, 'text', null]);
    const json = { 'Content-Type': 'application/json' };
    expect(headers()).toEqual([json, json, {}, {}, {}]);
  });

  it('waits as long as its endpoint says, else as TIMEOUT does; k6’s own minute need not be said', () => {
    const slow = { ...endpoints, export: { request: 'GET /export', timeout: 120 } };
    virtualUser({ endpoints: slow })(({ call }) => void [call('export'), call('patch', { id: 1 })]);
    virtualUser({ endpoints: slow, env: { TIMEOUT: '2s' } })(
      ({ call }) => void [call('export'), call('patch', { id: 1 })],
    );
    expect(fake.sent.map(({ params }) => params.timeout)).toEqual([120_000, undefined, 120_000, 2000]);
  });

  it('keeps of the body what its endpoint says', () => {
    const kinds = {
      text: 'GET /a',
      binary: { request: 'GET /b', body: 'binary' },
      none: { request: 'GET /c', body: 'none' },
    } as const;
    virtualUser({ endpoints: kinds })(({ call }) => void [call('text'), call('binary'), call('none')]);
    expect(fake.sent.map(({ params }) => params.responseType)).toEqual([undefined, 'binary', 'none']);
  });

  it('carries cookies unless the suite says off: then each has an empty jar', () => {
    virtualUser({ endpoints })(({ call }) => call('export'));
    expect(last()?.params).not.toHaveProperty('jar');
    // What the build sets for such a suite.
    vi.stubGlobal('USES_NO_COOKIES', true);
    virtualUser({ endpoints })(({ call }) => call('export'));
    vi.unstubAllGlobals();
    expect(last()?.params.jar).toEqual({});
  });
});

describe('headers', () => {
  const endpoints = {
    plain: 'GET /a',
    post: 'POST /b',
    own: { request: 'PATCH /c', headers: { 'Content-Type': 'application/merge-patch+json', 'X-Own': 'endpoint' } },
  };
  const suite = {
    headers: { 'X-Tenant': '{TENANT}', 'X-Own': 'suite' },
    variables: { TENANT: { kind: 'text', default: 'acme', help: '' } },
  } as const;

  it('of the suite go with every request, with the value of a variable', () => {
    virtualUser({ endpoints, suite })(({ call }) => void [call('plain'), call('post', {}, { json: 1 })]);
    virtualUser({ endpoints, suite, env: { TENANT: 'b' } })(({ call }) => call('plain'));
    expect(headers()).toEqual([
      { 'X-Tenant': 'acme', 'X-Own': 'suite' },
      { 'X-Tenant': 'acme', 'X-Own': 'suite', 'Content-Type': 'application/json' },
      { 'X-Tenant': 'b', 'X-Own': 'suite' },
    ]);
  });

  it('that are nearer to the request win: endpoint over suite, session over suite, request over all', () => {
    virtualUser({ endpoints, suite })(({ call, header }) => {
      call('own', {}, { json: 1 });
      call('own', {}, { json: 1, headers: { 'X-Own': 'request', 'If-Match': '"1"' } });
      header('X-Own', 'session');
      call('plain');
      call('plain', {}, { headers: { 'X-Own': 'request' } });
    });
    const patch = 'application/merge-patch+json';
    expect(headers()).toEqual([
      { 'X-Tenant': 'acme', 'X-Own': 'endpoint', 'Content-Type': patch },
      { 'X-Tenant': 'acme', 'X-Own': 'request', 'Content-Type': patch, 'If-Match': '"1"' },
      { 'X-Tenant': 'acme', 'X-Own': 'session' },
      { 'X-Tenant': 'acme', 'X-Own': 'request' },
    ]);
  });

  it('of the session go with every request from there on, until they are taken back', () => {
    virtualUser({ endpoints })(({ call, header }) => {
      call('plain');
      header('X-A', '1');
      call('plain');
      call('post', {}, { json: 1 });
      header('X-A');
      call('plain');
    });
    expect(headers()).toEqual([{}, { 'X-A': '1' }, { 'X-A': '1', 'Content-Type': 'application/json' }, {}]);
  });

  it('of one session, one request or one body are not sent with the next', () => {
    const session = virtualUser({ endpoints });
    session(({ call, header }) => {
      header('Authorization', 'Bearer first');
      call('plain');
      call('post', {}, { json: 1, headers: { 'X-A': '1' } });
    });
    session(({ call }) => void [call('plain'), call('post')]);
    expect(headers().slice(2)).toEqual([{}, {}]);
  });

  it('name the session with SESSION_ID=on, by scenario, number and seed', () => {
    const session = virtualUser({ endpoints, env: { SESSION_ID: 'on', SEED: '7' } });
    session(({ call }) => void [call('plain'), call('plain')]);
    session(({ call }) => call('plain'));
    expect(headers().map((one) => one['X-Session-Id'])).toEqual(['go-0-7', 'go-0-7', 'go-1-7']);
  });
});

describe('an answer', () => {
  const endpoints = {
    any: 'GET /any',
    issue: { request: 'GET /issues/{id}', expect: [200, 304, 404] },
    edit: { request: 'PATCH /issues/{id}', expect: [200, 409] },
    holds: { request: 'GET /holds/{id}', contains: '"id":"{id}"' },
  };
  /** Calls an endpoint that answers so; gives the names of failed checks. */
  function answered(key: keyof typeof endpoints, status: number, body = '') {
    resetFake();
    fake.answer = () => ({ status, body, duration: 12.5 });
    virtualUser({ endpoints })(({ call }) => call(key, { id: 'a1' }));
    return failedChecks();
  }

  it.each([
    ['any', 200, true],
    ['any', 204, true],
    ['any', 304, false],
    ['any', 404, false],
    ['any', 500, false],
    ['any', 0, false],
    ['issue', 200, true],
    ['issue', 201, false],
    ['issue', 304, true],
    ['issue', 404, true],
    ['issue', 409, false],
    ['edit', 409, true],
  ] as const)('of %s with status %d is good: %s', (key, status, good) => {
    expect(answered(key, status)).toHaveLength(good ? 0 : 1);
    expect(fake.checks).toHaveLength(1);
    // k6 counts 4xx and 5xx as failed unless they are expected; a 3xx that is none fails only the check.
    expect(fake.sent[0]?.failed).toBe(!good && !(status >= 200 && status < 400));
  });

  it('has one check named by the endpoint and what a good answer is', () => {
    answered('any', 200);
    answered('any', 500);
    expect(fake.checks).toEqual([{ name: 'GET /any: status 2xx', held: false, tags: { name: 'GET /any' } }]);
    expect(answered('issue', 500)).toEqual(['GET /issues/{id}: status 200 or 304 or 404']);
    expect(answered('holds', 500)).toEqual(['GET /holds/{id}: status 2xx, holds "id":"{id}"']);
  });

  it('holds the text that it must, with what the request was sent with', () => {
    expect(answered('holds', 200, '{"id":"a1"}')).toEqual([]);
    expect(answered('holds', 200, '{"id":"a2"}')).toHaveLength(1);
    expect(answered('holds', 200)).toHaveLength(1);
  });

  it.each([
    [200, 'duration_2xx'],
    [304, 'duration_3xx'],
    [409, 'duration_4xx'],
    [503, 'duration_5xx'],
  ])('with status %d is measured in %s alone', (status, metric) => {
    answered('any', status);
    expect(fake.samples.filter((one) => one.metric.startsWith('duration'))).toEqual([
      { metric, value: 12.5, tags: { name: 'GET /any', status: `${status}` } },
    ]);
  });

  it('that did not come is counted with k6’s code and is no latency', () => {
    fake.answer = () => ({ status: 0, errorCode: 1050 });
    virtualUser({ endpoints })(({ call }) => call('any'));
    expect(fake.samples.filter((one) => /duration_\d|no_response/.test(one.metric))).toEqual([
      { metric: 'no_response', value: 1, tags: { name: 'GET /any', error_code: '1050' } },
    ]);
  });

  it('of a rate limiter is counted apart, unless it is expected', () => {
    answered('any', 429);
    expect(valuesOf('rate_limited')).toEqual([1]);
    fake.answer = () => ({ status: 429 });
    virtualUser({ endpoints: { slow: { request: 'GET /slow', expect: [200, 429] } } })(({ call }) => call('slow'));
    expect(valuesOf('rate_limited')).toEqual([1]);
  });

  it('is what the flow gets: status, body, headers, JSON', () => {
    fake.answer = () => ({ status: 200, body: '{"items":[{"id":"x"}]}', headers: { Etag: '"1"' } });
    virtualUser({ endpoints })(({ call }) => {
      const answer = call('any');
      expect([answer.status, answer.headers['Etag'], answer.json('items.0.id')]).toEqual([200, '"1"', 'x']);
    });
    expect(valuesOf('flow_errors')).toEqual([false]);
  });
});

describe('what a cache said', () => {
  const endpoints = { item: 'GET /items/{sku}', other: 'GET /other' };
  const tagsWith = (env: Readonly<Record<string, string>>) => {
    resetFake();
    fake.answer = ({ url }) => ({ status: 200, headers: url.endsWith('a1') ? { 'X-Cache': 'HIT' } : {} });
    virtualUser({ endpoints, env })(
      ({ call }) => void [call('item', { sku: 'a1' }), call('other'), call('item', { sku: 'b' })],
    );
    return fake.samples
      .filter(({ metric }) => metric === 'duration_2xx')
      .map(({ tags: { cache, item } }) => [cache, item]);
  };
  const NONE = [undefined, undefined];

  it('is a tag of latency samples where it is asked for, and no longer than for one answer', () => {
    expect(tagsWith({})).toEqual([NONE, NONE, NONE]);
    expect(tagsWith({ CACHE_TAG: 'on' })).toEqual([['HIT', undefined], NONE, NONE]);
    expect(tagsWith({ CACHE_TAG: 'item' })).toEqual([['HIT', 'a1'], NONE, NONE]);
  });
});
