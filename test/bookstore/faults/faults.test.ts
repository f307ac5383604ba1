import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isbnOf } from '../../../bookstore/catalogue/books.ts';
import { startBookstore } from '../../../bookstore/main.ts';
import {
  EMBEDDED_START_MS,
  filledCart,
  POLL,
  TEST_BOOKS,
  type TestBookstore,
  testBookstore,
} from '../../support/bookstore.ts';
import type { Client } from '../../support/http.ts';

const folder = mkdtempSync(join(tmpdir(), 'bookstore-faults-'));
const log = join(folder, 'access.log');
let shop: TestBookstore;
let api: Client;
/** Steps evenly through [0,1), so that a share of requests is met exactly. */
let step = 0;

beforeAll(async () => {
  shop = await testBookstore({
    random: () => (step++ % 10) / 10,
    accessLog: { file: log, columns: ['cs(X-Session-Id)'] },
  });
  api = shop.api;
}, EMBEDDED_START_MS);
afterAll(async () => {
  await shop?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => api.send('DELETE', '/admin/faults'));

const set = async (...faults: object[]) => {
  const answer = await api.send('PUT', '/admin/faults', { faults });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
};
const book = `/api/books/${isbnOf(3)}`;
async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  const result = await work();
  return [result, performance.now() - started];
}

describe('faults', () => {
  it('delay the endpoint that they name and no other', async () => {
    await set({ kind: 'latency', endpoint: 'details', delay: 300 });
    const [answer, ms] = await timed(() => api.get(book));
    expect(answer.status).toBe(200);
    expect(ms).toBeGreaterThanOrEqual(299);
    const { faults } = (await api.get('/admin/faults')).body;
    expect(faults).toMatchObject([{ fault: { kind: 'latency', endpoint: 'details' }, endsInSeconds: null }]);
  });

  it('tell list and search apart, though they share a path', async () => {
    await set({ kind: 'error', endpoint: 'search', status: 503, retryAfterSeconds: 7 });
    expect((await api.get('/api/books?page=1')).status).toBe(200);
    const answer = await api.get('/api/books?search=harbour');
    expect([answer.status, answer.headers['retry-after'], answer.body.error]).toEqual([503, '7', 'injected 503']);
  });

  it('strike the share of requests asked for, in three populations at once', async () => {
    await set(
      { kind: 'error', endpoint: 'details', status: 504, share: 0.1, delay: 20 },
      { kind: 'error', endpoint: 'details', status: 500, share: 0.3 },
    );
    const counts: Record<number, number> = {};
    step = 0;
    for (let n = 0; n < 100; n++) {
      const { status } = await api.get(book);
      counts[status] = (counts[status] ?? 0) + 1;
    }
    // The random source steps through 0.0 ... 0.9. A request takes one step for the first fault and, unless struck, one
    // for the second: steps 0 | 1,2 | 3,4 | 5,6 | 7,8 | 9,0 | 1,2 ... Only at the start does a first draw meet 0.0; from
    // then on first draws are odd (never < 0.1) and second draws even: 2, 4, 6, 8, 0; 0 and 2 are below 0.3.
    // The second draws of the 99 requests after the one answered 504 run 2, 4, 6, 8, 0, 2, ...: 19 whole rounds with two
    // below 0.3 each, and then 2, 4, 6, 8 with one: 39 answers of 500.
    expect(counts).toEqual({ 504: 1, 500: 39, 200: 60 });
  });

  it('hold requests that arrive in a stall until it is over, and nobody after it', async () => {
    const started = performance.now();
    await set({ kind: 'stall', afterSeconds: 0.2, forSeconds: 2 });
    expect((await api.get(book)).status).toBe(200);
    await expect.poll(async () => (await api.get('/admin/faults')).body.faults[0].startsInSeconds, POLL).toBe(0);
    const [held] = await Promise.all([api.get(book), api.get('/api/books')]);
    expect(held.status).toBe(200);
    // The server counts from a moment after ours; 5 ms for timers that round down.
    expect(performance.now() - started).toBeGreaterThanOrEqual(2_195);
    expect((await api.get('/admin/faults')).body.faults[0].endsInSeconds).toBe(0);
  });

  it('hang until they are taken back, then break the connection', async () => {
    await set({ kind: 'hang', endpoint: 'cart' });
    let settled = false;
    const hung = api.send('POST', '/api/carts').then(
      () => 'answered',
      () => 'broken',
    );
    void hung.then(() => {
      settled = true;
    });
    await api.get('/api/books');
    expect(settled).toBe(false);
    await api.send('DELETE', '/admin/faults');
    expect(await hung).toBe('broken');
    expect((await api.send('POST', '/api/carts')).status).toBe(201);
  });

  it('break connections', async () => {
    await set({ kind: 'reset', endpoint: 'details' });
    await expect(api.get(book)).rejects.toThrow();
  });

  it('limit the rate, and the status says so', async () => {
    await set({ kind: 'rateLimit', perSecond: 5 });
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await api.get(book)).status));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5);
    expect(statuses).toContain(429);
    expect((await api.get('/api/status')).body.rateLimit).toEqual({ perSecond: 5 });
    await api.send('DELETE', '/admin/faults');
    expect((await api.get('/api/status')).body.rateLimit).toBeNull();
  });

  it('refuse connections for a while and then serve on the same port', async () => {
    await set({ kind: 'refuse', forSeconds: 0.7 });
    const tryConnect = () =>
      new Promise<string>((resolve) => {
        const socket = connect(shop.bookstore.port, '127.0.0.1');
        socket
          .once('connect', () => resolve('connected'))
          .once('error', (error) => resolve(String((error as { code?: string }).code)));
        socket.once('connect', () => socket.destroy());
      });
    await new Promise((resolve) => setTimeout(resolve, 150));
    const seen: string[] = [];
    for (let n = 0; n < 100 && seen.at(-1) !== 'connected'; n++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      seen.push(await tryConnect());
    }
    expect(seen[0]).toBe('ECONNREFUSED');
    expect(seen.at(-1)).toBe('connected');
    expect((await api.get(book)).status).toBe(200);
  });

  it('change the cache and the stock at a set time, and the time to live back again', async () => {
    await api.get(book);
    await set(
      { kind: 'cacheTtl', seconds: 5 },
      { kind: 'cachePurge' },
      { kind: 'stock', quantity: 0, isbn: isbnOf(4), afterSeconds: 0.1 },
    );
    expect((await api.get('/api/status')).body.cacheTtlSeconds).toBe(5);
    expect((await api.get(book)).headers['x-cache']).toBe('MISS');
    await expect.poll(async () => (await api.get('/api/status')).body.minimumStock, POLL).toBe(0);
    const cart = await filledCart(api, [[4, 1]]);
    expect((await api.send('POST', '/api/orders', { cartId: cart })).status).toBe(409);
    await api.send('DELETE', '/admin/faults');
    expect((await api.get('/api/status')).body.cacheTtlSeconds).toBe(60);
  });

  it('never strike status and admin routes', async () => {
    await set({ kind: 'error', status: 500 }, { kind: 'hang' });
    expect((await api.get('/api/status')).status).toBe(200);
    expect((await api.get('/admin/stats')).status).toBe(200);
    expect((await api.get(book)).status).toBe(500);
  });

  it('reported no error of their own', () => {
    expect(shop.errors).toEqual([]);
  });
});

