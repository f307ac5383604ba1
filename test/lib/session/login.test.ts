import { beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../../lib/model/flow.ts';
import { basic, bearer } from '../../../lib/session/login.ts';
import { page } from '../../../lib/session/page.ts';
import { virtualUser } from '../../support/fake-k6/api.ts';
import { failedChecks, valuesOf } from '../../support/fake-k6/session.ts';
import { fake, resetFake } from '../../support/fake-k6/state.ts';

const endpoints = {
  login: { request: 'POST /login', expect: [200] },
  issue: 'GET /issues/{id}',
  edit: { request: 'PATCH /issues/{id}', expect: [200, 409], headers: { 'X-Own': '1' } },
};
let tokens = 0;
/** Logins that the API takes, the newest only unless a test says otherwise. */
let valid: (token: string) => boolean;

beforeEach(() => {
  resetFake();
  tokens = 0;
  valid = (token) => token === `Bearer t${tokens}`;
  fake.answer = ({ url, params }) => {
    if (url.endsWith('/login')) return { status: 200, body: `{"token":"t${++tokens}"}` };
    return { status: valid(params.headers?.['Authorization'] ?? '') ? 200 : 401, body: '{}' };
  };
});

const login = (session: Session): string => session.call('login', {}, { json: { user: 'ann' } }).json('token');
const sent = () =>
  fake.sent.map(({ url, params }) => `${url.slice('http://h/v1'.length)} ${params.headers?.['Authorization'] ?? '-'}`);

describe('a bearer login', () => {
  it('is sent with every request of the session, and with none before it', () => {
    virtualUser({ endpoints })((session) => {
      bearer(session, () => login(session));
      session.call('issue', { id: 1 });
      session.call('edit', { id: 1 }, { json: {} });
    });
    expect(sent()).toEqual(['/login -', '/issues/1 Bearer t1', '/issues/1 Bearer t1']);
    expect(valuesOf('logins_renewed')).toEqual([]);
  });

  it('without a token ends the session as a failure of its flow, and sends nothing more', () => {
    fake.answer = () => ({ status: 503, body: '{}' });
    virtualUser({ endpoints })((session) => {
      bearer(session, () => login(session));
      session.call('issue', { id: 1 });
    });
    expect(sent()).toEqual(['/login -']);
    expect(valuesOf('flow_errors')).toEqual([true]);
  });

  it('with a token from the set-up logs nobody in', () => {
    valid = (token) => token === 'Bearer shared';
    virtualUser({ endpoints })((session) => {
      bearer(session, () => login(session), session.shared as string);
      session.call('issue', { id: 1 });
    }, 'shared');
    expect(sent()).toEqual(['/issues/1 Bearer shared']);
  });

  it('that has run out is renewed once, counted apart, and the request sent again with the new token', () => {
    virtualUser({ endpoints })((session) => {
      bearer(session, () => login(session), 'old');
      expect(session.call('issue', { id: 1 }).status).toBe(200);
      session.call('issue', { id: 2 });
    });
    expect(sent()).toEqual(['/issues/1 Bearer old', '/login -', '/issues/1 Bearer t1', '/issues/2 Bearer t1']);
    expect(valuesOf('logins_renewed')).toEqual([1]);
    // No failure: neither a check nor k6's own rate counts the 401, whose latency is measured as what it is.
    expect(failedChecks()).toEqual([]);
    expect(fake.checks.filter(({ name }) => name.startsWith('GET /issues'))).toHaveLength(2);
    expect(fake.sent.map(({ failed }) => failed)).toEqual([false, false, false, false]);
    expect(valuesOf('duration_4xx')).toHaveLength(1);
    expect(valuesOf('flow_errors')).toEqual([false]);
  });

  it.each([
    ['of the request', 'issue', { headers: { 'If-None-Match': '"1"' } }],
    ['of the endpoint', 'edit', { json: { a: 1 } }],
  ] as const)('that is renewed goes with headers %s too', (_, key, options) => {
    virtualUser({ endpoints })((session) => {
      bearer(session, () => login(session), 'old');
      session.call(key, { id: 1 }, options);
    });
    const [first, , again] = fake.sent;
    expect(again?.params.headers?.['Authorization']).toBe('Bearer t1');
    expect({ ...again?.params.headers, Authorization: 0 }).toEqual({ ...first?.params.headers, Authorization: 0 });
    expect([again?.method, again?.url, again?.body]).toEqual([first?.method, first?.url, first?.body]);
    // An endpoint that expects other 4xx takes the 401 for no failure either.
    expect(fake.sent.map(({ failed }) => failed)).toEqual([false, false, false]);
  });

  it('that is refused again is not renewed again: it fails, in the check and in k6’s rate', () => {
    valid = () => false;
    virtualUser({ endpoints })((session) => {
      bearer(session, () => login(session), 'old');
      expect(session.call('issue', { id: 1 }).status).toBe(401);
    });
    expect(sent()).toEqual(['/issues/1 Bearer old', '/login -', '/issues/1 Bearer t1']);
    expect(fake.sent.map(({ failed }) => failed)).toEqual([false, false, true]);
    expect(failedChecks()).toEqual(['GET /issues/{id}: status 2xx']);
    // The next request may try again.
    virtualUser({ endpoints })((session) => {
      bearer(session, () => login(session), 'old');
      session.call('issue', { id: 1 });
      session.call('issue', { id: 2 });
    });
    expect(valuesOf('logins_renewed')).toEqual([1, 1, 1]);
  });

  it('whose own request is refused is not renewed by itself', () => {
    fake.answer = () => ({ status: 401, body: '{}' });
    virtualUser({ endpoints })((session) => {
      bearer(session, () => login(session), 'old');
      session.call('issue', { id: 1 });
    });
    expect(sent().filter((one) => one.startsWith('/login'))).toHaveLength(1);
    expect(failedChecks()).toContain('POST /login: status 200');
  });

  it('ends with its session: the next is a stranger, and its 401 a failure', () => {
    const session = virtualUser({ endpoints });
    session((one) => {
      bearer(one, () => login(one));
      one.call('issue', { id: 1 });
    });
    session(({ call }) => call('issue', { id: 1 }));
    expect(sent().at(-1)).toBe('/issues/1 -');
    expect(fake.sent.at(-1)?.failed).toBe(true);
    expect(valuesOf('logins_renewed')).toEqual([]);
  });

  it('that a whole page finds run out is renewed once for all its requests', () => {
    virtualUser({ endpoints })((session) => {
      bearer(session, () => login(session), 'old');
      const answers = page(session, () => void [session.call('issue', { id: 1 }), session.call('issue', { id: 2 })]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    });
    const old = ['/issues/1 Bearer old', '/issues/2 Bearer old'];
    expect(sent()).toEqual([...old, '/login -', '/issues/1 Bearer t1', '/issues/2 Bearer t1']);
    expect(valuesOf('logins_renewed')).toEqual([1]);
    expect(failedChecks()).toEqual([]);
  });
});

describe('a basic login', () => {
  it('is user and password in base64, as RFC 7617 gives them', () => {
    virtualUser({ endpoints })((session) => {
      basic(session, 'Aladdin', 'open sesame');
      session.call('issue', { id: 1 });
    });
    expect(sent()).toEqual(['/issues/1 Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==']);
  });
});
