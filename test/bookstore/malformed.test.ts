/** A thousand requests that no client should send: none may end in a 5xx, and the books must still add up afterwards. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isbnOf } from '../../bookstore/catalogue/books.ts';
import { EMBEDDED_START_MS, filledCart, TEST_BOOKS, type TestBookstore, testBookstore } from '../support/bookstore.ts';

let shop: TestBookstore;
beforeAll(async () => {
  shop = await testBookstore();
}, EMBEDDED_START_MS);
afterAll(() => shop?.close());

/** Marsaglia's xorshift32 (2003): the same thousand requests each time. */
function xorshift(seed: number): () => number {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
}
const random = xorshift(20_260_301);
const int = (n: number): number => Math.floor(random() * n);
const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T;

const SQL = [
  "' OR '1'='1",
  "'; DROP TABLE bookstore.stock; --",
  '1; UPDATE bookstore.stock SET quantity = 0 --',
  '") UNION SELECT null,null,null --',
  "' || pg_sleep(10) || '",
  '\\',
  "E'\\x00'",
  '$1',
  '%',
  "harbour':* & !('",
  '<->',
];
const ODD = [
  '',
  ' ',
  '\0',
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  'NaN',
  'null',
  '[object Object]',
  '💥',
  'é'.repeat(50),
  'x'.repeat(3_000),
];
const RAW_ESCAPES = [
  '%00',
  '%',
  '%zz',
  '%c0%ae',
  '%ff%fe',
  '%F0%9F%92%A5',
  '%2e%2e%2f',
  '..',
  '%2F',
  '%5c',
  '//',
  ';x=1',
  '#',
  '\\',
];
const VALUES: readonly unknown[] = [null, true, 0, -1, 1.5, 1e308, '1', '', [], {}, [1], { a: 1 }, ...SQL, ...ODD];

const badText = (): string => pick([pick(SQL), pick(ODD), pick(SQL) + pick(ODD)]);
const badSegment = (): string =>
  pick([encodeURIComponent(badText()), pick(RAW_ESCAPES), pick(RAW_ESCAPES) + pick(RAW_ESCAPES)]);

