import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Driver } from '../../../bookstore/database/driver.ts';
import { openEmbedded } from '../../../bookstore/database/embedded.ts';
import { defaultCacheFolder, imageFile } from '../../../bookstore/database/image-cache.ts';
import { EMBEDDED_START_MS, TEST_BOOKS } from '../../support/bookstore.ts';

let driver: Driver;
beforeAll(async () => {
  // Any image does, and starting from one is quicker than from nothing.
  const image = imageFile(defaultCacheFolder(), TEST_BOOKS);
  driver = await openEmbedded(image.exists ? image.file : undefined);
}, EMBEDDED_START_MS);
afterAll(() => driver?.close());

describe('embedded database', () => {
  it('gives rows with the types that the pg package gives', async () => {
    const rows = await driver.run(
      `SELECT 1::int4 AS i, 2::int2 AS s, 1.5::float8 AS f, 9007199254740993::int8 AS big, 'x'::text AS t,
              NULL::int4 AS nothing, $1::text AS given, $2::int4 + 1 AS sum`,
      ['it\'s \\ "quoted" é 💥', 41],
    );
    expect(rows).toEqual([
      {
        i: 1,
        s: 2,
        f: 1.5,
        big: '9007199254740993',
        t: 'x',
        nothing: null,
        given: 'it\'s \\ "quoted" é 💥',
        sum: 42,
      },
    ]);
    expect(await driver.run('SELECT 1 AS n WHERE false', [])).toEqual([]);
    expect(await driver.run('SELECT $1::text AS nothing', [null])).toEqual([{ nothing: null }]);
    expect(await driver.run('SELECT unnest($1::int[]) AS n', [[1, 2]])).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('reports an error with its SQLSTATE and goes on, the same statement included', async () => {
    const divide = 'SELECT 10 / $1::int AS n';
    for (const round of [1, 2]) {
      await expect(driver.run('SELECT no_such_column', [])).rejects.toMatchObject({ code: '42703' });
      await expect(driver.run(divide, [0])).rejects.toMatchObject({ code: '22012' });
      expect(await driver.run(divide, [round])).toEqual([{ n: 10 / round }]);
    }
  });

  it('keeps what others send out of a transaction that is rolled back', async () => {
    await driver.run('CREATE TABLE kept (n int)', []);
    let others: Promise<unknown>[] = [];
    const failed = driver.exclusive(async (run) => {
      await run('BEGIN', []);
      await run('INSERT INTO kept VALUES (1)', []);
      others = [2, 3].map((n) => driver.run('INSERT INTO kept VALUES ($1)', [n]));
      others.push(
        driver.exclusive(async (other) => {
          await other('BEGIN', []);
          await other('INSERT INTO kept VALUES (4)', []);
          await other('COMMIT', []);
        }),
      );
      await run('ROLLBACK', []);
      throw new Error('rolled back');
    });
    await expect(failed).rejects.toThrow('rolled back');
    await Promise.all(others);
    expect((await driver.run('SELECT n FROM kept ORDER BY n', [])).map((row) => row['n'])).toEqual([2, 3, 4]);
  });

  it('leaves the event loop free while it works', async () => {
    let turns = 0;
    let working = true;
    const work = driver.run('SELECT count(*) AS n FROM generate_series(1, 1000000)', []).finally(() => {
      working = false;
    });
    while (working) {
      turns++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await work).toEqual([{ n: '1000000' }]);
    // In the same thread the whole statement would be one turn of the loop.
    expect(turns).toBeGreaterThan(50);
  });

  it('answers with a reason after it has ended', async () => {
    await driver.close();
    await expect(driver.run('SELECT 1', [])).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
  });
});
