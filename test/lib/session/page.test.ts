import { beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from '../../../lib/session/page.ts';
import { virtualUser } from '../../support/fake-k6/api.ts';
import { failedChecks, valuesOf } from '../../support/fake-k6/session.ts';
import { fake, resetFake } from '../../support/fake-k6/state.ts';

beforeEach(resetFake);

const endpoints = {
  html: 'GET /page/{id}',
  image: { request: 'GET /image/{id}', cacheable: true, example: { size: 7 } },
  log: { request: 'POST /log', expect: [202] },
};

describe('a page', () => {
  it('sends its calls in one batch and measures and checks each answer as its endpoint’s', () => {
    fake.answer = ({ url }) => ({ status: url.endsWith('/log') ? 202 : url.endsWith('/2') ? 500 : 200, body: url });
    virtualUser({ endpoints })((session) => {
      session.call('html', { id: 0 });
      const answers = page(session, () => {
        session.call('html', { id: 1 }, { headers: { 'X-A': '1' } });
        session.call('image', { id: 2 });
        session.call('log', {}, { json: { seen: 1 } });
      });
      expect(answers.map(({ body }) => body)).toEqual(
        ['page/1', 'image/2', 'log'].map((path) => `http://h/v1/${path}`),
      );
      session.call('html', { id: 3 });
    });
    expect(fake.sent.map(({ method, batched, body }) => [method, batched, body ?? null])).toEqual([
      ['GET', false, null],
      ['GET', true, null],
      ['GET', true, null],
      ['POST', true, '{"seen":1}'],
      ['GET', false, null],
    ]);
    expect(fake.sent[1]?.params.headers).toEqual({ 'X-A': '1' });
    expect(fake.sent[2]?.params.headers).toBeUndefined();
    expect(failedChecks()).toEqual(['GET /image/{id}: status 2xx']);
    expect([valuesOf('duration_2xx').length, valuesOf('duration_5xx').length]).toEqual([4, 1]);
  });

  it('without calls sends nothing', () => {
    virtualUser({ endpoints })((session) => {
      expect(page(session, () => undefined)).toEqual([]);
    });
    expect(fake.sent).toEqual([]);
  });

  it('whose making throws leaves later calls as they are', () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    const session = virtualUser({ endpoints });
    session((one) =>
      page(one, () => {
        throw new Error('no');
      }),
    );
    session(({ call }) => call('html', { id: 1 }));
    expect(fake.sent).toHaveLength(1);
    expect(valuesOf('flow_errors')).toEqual([true, false]);
  });

  it('has its answers in the order of its calls, also those that a CDN gives', () => {
    fake.answer = ({ url }) => ({ status: 200, body: url.slice(-1) });
    virtualUser({ endpoints, workload: { cdnShare: 1 } })((session) => {
      const answers = page(session, () => {
        session.call('image', { id: 1 });
        session.call('html', { id: 2 });
        session.call('image', { id: 3 });
      });
      expect(answers.map(({ body }) => body)).toEqual(['{"size":7}', '2', '{"size":7}']);
      expect(page(session, () => void session.call('image', { id: 1 }))).toHaveLength(1);
    });
    expect(valuesOf('flow_errors')).toEqual([false]);
    expect(fake.sent.map(({ url }) => url)).toEqual(['http://h/v1/page/2']);
  });
});