function http(method: string, target: string, body = '', headers: readonly string[] = []): string {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  if (body !== '') lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
const JSON_TYPE = 'Content-Type: application/json';
const GHOST = '00000000-0000-4000-8000-000000000000';

function badJson(good: string): string {
  const at = int(good.length);
  return pick([
    good.slice(0, at),
    good.slice(0, at) + pick(['"', '}', '\\u', '\0', ',,', "'"]) + good.slice(at),
    `${good}${good}`,
    '['.repeat(5_000),
    '{"__proto__":{"quantity":1}}',
    '{"constructor":{"prototype":{"quantity":1}}}',
    `{"quantity":${pick(['1e999', '-0', '01', '0x1', '1_000', '9'.repeat(400)])}}`,
    '\ufeff{}',
  ]);
}

/** One of each kind in turn, so that a thousand requests hold a hundred of each. */
const KINDS: readonly ((cart: string) => string)[] = [
  () => http('GET', `/api/books/${badSegment()}`),
  () => http('GET', `/api/books/979${String(int(1e10)).padStart(10, '0')}`),
  () =>
    http(
      'GET',
      `/api/books?${pick(['search', 'category', 'page'])}=${badSegment()}&${pick(['page', 'x', 'search[]'])}=${badSegment()}`,
    ),
  (cart) =>
    http(
      'PUT',
      `/api/carts/${pick([cart, badSegment()])}/items/${pick([isbnOf(1), badSegment()])}`,
      JSON.stringify({ quantity: pick(VALUES) }),
      [JSON_TYPE],
    ),
  () => http('POST', '/api/orders', JSON.stringify({ cartId: pick(VALUES), [badText()]: pick(VALUES) }), [JSON_TYPE]),
  () =>
    http(
      pick(['POST', 'PUT']),
      pick(['/api/orders', '/api/carts', '/admin/stock', '/admin/faults', `/api/carts/${GHOST}/items/${isbnOf(1)}`]),
      badJson(`{"cartId":"${GHOST}","quantity":1}`),
      [JSON_TYPE],
    ),
  () =>
    http('POST', pick(['/api/orders', '/api/carts']), pick(['a=1', '<x/>', 'x'.repeat(int(200_000))]), [
      pick([
        'Content-Type: text/xml',
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Type: ;',
        'X: y',
        JSON_TYPE,
      ]),
    ]),
  () =>
    http(
      pick(['GET', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'BREW', 'get']),
      pick([
        '*',
        '/',
        '/../../etc/passwd',
        '/api/../admin/stats/..',
        'http://elsewhere/api/books',
        'api/books',
        `/${pick(RAW_ESCAPES)}`,
        `/api/books?${'a=b&'.repeat(500)}`,
        `/${'a/'.repeat(1_000)}`,
      ]),
    ),
  () =>
    http('POST', '/api/carts', '', [
      pick([
        'Content-Length: -1',
        'Content-Length: 5',
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: gzip',
        'Expect: 200-maybe',
        `X-Long: ${'y'.repeat(20_000)}`,
        'Bad Header: x',
        'Upgrade: websocket',
        `X-Session-Id: ${'\t'.repeat(9)}`,
      ]),
    ]),
  () =>
    Array.from({ length: 1 + int(400) }, () => String.fromCharCode(int(256))).join('') +
    pick(['', '\r\n\r\n', '\n\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']),
];

/** Sends bytes, says nothing more, and reads to the end; the status, or undefined when the server just hung up. */
function send(bytes: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port: shop.bookstore.port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    const done = (): void => {
      socket.destroy();
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
      resolve(status === undefined ? undefined : Number(status));
    };
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      text += data;
    });
    socket.once('end', done);
    socket.once('error', done);
    // A chunked body that never begins keeps the request open: the test must not wait for the server's time-out.
    socket.setTimeout(2_000, done);
    // Raw bytes are latin1, everything else UTF-8.
    socket.end(bytes, /^[A-Z]+ /i.test(bytes) ? 'utf8' : 'latin1');
  });
}

describe('a thousand malformed requests', () => {
  it('get no 5xx, crash nothing and cost no stock', async () => {
    const { api } = shop;
    // A full cart that the requests may aim at: an order of it would be the only one.
    const cart = await filledCart(api, [[1, 2]]);
    const before = (await api.get('/admin/ledger')).body;
    const requests = Array.from({ length: 1_000 }, (_, n) => (KINDS[n % KINDS.length] as (typeof KINDS)[number])(cart));
    const wrong: string[] = [];
    const classes: Record<string, number> = {};
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let request = requests[next++]; request !== undefined; request = requests[next++]) {
        const status = await send(request);
        const kind = status === undefined ? 'hung up' : `${Math.floor(status / 100)}xx`;
        classes[kind] = (classes[kind] ?? 0) + 1;
        if (kind === '5xx') wrong.push(`${status} for ${JSON.stringify(request.slice(0, 300))}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(wrong).toEqual([]);
    expect(shop.errors).toEqual([]);
    // They were refused, not swallowed: harmless ones (an ISBN that does exist, a cart made) are the minority.
    expect(classes['4xx']).toBeGreaterThan(600);

    expect((await api.get('/admin/ledger')).body).toEqual(before);
    expect((await api.get('/api/status')).body).toMatchObject({ books: TEST_BOOKS, minimumStock: 1_000_000 });
    expect((await api.get('/admin/faults')).body).toEqual({ faults: [] });
    const order = await api.send('POST', '/api/orders', { cartId: cart });
    expect(order.status).toBe(201);
    const after = (await api.get('/admin/ledger')).body;
    expect(before.stock.copies - after.stock.copies).toBe(after.sold.copies);
  }, 120_000);
});