it('admin routes are refused on an address that others can reach', async () => {
  for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.org']) {
    await expect(startBookstore({ host, admin: true })).rejects.toThrow('for loopback only');
  }
});

describe('faults on each other', () => {
  it('that overlap leave what was configured, whichever ends first', async () => {
    const ttl = async () => (await api.get('/api/status')).body.cacheTtlSeconds;
    const configured = await ttl();
    await set({ kind: 'cacheTtl', seconds: 0, forSeconds: 0.2 }, { kind: 'cacheTtl', seconds: 5, forSeconds: 0.6 });
    expect(await ttl()).toBe(5);
    await expect.poll(ttl, POLL).toBe(configured);
    // The one that began last has ended first: the other one counts again.
    await set({ kind: 'cacheTtl', seconds: 7 }, { kind: 'cacheTtl', seconds: 0, forSeconds: 0.2 });
    expect(await ttl()).toBe(0);
    await expect.poll(ttl, POLL).toBe(7);
    await api.send('DELETE', '/admin/faults');
    expect(await ttl()).toBe(configured);
  });

  it('that refuse twice at a time serve again when both are over', async () => {
    await set({ kind: 'refuse', forSeconds: 0.3 }, { kind: 'refuse', forSeconds: 0.5, afterSeconds: 0.2 });
    const status = () =>
      api.get('/api/status').then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(status, POLL).toBe(0);
    await expect.poll(status, POLL).toBe(200);
    expect(shop.errors).toEqual([]);
  });

  it('for a book that is not there are refused', async () => {
    const faults = [{ kind: 'stock', quantity: 1, isbn: isbnOf(TEST_BOOKS) }];
    const answer = await api.send('PUT', '/admin/faults', { faults });
    expect([answer.status, answer.body.error]).toEqual([400, `faults.0.isbn: no book with ISBN ${isbnOf(TEST_BOOKS)}`]);
  });

  it('requests behind a slow one are counted when their client leaves, and logged a line each', async () => {
    const underWay = async () => (await api.get('/admin/stats')).body.requestsUnderWay;
    await set({ kind: 'latency', delay: 800, endpoint: 'list' });
    const before = (await api.get('/admin/stats')).body.answers;
    const socket = connect(shop.bookstore.port, '127.0.0.1');
    const head = (line: string) => `${line} HTTP/1.1\r\nHost: x\r\nX-Session-Id: ahead\r\nContent-Length: 0\r\n\r\n`;
    const targets = ['GET /api/books?page=1', `GET ${book}`, 'POST /api/carts'];
    socket.write(targets.map(head).join(''));
    await expect.poll(underWay, POLL).toBe(3);
    socket.destroy();
    await expect.poll(underWay, POLL).toBe(0);
    const { answers } = (await api.get('/admin/stats')).body;
    for (const name of ['GET /api/books', 'GET /api/books/{isbn}', 'POST /api/carts'])
      expect((answers[name]?.[499] ?? 0) - (before[name]?.[499] ?? 0), name).toBe(1);
    const logged = () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .filter((fields) => fields[7] === 'ahead')
        .map((fields) => fields[5]);
    await expect.poll(logged, POLL).toEqual(['499', '499', '499']);
  });
});
