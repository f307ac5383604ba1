import { beforeEach, describe, expect, it } from 'vitest';
import { type EndpointTable, readEndpoints } from '../../../lib/model/endpoints.ts';
import type { Session } from '../../../lib/model/flow.ts';
import { type RecordingSuite, recordFlow } from '../../../lib/plan/flow-record.ts';
import { add, check, headerOf } from '../../../lib/session/checks.ts';
import { basic, bearer } from '../../../lib/session/login.ts';
import { counter } from '../../../lib/session/metrics.ts';
import { page } from '../../../lib/session/page.ts';
import { timed } from '../../../lib/session/timed.ts';
import { fake, resetFake } from '../../support/fake-k6/state.ts';

beforeEach(resetFake);

const TABLE: EndpointTable = {
  plain: 'GET /plain/{id}',
  list: { request: 'GET /list?cursor', example: { items: [{ id: 'i1' }, { id: 'i2' }], next: null } },
  text: { request: 'GET /text', example: '{"a":{"b":[7]}}' },
  made: { request: 'POST /made', expect: [201] },
  holds: { request: 'GET /holds/{id}', contains: '<{id}>' },
};
const sold = counter('sold');
const record = (flow: (session: Session) => unknown, rest: Partial<RecordingSuite> = {}) =>
  recordFlow(flow as never, { endpoints: readEndpoints(TABLE), rows: { users: { id: 'ann' } }, ...rest });

describe('a flow that is counted', () => {
  it('counts its requests by endpoint, its thinking in order, and its rows by pool', () => {
    expect(
      record(({ call, pick, think }) => {
        call('plain', pick('users') as never);
        think('a->b');
        call('plain', { id: 2 });
        think('b->a');
        think('a->b');
        call('made', {}, { json: pick('users') });
      }),
    ).toEqual({
      requests: { 'GET /plain/{id}': 2, 'POST /made': 1 },
      thinks: ['a->b', 'b->a', 'a->b'],
      picks: { users: 2 },
    });
  });

  it('gets good answers: expected status, example as JSON and text, what a body must hold', () => {
    const seen: unknown[] = [];
    record(({ call }) => {
      seen.push(call('made').status, call('plain', { id: 1 }).status, call('holds', { id: 'h' }).body);
      const list = call('list');
      seen.push(list.json('items.1.id'), list.json('items.2.id'), list.json('next'), list.body);
      seen.push(call('text').json('a.b.0'), call('text').json<object>());
    });
    const body = '{"items":[{"id":"i1"},{"id":"i2"}],"next":null}';
    expect(seen).toEqual([201, 200, '<h>', 'i2', undefined, null, body, 7, { a: { b: [7] } }]);
  });

  it('gets anything where there is no example: a text with every property, and a list of nothing', () => {
    const { requests } = record(({ call }) => {
      const answer = call('plain', { id: 1 });
      const { items } = answer.json<{ items: { id: string }[] }>();
      call('plain', { id: items[0]?.id.trim() ?? '' });
      for (const { id } of items) call('plain', { id });
      call('made', {}, { json: { id: answer.json('a.b'), tag: answer.headers['Etag'], note: `${answer.json('c')}` } });
      expect(JSON.stringify({ id: answer.json('a') })).toBe('{"id":"x"}');
      expect(answer.headers['Anything']).toBe('x');
    });
    expect(requests).toEqual({ 'GET /plain/{id}': 2, 'POST /made': 1 });
  });

  it('follows what its examples say', () => {
    const { requests } = record(({ call }) => {
      for (const { id } of call('list').json<{ id: string }[]>('items')) call('plain', { id });
    });
    expect(requests).toEqual({ 'GET /list': 1, 'GET /plain/{id}': 2 });
  });

  it('counts a page and steps of other protocols, which run no code of theirs', () => {
    const { requests } = record((session) => {
      const answers = page(session, () => {
        session.call('plain', { id: 1 });
        session.call('list');
      });
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(page(session, () => undefined)).toEqual([]);
      timed(session, 'WS /stream', () => {
        throw new Error('there is no socket here');
      });
    });
    expect(requests).toEqual({ 'GET /plain/{id}': 1, 'GET /list': 1, 'WS /stream': 1 });
  });

  it('logs in, checks and counts without anything being sent or noted: k6 takes neither before the run', () => {
    const { requests } = record((session) => {
      bearer(session, () => session.call('made').json('token'));
      basic(session, 'user', 'word');
      const answer = session.call('list');
      expect(check(session, 'has items', answer.json('items') !== undefined)).toBe(true);
      expect(check(session, 'is empty', false)).toBe(false);
      add(session, sold);
      headerOf(answer, 'etag');
    });
    expect(requests).toEqual({ 'POST /made': 1, 'GET /list': 1 });
    expect([fake.sent, fake.checks, fake.samples]).toEqual([[], [], []]);
  });

  it('knows the login of a session that begins with a token, and counts it as none', () => {
    const counted = record((session) => {
      bearer(session, () => session.call('made').json('token'), 'token of the set-up');
      session.call('plain', { id: 'a' });
    });
    expect(counted.requests).toEqual({ 'POST /made': 0, 'GET /plain/{id}': 1 });
  });

  it('has variables and what set-up gives, which is anything before the run', () => {
    record(
      ({ variables, shared }) => {
        expect(variables['TENANT']).toBe('acme');
        expect(`${(shared as { tokens: string[] }).tokens[3]}`).toBe('x');
      },
      { variables: { TENANT: 'acme' } },
    );
    record(({ shared }) => void expect(shared).toEqual({ a: 1 }), { shared: { a: 1 } });
  });

  it.each<[string, (session: Session) => unknown, string]>([
    ['endpoint', ({ call }) => call('lost', {}), 'the suite has no endpoint "lost"'],
    ['endpoint', ({ call }) => call('toString', {}), 'the suite has no endpoint "toString"'],
    ['pool', ({ pick }) => pick('lost'), 'the suite has no pool "lost"'],
    ['pool', ({ pick }) => pick('toString'), 'the suite has no pool "toString"'],
    ['pool', ({ pick }) => pick('user'), 'did you mean "users"?'],
  ])('that asks for an unknown %s is refused', (_, flow, sentence) => {
    expect(() => record(flow)).toThrow(sentence);
  });

  it.each<[string, (session: Session) => unknown]>([
    ['that was left out', ({ call }) => call('plain')],
    ['that is misspelt', ({ call }) => call('plain', { di: 1 } as never)],
    ['that the answer does not hold', ({ call }) => call('plain', { id: call('list').json('items.7.id') })],
    ['that is null in the answer', ({ call }) => call('plain', { id: call('list').json('next') })],
  ])('without a placeholder %s is refused', (_, flow) => {
    expect(() => record(flow)).toThrow('GET /plain/{id}: {id} has no value; give it with the call');
  });
});
