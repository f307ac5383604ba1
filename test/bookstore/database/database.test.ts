import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isbnOf } from '../../../bookstore/catalogue/books.ts';
import { connect, withoutPassword } from '../../../bookstore/database/connect.ts';
import type { Database } from '../../../bookstore/database/database.ts';
import { imageFile } from '../../../bookstore/database/image-cache.ts';
import {
  EMBEDDED_START_MS,
  filledCart,
  TEST_BOOKS,
  type TestBookstore,
  testBookstore,
} from '../../support/bookstore.ts';
import { postgresBinaries, type TemporaryPostgres, temporaryPostgres } from '../../support/postgres.ts';

const binaries = postgresBinaries();
let postgres: TemporaryPostgres | undefined;
beforeAll(async () => {
  if (binaries !== undefined) postgres = await temporaryPostgres(binaries);
});
afterAll(() => postgres?.remove());

describe.each([
  ['embedded', true],
  ['PostgreSQL', binaries !== undefined],
] as const)('orders on %s', (kind, available) => {
  let shop: TestBookstore;
  beforeAll(async () => {
    if (available) shop = await testBookstore(kind === 'embedded' ? {} : { databaseUrl: postgres?.url });
  }, EMBEDDED_START_MS);
  afterAll(() => shop?.close());

  it.runIf(available)('sell exactly what is there when many want the last copies at once', async () => {
    const { api } = shop;
    await api.send('POST', '/admin/stock', { quantity: 7, isbn: isbnOf(5) });
    const before = (await api.get('/admin/ledger')).body;
    const carts = await Promise.all(Array.from({ length: 40 }, () => filledCart(api, [[5, 1]])));
    const orders = await Promise.all(carts.map((cartId) => api.send('POST', '/api/orders', { cartId })));
    const statuses = orders.map((order) => order.status).sort();
    expect(statuses).toEqual([...Array(7).fill(201), ...Array(33).fill(409)]);
    const after = (await api.get('/admin/ledger')).body;
    expect(after.stock.minimum).toBe(0);
    expect(after.sold.copies - before.sold.copies).toBe(7);
  });

  it.runIf(available)(
    'of the same books in opposite order neither deadlock nor oversell, and are all or nothing',
    async () => {
      const { api } = shop;
      for (const [n, quantity] of [
        [11, 30],
        [12, 20],
        [13, 25],
      ] as const) {
        await api.send('POST', '/admin/stock', { quantity, isbn: isbnOf(n) });
      }
      const before = (await api.get('/admin/ledger')).body;
      const baskets = [
        [
          [11, 1],
          [12, 1],
        ],
        [
          [12, 1],
          [13, 2],
          [11, 1],
        ],
        [
          [13, 1],
          [12, 1],
        ],
      ] as const;
      const carts = await Promise.all(Array.from({ length: 60 }, (_, n) => filledCart(api, baskets[n % 3] ?? [])));
      const orders = await Promise.all(carts.map((cartId) => api.send('POST', '/api/orders', { cartId })));
      const sold = [0, 0, 0];
      let copies = 0;
      for (const [n, order] of orders.entries()) {
        expect([201, 409]).toContain(order.status);
        if (order.status === 409) continue;
        for (const [book, quantity] of baskets[n % 3] ?? []) {
          sold[book - 11] = (sold[book - 11] ?? 0) + quantity;
          copies += quantity;
        }
      }
      const left: number[] = [];
      await api.send('POST', '/admin/cache/purge');
      for (const n of [11, 12, 13]) left.push((await api.get(`/api/books/${isbnOf(n)}`)).body.stock);
      // Each basket holds book 12, so the 20 copies of it are the limit of all.
      expect(sold.map((quantity, n) => quantity + (left[n] ?? 0))).toEqual([30, 20, 25]);
      const after = (await api.get('/admin/ledger')).body;
      expect(after.sold.copies - before.sold.copies).toBe(copies);
      expect(before.stock.copies - after.stock.copies).toBe(copies);
      expect(shop.errors).toEqual([]);
    },
  );

  it.runIf(available)('of one cart, sent twenty times at once, are one order', async () => {
    const { api } = shop;
    const cartId = await filledCart(api, [[40, 2]]);
    const orders = await Promise.all(Array.from({ length: 20 }, () => api.send('POST', '/api/orders', { cartId })));
    expect(orders.map((order) => order.status).sort()).toEqual([201, ...Array(19).fill(400)]);
    expect((await api.get('/api/status')).body.database).toBe(kind === 'embedded' ? 'embedded' : 'postgresql');
  });
});

