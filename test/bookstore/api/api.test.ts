import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bookOf, CATEGORIES, isbnOf, TITLE_NOUNS } from '../../../bookstore/catalogue/books.ts';
import { type PaymentStub, startPaymentStub } from '../../../bookstore/payments/stub.ts';
import pkg from '../../../package.json' with { type: 'json' };
import {
  EMBEDDED_START_MS,
  filledCart,
  TEST_BOOKS,
  type TestBookstore,
  testBookstore,
} from '../../support/bookstore.ts';
import type { Client } from '../../support/http.ts';

let shop: TestBookstore;
let api: Client;
let stub: PaymentStub;
/** What the stub draws next; 0 means no error and, with the shares below, no slow charge. */
const dice = { value: 0.99 };

beforeAll(async () => {
  stub = await startPaymentStub({ errorShare: 0.5, slowShare: 0.1, slowMs: 1_500, random: () => dice.value });
  shop = await testBookstore({ paymentUrl: stub.url, paymentTimeoutMs: 1_000 });
  api = shop.api;
}, EMBEDDED_START_MS);
afterAll(async () => {
  await shop?.close();
  await stub?.close();
});
beforeEach(async () => {
  dice.value = 0.99;
  await api.send('POST', '/admin/cache/purge');
});

describe('status', () => {
  it('tells what a pre-flight check needs', async () => {
    expect((await api.get('/api/status')).body).toEqual({
      service: 'bookstore',
      version: pkg.version,
      database: 'embedded',
      books: TEST_BOOKS,
      minimumStock: 1_000_000,
      rateLimit: null,
      payments: 'stub',
      paymentsAnswer: true,
      cacheTtlSeconds: 60,
      admin: true,
    });
  });
});

