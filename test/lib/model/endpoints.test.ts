import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type BodyOf,
  type EndpointEntry,
  goodBody,
  goodStatus,
  type NeedsParameters,
  type ParametersOf,
  type ParameterValue,
  readEndpoint,
  readEndpoints,
} from '../../../lib/model/endpoints.ts';

describe('an entry of the endpoint table', () => {
  it.each([
    ['POST /v1/login', 'POST /v1/login', ['/v1/login'], []],
    ['GET /issues/{id}', 'GET /issues/{id}', ['/issues/', 'id', ''], []],
    ['PUT /a/{x}-{y}.json', 'PUT /a/{x}-{y}.json', ['/a/', 'x', '-', 'y', '.json'], []],
    ['GET /issues?status&cursor', 'GET /issues', ['/issues'], ['status', 'cursor']],
    ['GET /books?search={term}&page', 'GET /books?search=', ['/books?search=', 'term', ''], ['page']],
    ['GET /books?page&search={term}', 'GET /books?search=', ['/books?search=', 'term', ''], ['page']],
    ['GET /a?x={x}&y={y}', 'GET /a?x=', ['/a?x=', 'x', '&y=', 'y', ''], []],
    ['GET /export?format=csv', 'GET /export?format=', ['/export?format=csv'], []],
  ])('%s is named %s', (request, name, path, optional) => {
    expect(readEndpoint('key', request)).toMatchObject({ key: 'key', name, path, optional });
  });

  it('has every 2xx for good, keeps text, follows nothing and is not cacheable unless it says so', () => {
    expect(readEndpoint('a', 'GET /a')).toEqual({
      ...{ key: 'a', name: 'GET /a', method: 'GET', template: '/a', path: ['/a'], optional: [] },
      ...{ expected: [], body: 'text', redirects: 0, cacheable: false },
    });
    const entry: EndpointEntry = {
      request: 'PATCH /a/{id}',
      ...{ expect: [200, 304], contains: '"{id}"', redirects: 1, cacheable: true, timeout: 2 },
      ...{ headers: { 'X-A': '1' }, example: { id: 1 } },
    };
    expect(readEndpoint('a', entry)).toMatchObject({
      ...{ expected: [200, 304], contains: ['"', 'id', '"'], redirects: 1, cacheable: true, timeout: 2 },
      ...{ headers: { 'X-A': '1' }, example: { id: 1 } },
    });
  });

  it.each<[EndpointEntry | string, string]>([
    ['/a', 'give a method and a path'],
    ['GET', 'give a method and a path'],
    ['get /a', 'give a method and a path'],
    ['GET a', 'give a method and a path'],
    ['GET http://host/a', 'give a method and a path'],
    ['GET /a b', 'give a method and a path'],
    ['GET /a#b', 'give a method and a path'],
    ['FETCH /a', 'the method must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['GET /a,b', 'comma'],
    ['GET /a?b="', 'quote'],
    ['GET /{}', 'a placeholder is a name in braces'],
    ['GET /{a b}', 'give a method and a path'],
    ['GET /{a', 'a placeholder is a name in braces'],
    ['GET /{a}}', 'a placeholder is a name in braces'],
    ['GET /a?{x}', 'a query key takes a placeholder as in ?search={term}'],
    [{ request: 'GET /a', expect: [20] }, 'expect lists statuses from 100 to 599'],
    [{ request: 'GET /a', expect: [200.5] }, 'expect lists statuses'],
    [{ request: 'GET /a/{id}', contains: '{key}' }, 'contains speaks of {key}, which the request does not have'],
    [{ request: 'GET /a', contains: 'a', body: 'none' }, 'contains looks into a text'],
    [{ request: 'GET /a', contains: 'a', body: 'binary' }, 'contains looks into a text'],
  ])('%j is refused', (entry, sentence) => {
    const request = typeof entry === 'string' ? entry : entry.request;
    expect(() => readEndpoint('key', entry)).toThrow(`endpoint key "${request}": `);
    expect(() => readEndpoint('key', entry)).toThrow(sentence);
  });

  it('of a name that another has is refused, since no sample could tell them apart', () => {
    const twice = { one: 'GET /a?x', two: { request: 'GET /a' } };
    expect(() => readEndpoints(twice)).toThrow('endpoints one and two are both "GET /a": one entry is enough');
    const apart = { one: 'GET /a', two: 'GET /a?x={x}', three: 'POST /a' };
    expect(readEndpoints(apart).map(({ key }) => key)).toEqual(['one', 'two', 'three']);
  });

  it('has a good answer as far as it says', () => {
    const value = (name: string) => `<${name}>`;
    const body = (entry: EndpointEntry) => goodBody(readEndpoint('a', entry), value);
    expect(body({ request: 'GET /{id}' })).toBe('');
    expect(body({ request: 'GET /{id}', contains: '"{id}"' })).toBe('"<id>"');
    expect(body({ request: 'GET /{id}', example: { a: 1 } })).toBe('{"a":1}');
    expect(body({ request: 'GET /{id}', example: '[1]' })).toBe('[1]');
    expect(goodStatus(readEndpoint('a', 'GET /a'))).toBe(200);
    expect(goodStatus(readEndpoint('a', { request: 'GET /a', expect: [204, 404] }))).toBe(204);
  });
});

// Held by the compiler, not by the run.
describe('types of parameters', () => {
  it('ask for placeholders, allow optional query keys, and nothing else', () => {
    type Issue = ParametersOf<'GET /p/{project}/issues?status&cursor'>;
    expectTypeOf<{ project: string }>().toExtend<Issue>();
    expectTypeOf<{ project: number; cursor: undefined }>().toExtend<Issue>();
    expectTypeOf<{ status: string }>().not.toExtend<Issue>();
    expectTypeOf<keyof Issue>().toEqualTypeOf<'project' | 'status' | 'cursor'>();
    expectTypeOf<Issue['project']>().toEqualTypeOf<ParameterValue>();
  });

  it('take a required query key for its placeholder', () => {
    expectTypeOf<keyof ParametersOf<{ request: 'GET /a?search={term}&page' }>>().toEqualTypeOf<'term' | 'page'>();
    expectTypeOf<keyof ParametersOf<'GET /export?format=csv'>>().toEqualTypeOf<never>();
  });

  it('tell whether a call can go without, and what is kept of the body', () => {
    expectTypeOf<NeedsParameters<'GET /a?x'>>().toEqualTypeOf<false>();
    expectTypeOf<NeedsParameters<'GET /a/{x}'>>().toEqualTypeOf<true>();
    expectTypeOf<BodyOf<'GET /a'>>().toEqualTypeOf<'text'>();
    expectTypeOf<BodyOf<{ request: 'GET /a'; body: 'binary' }>>().toEqualTypeOf<'binary'>();
  });
});
