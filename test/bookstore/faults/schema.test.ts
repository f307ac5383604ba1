import { describe, expect, it } from 'vitest';
import { readFaults } from '../../../bookstore/faults/schema.ts';

const read = (fault: unknown) => readFaults({ faults: [fault] });

describe('fault descriptions', () => {
  it('fills in defaults, takes an endpoint by key or by name and a delay as a bare number', () => {
    const expected = {
      faults: [{ kind: 'latency', endpoint: 'order', share: 1, afterSeconds: 0, delay: { law: 'fixed', ms: 40 } }],
    };
    expect(read({ kind: 'latency', endpoint: 'order', delay: 40 })).toEqual(expected);
    expect(read({ kind: 'latency', endpoint: 'POST /api/orders', delay: 40 })).toEqual(expected);
    expect(read({ kind: 'hang' })).toEqual({ faults: [{ kind: 'hang', endpoint: '*', share: 1, afterSeconds: 0 }] });
  });

  it.each([
    ['an unknown kind', { kind: 'explode' }, 'faults.0.kind'],
    [
      'an unknown endpoint',
      { kind: 'hang', endpoint: 'orders' },
      '"orders" is no endpoint; use * or one of list, search',
    ],
    ['a share beyond 1', { kind: 'hang', share: 20 }, 'faults.0.share'],
    ['a mistyped key', { kind: 'hang', shares: 0.2 }, 'shares'],
    ['a stall without an end', { kind: 'stall' }, 'faults.0.forSeconds'],
    ['a refusal without an end', { kind: 'refuse' }, 'faults.0.forSeconds'],
    ['latency without a delay', { kind: 'latency' }, 'faults.0.delay'],
    ['a stock of no book', { kind: 'stock', quantity: 1, isbn: '123' }, 'faults.0.isbn: this is no ISBN-13'],
    [
      'a delay from more to less',
      { kind: 'latency', delay: { law: 'uniform', minMs: 300, maxMs: 100 } },
      'faults.0.delay: a uniform delay needs minMs <= maxMs',
    ],
    ['a success as an error', { kind: 'error', status: 200 }, 'faults.0.status'],
  ])('refuses %s and says where', (_, fault, reason) => {
    expect(read(fault)).toEqual({ error: expect.stringContaining(reason) });
  });

  it.each([undefined, null, 'x', 7, [], {}, { faults: {} }, { faults: [null] }])('refuses %j', (body) => {
    expect(readFaults(body)).toEqual({ error: expect.any(String) });
  });
});
