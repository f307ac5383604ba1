import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../../lib/model/flow.ts';
import { add, check, headerOf } from '../../../lib/session/checks.ts';
import { counter } from '../../../lib/session/metrics.ts';
import { virtualUser } from '../../support/fake-k6/api.ts';
import { enter, failedChecks, runSession, valuesOf } from '../../support/fake-k6/session.ts';
import { fake, resetFake } from '../../support/fake-k6/state.ts';
import { browse, shopPlan } from '../../support/shop.ts';

beforeEach(resetFake);
const endpoints = { item: { request: 'GET /items/{sku}', cacheable: true, example: { sku: 'x', tags: ['a'] } } };

describe('rows of pools', () => {
  const pool = (law: object | string, rest = {}) =>
    ({ file: 'p.csv', columns: { sku: 'text' }, law, ...rest }) as never;
  const facts = (rows: number) => ({ p: { from: 3, rows, column: 'sku', example: { sku: 'a' } } });
  /** What each of `n` sessions picks with `takes` picks. */
  function picked(law: object | string, rows: number, n: number, takes = 1, rest = {}): unknown[][] {
    fake.rows = ['-', '-', '-', ...Array.from({ length: rows }, (_, i) => `r${i}`)];
    const session = virtualUser({ endpoints, suite: { pools: { p: pool(law, rest) } }, pools: facts(rows) });
    return Array.from({ length: n }, () => {
      const found: unknown[] = [];
      session(({ pick }) => {
        for (let i = 0; i < takes; i++) found.push(pick('p'));
      });
      return found;
    });
  }

  it('are objects with the columns that the definition names', () => {
    expect(picked({ law: 'single', index: 1 }, 3, 1)).toEqual([[{ sku: 'r1' }]]);
    fake.rows = [{ name: 'ann', age: 30 }];
    const suite = { pools: { users: pool({ law: 'uniform' }, { columns: { name: 'text', age: 'integer' } }) } };
    const users = { users: { from: 0, rows: 1, example: { name: 'ann', age: 30 } } };
    virtualUser({ endpoints, suite, pools: users })(({ pick }) => {
      expect(pick('users')).toEqual({ name: 'ann', age: 30 });
    });
    expect(valuesOf('flow_errors').at(-1)).toBe(false);
  });

  it('taken `once` come one after the other, and sessions end when none is left, which is no error', () => {
    vi.spyOn(console, 'warn').mockReturnValue(undefined);
    expect(picked('once', 2, 4)).toEqual([[{ sku: 'r0' }], [{ sku: 'r1' }], [], []]);
    expect(valuesOf('data_exhausted')).toEqual([1, 1]);
    expect(valuesOf('flow_errors')).toEqual([false, false, false, false]);
    // Said once a virtual user.
    expect(console.warn).toHaveBeenCalledTimes(1);
    expect(console.warn).toHaveBeenCalledWith('no row of p is left for session 2 of go: POOL=wrap begins again');
  });

  it('taken `once` with `wrap` begin again, counted each time', () => {
    const rows = picked('once', 2, 3, 1, { whenUsedUp: 'wrap' });
    expect(rows).toEqual([[{ sku: 'r0' }], [{ sku: 'r1' }], [{ sku: 'r0' }]]);
    expect(valuesOf('data_exhausted')).toEqual([1]);
  });

  it('taken `sequential` begin again after the last, which nobody counts', () => {
    expect(picked('sequential', 2, 3)).toEqual([[{ sku: 'r0' }], [{ sku: 'r1' }], [{ sku: 'r0' }]]);
    expect(valuesOf('data_exhausted')).toEqual([]);
  });

  it('by a law are the same for the same seed and session, whatever ran before', () => {
    const all = picked({ law: 'uniform' }, 1000, 3, 2);
    expect(picked({ law: 'uniform' }, 1000, 3, 2)).toEqual(all);
    expect(new Set(all.flat().map((row) => JSON.stringify(row))).size).toBeGreaterThan(3);
  });
});