describe.runIf(binaries !== undefined)('PostgreSQL', () => {
  const options = () => ({
    databaseUrl: postgres?.url,
    books: TEST_BOOKS,
    connections: 4,
    cacheFolder: null,
    waitSeconds: 0,
  });

  it('is seeded by two bookstores at once, and a further start changes nothing but what it was asked to', async () => {
    const client = new pg.Client({ connectionString: postgres?.url });
    await client.connect();
    await client.query('DROP SCHEMA IF EXISTS bookstore CASCADE');
    const both = await Promise.all([connect(options()), connect(options())]);
    const look = async (database: Database) => (await database.query('stockLedger'))[0];
    const [first, second] = both as [Database, Database];
    expect(await look(first)).toEqual({ books: TEST_BOOKS, copies: TEST_BOOKS * 1_000_000, minimum: 1_000_000 });
    await first.query('stockSetOne', 3, isbnOf(0));
    const third = await connect(options());
    expect((await look(third))?.['minimum']).toBe(3);
    const fourth = await connect({ ...options(), stock: 9 });
    expect(await look(fourth)).toEqual({ books: TEST_BOOKS, copies: TEST_BOOKS * 9, minimum: 9 });
    for (const database of [first, second, third, fourth]) await database.close();

    await expect(connect({ ...options(), books: 100 })).rejects.toThrow(`already holds ${TEST_BOOKS} books`);
    await client.query("UPDATE bookstore.books SET title = 'Another catalogue' WHERE isbn = $1", [
      isbnOf(TEST_BOOKS - 1),
    ]);
    await expect(connect(options())).rejects.toThrow('not the reference catalogue');
    await client.query('DROP SCHEMA bookstore CASCADE');
    await client.end();
  });

  it('that goes away means 503 with the reason, and service again when it is back', async () => {
    const shop = await testBookstore({ databaseUrl: postgres?.url });
    const { api } = shop;
    expect((await api.get('/api/books')).status).toBe(200);
    const cartId = await filledCart(api, [[50, 1]]);
    await postgres?.stop();
    const down = [
      await api.get('/api/books'),
      await api.send('POST', '/api/orders', { cartId }),
      await api.get('/api/status'),
    ];
    expect(down.map((answer) => answer.status)).toEqual([503, 503, 503]);
    expect(down[0]?.body.error).toContain('database unavailable');
    expect(down[0]?.headers['retry-after']).toBe('1');
    await postgres?.start();
    expect((await api.send('POST', '/api/orders', { cartId })).status).toBe(201);
    await shop.close();
  });

  it('that is not there ends the start with one sentence that shows no password', async () => {
    const gone = connect({ ...options(), databaseUrl: 'postgres://shop:secret@127.0.0.1:1/x' });
    await expect(gone).rejects.toThrow(
      /^The database at postgres:\/\/shop:\*\*\*@127\.0\.0\.1:1\/x cannot be used: .*ECONNREFUSED/,
    );
    // No password, and none made out of the scheme's colon.
    expect(withoutPassword('postgres://u@h:5432/d')).toBe('postgres://u@h:5432/d');
    expect(withoutPassword('postgresql://u:p%40ss@h/d')).toBe('postgresql://u:***@h/d');
    expect(withoutPassword('postgres://u:p@s/s@h/d')).toBe('postgres://u:***@h/d');
  });

  it('of another kind is refused before anything is sent', async () => {
    for (const url of ['foo', 'mysql://u:secret@h/d', 'u:secret@127.0.0.1/d', '']) {
      const refused = connect({ ...options(), databaseUrl: url });
      await expect(refused, url).rejects.toThrow(/is none of PostgreSQL: give postgres:/);
      await expect(refused, url).rejects.not.toThrow(/secret/);
    }
  });
});

describe('image of the embedded database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bookstore-image-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it(
    'that is damaged is replaced, and a start from it equals a fresh one',
    async () => {
      const embedded = { books: 40, connections: 1, cacheFolder: folder, waitSeconds: 0 };
      const image = imageFile(folder, 40);
      writeFileSync(image.file, 'not an image');
      const fresh = await connect({ ...embedded, stock: 5 });
      const page = await fresh.query('search', "'harbour':*", null, 20, 0);
      expect((await fresh.query('stockLedger'))[0]).toEqual({ books: 40, copies: 200, minimum: 5 });
      await fresh.close();
      expect(readdirSync(folder)).toEqual([image.file.split('/').at(-1)]);

      // The image holds the default level; 5 was that start's own.
      const again = await connect(embedded);
      expect((await again.query('stockLedger'))[0]).toEqual({ books: 40, copies: 4e7, minimum: 1_000_000 });
      expect(await again.query('search', "'harbour':*", null, 20, 0)).toEqual(page);
      await again.close();
    },
    EMBEDDED_START_MS,
  );
});
