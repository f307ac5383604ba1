/** Answers of a modelled server that knows a suite's endpoint table only. */
import { describe, expect, it } from 'vitest';
import { tableAnswers } from '../../../../tools/engine/model/table-answers.ts';
import { TICKETS } from '../../../support/built-suite.ts';

const answer = tableAnswers(TICKETS.endpoints);
const ask = (line: string, name = 'other') => {
  const [method = '', target = ''] = line.split(' ');
  const { pathname, search } = new URL(target, 'http://127.0.0.1');
  return answer({ name, method, url: { pathname, search }, body: undefined });
};

describe('a request', () => {
  it.each([
    ['with an example', 'POST /v1/login', 200, '{"token":"abc"}'],
    ['with what the path was filled with', 'GET /v1/projects/alpha/issues/a%2Fb', 200, '"id":"a/b"'],
    ['with what the query was filled with', 'GET /v1/issues?text=two+words', 200, '"two words"'],
    ['with the first expected status', 'POST /v1/comments', 201, '"saved"'],
    ['with an empty object where the table says nothing', 'GET /v1/projects/alpha/issues?status=open', 200, '{}'],
    ['where BASE_URL has a path of its own', 'POST /tracker/v1/login', 200, '{"token":"abc"}'],
    ['that is in no table', 'GET /', 200, '{}'],
    ['by a method that is in no table', 'DELETE /v1/login', 200, '{}'],
  ])('%s is answered', (_, line, status, body) => {
    expect(ask(line)).toEqual({ status, body });
  });

  it('of a path written out is not that of a placeholder, and a required query key makes another endpoint', () => {
    const table = tableAnswers(
      TICKETS.endpoints.map(
        (endpoint) => ({ ...endpoint, example: endpoint.key }) as (typeof TICKETS.endpoints)[number],
      ),
    );
    const key = (pathname: string, search = '') =>
      table({ name: '', method: 'GET', url: { pathname, search }, body: undefined }).body;
    expect(key('/v1/projects/a/issues/mine')).toBe('mine');
    expect(key('/v1/projects/a/issues/7')).toBe('issue');
    expect(key('/v1/issues', '?text=x')).toBe('find');
    expect(key('/v1/issues')).toBe('all');
  });

  it('is told by its name first', () => {
    expect(ask('GET /somewhere/else', 'POST /v1/login').body).toBe('{"token":"abc"}');
  });
});