describe('list', () => {
  it('pages through a category in ISBN order and visits each of its books once', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 6; page++) {
      const { status, body } = await api.get(`/api/books?category=science&page=${page}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ page, pageSize: 20, total: TEST_BOOKS / CATEGORIES.length });
      seen.push(...body.items.map((item: { isbn: string }) => item.isbn));
    }
    const expected = Array.from({ length: TEST_BOOKS }, (_, n) => bookOf(n)).filter(
      (book) => book.category === 'science',
    );
    expect(seen).toEqual(expected.map((book) => book.isbn));
  });

  it('lists all books without a category, with title and price of each', async () => {
    const { body } = await api.get('/api/books');
    expect(body.total).toBe(TEST_BOOKS);
    const { isbn, title, priceCents } = bookOf(0);
    expect(body.items[0]).toEqual({ isbn, title, price: priceCents / 100 });
  });
});

describe('search', () => {
  const titles = Array.from({ length: TEST_BOOKS }, (_, n) => bookOf(n));
  const matching = (test: (text: string) => boolean) => titles.filter((book) => test(`${book.title} ${book.author}`));

  it.each(TITLE_NOUNS.slice(0, 5))('finds every book with %s', async (noun) => {
    const expected = matching((text) => text.includes(noun));
    const { body } = await api.get(`/api/books?search=${noun.toLowerCase()}`);
    expect(body.total).toBe(expected.length);
    expect(body.items.map((item: { isbn: string }) => item.isbn)).toEqual(
      expected.slice(0, 20).map((book) => book.isbn),
    );
  });

  it('wants every word, takes beginnings of words, looks at authors, and narrows by category', async () => {
    const expected = matching((text) => /\bHar/.test(text) && /\bAda\b/.test(text));
    expect(expected.length).toBeGreaterThan(0);
    const { body } = await api.get('/api/books?search=har%20ada');
    expect(body.total).toBe(expected.length);
    const narrow = await api.get('/api/books?search=har%20ada&category=fiction');
    expect(narrow.body.total).toBe(expected.filter((book) => book.category === 'fiction').length);
  });

  it('keeps the total beyond the last page, and finds nothing for signs only', async () => {
    const beyond = await api.get('/api/books?search=harbour&page=99');
    expect(beyond.body).toMatchObject({ items: [], total: matching((text) => text.includes('Harbour')).length });
    expect((await api.get(`/api/books?search=${encodeURIComponent("'&|!():*")}`)).body).toMatchObject({
      items: [],
      total: 0,
    });
  });
});

describe('details', () => {
  it('come from the database once with two statements, then from the cache', async () => {
    const { isbn, title, author, category, priceCents, year } = bookOf(7);
    const before = (await api.get('/admin/stats')).body;
    const first = await api.get(`/api/books/${isbn}`);
    expect(first.body).toEqual({ isbn, title, author, category, year, price: priceCents / 100, stock: 1_000_000 });
    expect(first.headers).toMatchObject({ 'x-cache': 'MISS', age: '0' });
    const second = await api.get(`/api/books/${isbn}`);
    expect(second.text).toBe(first.text);
    expect(second.headers).toMatchObject({ 'x-cache': 'HIT', age: '0' });
    const after = (await api.get('/admin/stats')).body;
    expect(after.sql.total - before.sql.total).toBe(2);
    expect(after.cache.hits - before.cache.hits).toBe(1);
    expect(after.cache.misses - before.cache.misses).toBe(1);
    expect(
      after.answers['GET /api/books/{isbn}']['200'] - (before.answers['GET /api/books/{isbn}']?.['200'] ?? 0),
    ).toBe(2);
  });

  it('follow another time to live at once', async () => {
    await api.get(`/api/books/${isbnOf(8)}`);
    await api.send('PUT', '/admin/cache', { ttlSeconds: 0 });
    expect((await api.get(`/api/books/${isbnOf(8)}`)).headers['x-cache']).toBe('MISS');
    expect((await api.get('/api/status')).body.cacheTtlSeconds).toBe(0);
    await api.send('PUT', '/admin/cache', { ttlSeconds: 60 });
  });

  it('of a book that does not exist are 404', async () => {
    const answer = await api.get(`/api/books/${isbnOf(TEST_BOOKS)}`);
    expect([answer.status, answer.body.error]).toEqual([404, `no book with ISBN ${isbnOf(TEST_BOOKS)}`]);
  });
});

describe('cart and order', () => {
  it('take the stock, charge the provider, and empty the cart', async () => {
    const before = { stub: stub.stats(), ledger: (await api.get('/admin/ledger')).body };
    const cart = await filledCart(api, [
      [20, 2],
      [21, 1],
      [20, 3],
    ]);
    const order = await api.send('POST', '/api/orders', { cartId: cart });
    const total = (3 * bookOf(20).priceCents + bookOf(21).priceCents) / 100;
    expect([order.status, order.body]).toEqual([201, { id: expect.any(Number), status: 'Paid', total }]);
    expect((await api.get(`/api/books/${isbnOf(20)}`)).body.stock).toBe(1_000_000 - 3);
    expect((await api.send('POST', '/api/orders', { cartId: cart })).status).toBe(400);

    const ledger = (await api.get('/admin/ledger')).body;
    expect(before.ledger.stock.copies - ledger.stock.copies).toBe(4);
    expect(ledger.sold.copies - before.ledger.sold.copies).toBe(4);
    expect(ledger.ordersAmount - before.ledger.ordersAmount).toBeCloseTo(total, 6);
    expect(ledger.orders.Paid - (before.ledger.orders.Paid ?? 0)).toBe(1);
    expect(stub.stats().amount - before.stub.amount).toBeCloseTo(total, 6);
  });

  it('stay pending when the charge fails or takes too long, and are kept all the same', async () => {
    const ledger = (await api.get('/admin/ledger')).body;
    const statuses: string[] = [];
    // 0.3: fails by error share 0.5; 0.05: slow by share 0.1 as well, so the second is over before the answer.
    for (const value of [0.3, 0.05]) {
      dice.value = value;
      const cart = await filledCart(api, [[22, 1]]);
      statuses.push((await api.send('POST', '/api/orders', { cartId: cart })).body.status);
    }
    expect(statuses).toEqual(['PaymentPending', 'PaymentPending']);
    const after = (await api.get('/admin/ledger')).body;
    expect(after.orders.PaymentPending - (ledger.orders.PaymentPending ?? 0)).toBe(2);
    expect((await api.get('/admin/stats')).body.charges).toMatchObject({ refused: 1, timedOut: 1 });
  });

  it('are refused with the book that is missing, and nothing of the cart is taken', async () => {
    await api.send('POST', '/admin/stock', { quantity: 2, isbn: isbnOf(31) });
    const cart = await filledCart(api, [
      [30, 1],
      [31, 3],
    ]);
    const before = (await api.get('/admin/ledger')).body;
    const order = await api.send('POST', '/api/orders', { cartId: cart });
    expect([order.status, order.body]).toEqual([409, { error: 'not enough stock', isbn: isbnOf(31) }]);
    expect((await api.get('/admin/ledger')).body).toEqual(before);
  });

  it('answer 404 for what does not exist', async () => {
    const nobody = '00000000-0000-4000-8000-000000000000';
    const cart = await filledCart(api, []);
    const answers = [
      await api.send('POST', '/api/orders', { cartId: nobody }),
      await api.send('PUT', `/api/carts/${nobody}/items/${isbnOf(0)}`, { quantity: 1 }),
      await api.send('PUT', `/api/carts/${cart}/items/${isbnOf(TEST_BOOKS)}`, { quantity: 1 }),
      await api.get('/api/nothing'),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
    expect(answers.map((answer) => answer.body.error)).toEqual([
      `no cart ${nobody}`,
      `no cart ${nobody}`,
      `no book with ISBN ${isbnOf(TEST_BOOKS)}`,
      'no GET route at this path',
    ]);
  });
});

describe('bad input', () => {
  it.each([
    ['GET', '/api/books?page=0', undefined, 'querystring.page'],
    ['GET', '/api/books?page=1&page=2', undefined, 'querystring.page'],
    ['GET', '/api/books?category=cooking', undefined, 'fiction, science, history, travel'],
    ['GET', '/api/books?search=', undefined, 'querystring.search'],
    ['GET', '/api/books/9790000000002', undefined, 'ISBN-13'],
    ['PUT', '/api/carts/7/items/9790000000001', { quantity: 1 }, 'GUID'],
    ['PUT', `/api/carts/00000000-0000-4000-8000-000000000000/items/9790000000001`, { quantity: '1' }, 'integer'],
    [
      'PUT',
      `/api/carts/00000000-0000-4000-8000-000000000000/items/9790000000001`,
      { quantity: 1, gift: true },
      'additional',
    ],
    ['POST', '/api/orders', { cartId: 7 }, 'body.cartId'],
    ['POST', '/api/orders', '{"cartId":', 'JSON'],
    ['POST', '/admin/stock', { quantity: -1 }, 'body.quantity'],
    ['GET', '/api/books?pgae=2', undefined, 'querystring must NOT have additional properties'],
    ['GET', '/api/books?search=a&x=1', undefined, 'querystring must NOT have additional properties'],
    ['POST', '/api/carts', { x: 1 }, 'body must NOT have additional properties'],
    ['POST', '/api/carts', [1], 'body must be object'],
    ['PUT', '/admin/faults', { faults: [{ kind: 'x' }] }, 'faults.0.kind'],
  ] as const)('%s %s is 400 with a reason', async (method, path, body, reason) => {
    const answer = method === 'GET' ? await api.get(path) : await api.send(method, path, body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('a body beyond the limit is 413', async () => {
    expect((await api.send('POST', '/api/orders', { cartId: 'x'.repeat(100_000) })).status).toBe(413);
  });
});

it('reported no error of its own in all of this', () => {
  expect(shop.errors).toEqual([]);
});
