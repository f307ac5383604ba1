import { describe, expect, it } from 'vitest';
import type { Call, Visit } from '../../../lib/model/flow.ts';
import { rowOf } from '../../../lib/model/pool-rows.ts';
import { recordFlow } from '../../../lib/plan/flow-record.ts';
import { browse, checkout, searching } from '../../../scenarios/bookstore/flows.ts';

describe('a flow, run without a system', () => {
  it('sends 3, 2 and 4 requests and picks its books', () => {
    expect(recordFlow(browse)).toEqual({
      requests: { 'GET /api/books': 1, 'GET /api/books/{isbn}': 2 },
      thinks: ['list->details', 'details->details'],
      picks: 2,
    });
    expect(recordFlow(searching)).toEqual({
      requests: { 'GET /api/books?search=': 1, 'GET /api/books/{isbn}': 1 },
      thinks: ['search->details'],
      picks: 1,
    });
    expect(Object.values(recordFlow(checkout).requests)).toEqual([1, 1, 1, 1]);
    expect(recordFlow(checkout).thinks).toEqual(['details->cart', 'cart->item', 'item->order']);
  });
});

/** Runs a flow against answers by endpoint name; gives what was sent and which checks failed. */
function play(
  flow: (visit: Visit) => void,
  answers: Readonly<Record<string, { status: number; body: string | null }>>,
) {
  const sent: string[] = [];
  const failed: string[] = [];
  flow({
    random: () => 0.99,
    book: () => '979/1',
    searchTerm: () => 'ä&b',
    category: () => 'a b',
    think: () => undefined,
    send: (calls, key, path, about = '', body) => {
      const call: Call = calls(key);
      const { name } = call.endpoint;
      const reply = {
        about,
        ...(answers[name] ?? { status: call.endpoint.expected[0] ?? 0, body: `"items" ${about}` }),
      };
      sent.push(`${call.endpoint.method} ${path}${body ? ` ${body}` : ''}`);
      if (!call.endpoint.expected.includes(reply.status)) failed.push(`${name}: status`);
      if (call.good?.(reply) === false) failed.push(`${name}: ${call.what}`);
      return reply;
    },
  });
  return { sent, failed };
}

describe('requests', () => {
  const CART = { 'POST /api/carts': { status: 201, body: '{ "id" : "c/1", "items": [] }' } };

  it('encode what they put into paths and bodies', () => {
    expect(play(checkout, CART).sent).toEqual([
      'GET /api/books/979%2F1',
      'POST /api/carts {}',
      'PUT /api/carts/c%2F1/items/979%2F1 {"quantity":1}',
      'POST /api/orders {"cartId":"c/1"}',
    ]);
    expect(play(browse, {}).sent[0]).toBe('GET /api/books?category=a%20b&page=5');
    expect(play(searching, {}).sent[0]).toBe('GET /api/books?search=%C3%A4%26b');
  });

  it('meet good answers without a failed check, out of stock included', () => {
    expect(play(browse, {}).failed).toEqual([]);
    expect(play(checkout, { ...CART, 'POST /api/orders': { status: 409, body: null } }).failed).toEqual([]);
  });

  it('notice a wrong book, a wrong status, an empty body', () => {
    expect(play(searching, { 'GET /api/books/{isbn}': { status: 200, body: '{"isbn":"1"}' } }).failed).toEqual([
      'GET /api/books/{isbn}: the right book',
    ]);
    const { failed } = play(browse, { 'GET /api/books': { status: 503, body: null } });
    expect(failed).toEqual(['GET /api/books: status', 'GET /api/books: a page of books']);
  });

  it('stop where there is nothing to go on with', () => {
    expect(play(checkout, { 'POST /api/carts': { status: 503, body: null } }).sent).toHaveLength(2);
    const item = { 'PUT /api/carts/{id}/items/{isbn}': { status: 500, body: null } };
    expect(play(checkout, { ...CART, ...item }).sent).toHaveLength(3);
  });
});

describe('rows of a pool', () => {
  it('are different for every scenario, session and take, and leave no gap', () => {
    const rows: number[] = [];
    for (let scenario = 0; scenario < 2; scenario++) {
      for (let iteration = 0; iteration < 4; iteration++) {
        for (let take = 0; take < 3; take++) {
          rows.push(rowOf(iteration, take, { scenario, scenarios: 2, rowsPerSession: 3 }));
        }
      }
    }
    expect(rows.sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, i) => i));
  });
});
