import { beforeEach, describe, expect, it } from 'vitest';
import type { AnyFlow } from '../../../lib/model/flow.ts';
import { recordFlow } from '../../../lib/plan/flow-record.ts';
import { ENDPOINT_LIST } from '../../../scenarios/bookstore/endpoints.ts';
import { browse, checkout, searching } from '../../../scenarios/bookstore/flows.ts';
import { bookstore, bookstorePlan, FLOWS, POOLS } from '../../support/bookstore-suite.ts';
import { enter, failedChecks, runSession, valuesOf } from '../../support/fake-k6/session.ts';
import { type FakeAnswer, fake, resetFake } from '../../support/fake-k6/state.ts';

describe('a flow, run without a system', () => {
  const rows = Object.fromEntries(Object.entries(POOLS).map(([name, { example }]) => [name, example]));
  const counted = (flow: AnyFlow) => recordFlow(flow, { endpoints: ENDPOINT_LIST, rows });

  it('sends 3, 2 and 4 requests and picks its books', () => {
    expect(counted(browse)).toEqual({
      requests: { 'GET /api/books': 1, 'GET /api/books/{isbn}': 2 },
      thinks: ['list->details', 'details->details'],
      picks: { categories: 1, books: 2 },
    });
    expect(counted(searching)).toEqual({
      requests: { 'GET /api/books?search=': 1, 'GET /api/books/{isbn}': 1 },
      thinks: ['search->details'],
      picks: { terms: 1, books: 1 },
    });
    expect(Object.values(counted(checkout).requests)).toEqual([1, 1, 1, 1]);
    expect(counted(checkout).thinks).toEqual(['details->cart', 'cart->item', 'item->order']);
  });
});

/** One book, one term and one category, each with what a URL may not hold. */
const SMALL = {
  books: { from: 0, rows: 1, column: 'isbn', example: { isbn: '979/1' } },
  terms: { from: 1, rows: 1, column: 'term', example: { term: 'ä&b' } },
  categories: { from: 2, rows: 1, column: 'category', example: { category: 'a b' } },
};
const plan = bookstorePlan({ BASE_URL: 'http://h' }, FLOWS, bookstore(SMALL));

/** Good answers, by what an endpoint's answer must hold. */
const GOOD: Readonly<Record<string, FakeAnswer>> = {
  'GET /api/books': { status: 200, body: '{"items":[]}' },
  'GET /api/books?search=': { status: 200, body: '{"items":[]}' },
  'GET /api/books/{isbn}': { status: 200, body: '{"isbn":"979/1"}' },
  'POST /api/carts': { status: 201, body: '{ "id" : "c/1", "items": [] }' },
  'PUT /api/carts/{id}/items/{isbn}': { status: 200 },
  'POST /api/orders': { status: 201, body: '{"id":1,"status":"Paid"}' },
};

/** Runs a flow against answers by endpoint name; gives what was sent and which checks failed. */
function play(flow: keyof typeof FLOWS, answers: Readonly<Record<string, FakeAnswer>> = {}, iteration = 0) {
  resetFake();
  fake.rows = ['979/1', 'ä&b', 'a b'];
  fake.answer = ({ params }) => ({ ...GOOD, ...answers })[params.tags?.['name'] as string] as FakeAnswer;
  enter(plan, flow);
  runSession(FLOWS[flow], iteration);
  const sent = fake.sent.map(
    ({ method, url, body }) => `${method} ${url.replace('http://h', '')}${body ? ` ${body}` : ''}`,
  );
  return { sent, failed: failedChecks() };
}

describe('requests', () => {
  beforeEach(resetFake);

  it('encode what they put into paths and bodies', () => {
    expect(play('checkout').sent).toEqual([
      'GET /api/books/979%2F1',
      'POST /api/carts {}',
      'PUT /api/carts/c%2F1/items/979%2F1 {"quantity":1}',
      'POST /api/orders {"cartId":"c/1"}',
    ]);
    expect(play('search').sent[0]).toBe('GET /api/books?search=%C3%A4%26b');
  });

  it('ask for the first five pages of a category, each of them as often', () => {
    const pages = Array.from({ length: 500 }, (_, i) => play('browse', {}, i).sent[0]);
    // 500 sessions, a fifth each: 100 within four standard deviations of the binomial, 8.9.
    for (let page = 1; page <= 5; page++) {
      const n = pages.filter((one) => one === `GET /api/books?category=a%20b&page=${page}`).length;
      expect(Math.abs(n - 100)).toBeLessThan(36);
    }
    expect(new Set(pages).size).toBe(5);
  });

  it('meet good answers without a failed check, out of stock included, which is counted', () => {
    for (const flow of ['browse', 'search', 'checkout'] as const) expect(play(flow).failed).toEqual([]);
    expect(play('checkout', { 'POST /api/orders': { status: 409 } }).failed).toEqual([]);
    expect(valuesOf('out_of_stock')).toEqual([1]);
    expect(fake.sent.map(({ failed }) => failed)).toEqual([false, false, false, false]);
  });

  it('count orders that stay unpaid', () => {
    const { failed } = play('checkout', { 'POST /api/orders': { status: 201, body: '{"status":"PaymentPending"}' } });
    expect(failed).toEqual([]);
    expect([valuesOf('payment_pending'), valuesOf('out_of_stock')]).toEqual([[1], []]);
  });

  it('notice a wrong book, a wrong status, an empty body', () => {
    expect(play('search', { 'GET /api/books/{isbn}': { status: 200, body: '{"isbn":"1"}' } }).failed).toEqual([
      'GET /api/books/{isbn}: status 200, holds {isbn}',
    ]);
    const list = 'GET /api/books: status 200, holds "items"';
    expect(play('browse', { 'GET /api/books': { status: 503 } }).failed).toEqual([list]);
    expect(play('browse', { 'GET /api/books': { status: 200 } }).failed).toEqual([list]);
  });

  it('stop where there is nothing to go on with', () => {
    expect(play('checkout', { 'POST /api/carts': { status: 503 } }).sent).toHaveLength(2);
    expect(play('checkout', { 'POST /api/carts': { status: 201, body: '<html>' } }).sent).toHaveLength(2);
    const item = { 'PUT /api/carts/{id}/items/{isbn}': { status: 500 } };
    expect(play('checkout', item).sent).toHaveLength(3);
    expect(valuesOf('flow_errors')).toEqual([false]);
  });
});