describe('a session', () => {
  it('waits for the think times of the workload, times THINK, and only where there is a wait', () => {
    const plan = (think: string) => shopPlan({ ARRIVALS: 'metronome', THINK: think, THINK_LAW: 'fixed' });
    fake.rows = Array.from({ length: 1010 }, () => 'a');
    enter(plan('2'), 'browse');
    runSession(browse);
    // Means of 2 to 5 s and of 3 to 8 s.
    expect(fake.slept).toEqual([7, 11]);
    enter(plan('0'), 'browse');
    runSession(browse);
    expect(fake.slept).toHaveLength(2);
  });

  it('begins at a random time within the shift of random arrivals, which is not measured', () => {
    const plan = shopPlan({ THINK: '0' });
    fake.rows = Array.from({ length: 1010 }, () => 'a');
    enter(plan, 'browse');
    for (let i = 0; i < 50; i++) runSession(browse, i);
    // Two steps of half a second.
    expect(Math.max(...fake.slept)).toBeLessThan(1.01);
    expect(new Set(fake.slept).size).toBe(50);
    for (const time of valuesOf('session_duration')) expect(time).toBeLessThan(900);
  });

  it('that throws is counted, said once a virtual user, and does not end the others', () => {
    const said = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const session = virtualUser({ endpoints });
    session(() => {
      throw new Error('no such thing');
    });
    session(() => {
      throw new Error('again');
    });
    session(({ call }) => call('item', { sku: 'a' }));
    expect(valuesOf('flow_errors')).toEqual([true, true, false]);
    expect(said.mock.calls).toEqual([['session 0 of go ended with an exception: Error: no such thing']]);
    expect(valuesOf('session_duration')).toHaveLength(3);
  });

  it('that throws after an answer says which: an error page is mostly the cause', () => {
    const said = vi.spyOn(console, 'error').mockReturnValue(undefined);
    for (const status of [401, 0]) {
      fake.answer = () => ({ status });
      virtualUser({ endpoints })(({ call }) => {
        call('item', { sku: 'a' });
        throw new Error('no token');
      });
    }
    expect(said.mock.calls.flat()).toEqual([
      'session 0 of go ended with an exception: Error: no token (latest answer: GET /items/{sku} 401)',
      'session 0 of go ended with an exception: Error: no token (latest answer: GET /items/{sku} none)',
    ]);
  });

  it('that gives a promise is waited for, and counted when it is kept or broken', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    const session = virtualUser({ endpoints });
    let keep = () => undefined as unknown;
    const kept = session(() => new Promise((resolve) => (keep = () => resolve(1))));
    expect(valuesOf('flow_errors')).toEqual([]);
    keep();
    await kept;
    await session(() => Promise.reject(new Error('broken')));
    expect(valuesOf('flow_errors')).toEqual([false, true]);
  });

  it('has the values of the suite’s variables, secrets from the environment alone, and what set-up gave', () => {
    const text = { kind: 'text', default: 'd', help: '' } as const;
    const suite = { variables: { TENANT: text, PASSWORD: { ...text, default: '', secret: true } } };
    const seen: unknown[] = [];
    const look = ({ variables, shared }: Session) => void seen.push({ ...variables }, shared);
    virtualUser({ endpoints, suite, env: { TENANT: 'b', PASSWORD: 'hunter2' } })(look, { token: 't' });
    virtualUser({ endpoints, suite })(look);
    expect(seen).toEqual([
      { TENANT: 'b', PASSWORD: 'hunter2' },
      { token: 't' },
      { TENANT: 'd', PASSWORD: '' },
      undefined,
    ]);
  });

  it('logs with TRACE=on what it drew of the popular pool, and its think times', () => {
    const said = vi.spyOn(console, 'log').mockReturnValue(undefined);
    fake.rows = Array.from({ length: 1010 }, (_, i) => `sku-${i}`);
    enter(shopPlan({ TRACE: 'on', THINK_LAW: 'fixed', POPULARITY: 'single:7', ARRIVALS: 'metronome' }), 'browse');
    runSession(browse, 4);
    expect(said.mock.calls).toEqual([['trace ["browse",4,3.5,"sku-7",5.5,"sku-7"]']]);
  });
});

describe('what a CDN answers', () => {
  const asked = (cdnShare: number, sessions: number) => {
    const session = virtualUser({ endpoints, workload: { cdnShare } });
    const bodies: unknown[] = [];
    for (let i = 0; i < sessions; i++) {
      session(({ call }) => {
        const answer = call('item', { sku: 'a' });
        bodies.push([answer.status, answer.json<unknown>(), answer.json('tags.0'), answer.json<unknown>('none')]);
      });
    }
    return bodies;
  };

  it('is not sent, and the flow goes on with the endpoint’s example', () => {
    expect(asked(1, 1)).toEqual([[200, { sku: 'x', tags: ['a'] }, 'a', undefined]]);
    expect(fake.sent).toEqual([]);
    expect(valuesOf('flow_errors')).toEqual([false]);
  });

  it('is its share of cacheable requests', () => {
    fake.answer = () => ({ status: 200, body: '{"tags":[1]}' });
    asked(0.25, 400);
    // 300 of 400, within four standard deviations of the binomial, 8.7.
    expect(Math.abs(fake.sent.length - 300)).toBeLessThan(35);
  });
});

describe('checks and metrics of a flow’s own', () => {
  const sold = counter('sold');
  it('carry the endpoint of the latest call', () => {
    virtualUser({ endpoints })((session) => {
      session.call('item', { sku: 'a' });
      expect(check(session, 'holds', true)).toBe(true);
      expect(check(session, 'is cheap', false)).toBe(false);
      add(session, sold);
      add(session, sold, 3);
    });
    const tags = { name: 'GET /items/{sku}' };
    expect(failedChecks()).toEqual(['GET /items/{sku}: is cheap']);
    expect(fake.checks[1]).toEqual({ name: 'GET /items/{sku}: holds', held: true, tags });
    expect(fake.samples.filter(({ metric }) => metric === 'sold')).toEqual([
      { metric: 'sold', value: 1, tags },
      { metric: 'sold', value: 3, tags },
    ]);
  });

  it('find a header in any case', () => {
    const answer = { headers: { Etag: '"1"' } };
    expect([headerOf(answer, 'ETag'), headerOf(answer, 'etag'), headerOf(answer, 'Age')]).toEqual([
      '"1"',
      '"1"',
      undefined,
    ]);
  });
});
