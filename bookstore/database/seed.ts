/** Puts the catalogue into the database; running it again changes nothing. */
import { type Book, bookOf } from '../catalogue/books.ts';
import { SetupError } from '../setup-error.ts';
import type { Driver, Run } from './driver.ts';
import { INDEX_STATEMENTS, SCHEMA_STATEMENTS } from './schema.ts';

/** Stock of every new book unless another level is asked for: enough to outlast any run. */
export const DEFAULT_STOCK = 1_000_000;

const CHUNK = 5_000;
/** Any fixed number: two bookstores that start at once on one database seed one after the other. */
const SEED_LOCK = 7_391_201;

export interface SeedOptions {
  /** Books of the reference catalogue, 1 or more. */
  readonly books: number;
  /** Stock level of every book; without it, books that are already there keep theirs and new ones get the default. */
  readonly stock?: number | undefined;
}

/**
 * Creates what is missing: tables, books, stock, indexes.
 * @throws SetupError when the database holds another catalogue than the one asked for
 */
export async function seed(driver: Driver, { books, stock }: SeedOptions): Promise<void> {
  await driver.exclusive(async (run) => {
    // Any other encoding cannot hold every search term, and says so only when one comes: as a 500.
    const encoding = (await run("SELECT current_setting('server_encoding') AS encoding", []))[0]?.['encoding'];
    if (encoding !== 'UTF8') {
      throw new SetupError(
        `The database is encoded in ${String(encoding)}, which cannot hold every search term; ` +
          `use one made with: createdb --encoding=UTF8 --template=template0 NAME.`,
      );
    }
    await run('SELECT pg_advisory_lock($1)', [SEED_LOCK]);
    try {
      for (const statement of SCHEMA_STATEMENTS) await run(statement, []);
      const there = Number((await run('SELECT count(*)::int AS books FROM bookstore.books', []))[0]?.['books']);
      if (there > books) {
        throw new SetupError(
          `The database already holds ${there} books but ${books} were asked for; ` +
            `use --books ${there}, or drop its schema "bookstore" to start afresh.`,
        );
      }
      // A seed that was cut short left whole chunks: go on from the last whole one.
      for (let from = Math.floor(there / CHUNK) * CHUNK; from < books; from += CHUNK) {
        await insertBooks(run, from, Math.min(from + CHUNK, books));
      }
      await checkCatalogue(run, books);
      await run(
        // Looks for the missing ones first: forty thousand conflicts would cost every later start a second.
        `INSERT INTO bookstore.stock (isbn, quantity)
         SELECT b.isbn, $1::int FROM bookstore.books b
         LEFT JOIN bookstore.stock s ON s.isbn = b.isbn WHERE s.isbn IS NULL`,
        [stock ?? DEFAULT_STOCK],
      );
      if (stock !== undefined) await run('UPDATE bookstore.stock SET quantity = $1 WHERE quantity <> $1', [stock]);
      await run(
        `INSERT INTO bookstore.categories (name, books) SELECT category, count(*)::int FROM bookstore.books GROUP BY category
         ON CONFLICT (name) DO UPDATE SET books = EXCLUDED.books`,
        [],
      );
      for (const statement of INDEX_STATEMENTS) await run(statement, []);
      if (there < books) for (const table of ['books', 'stock']) await run(`ANALYZE bookstore.${table}`, []);
    } finally {
      await run('SELECT pg_advisory_unlock($1)', [SEED_LOCK]).catch(() => undefined);
    }
  });
}

async function insertBooks(run: Run, from: number, to: number): Promise<void> {
  const rows: Book[] = [];
  for (let n = from; n < to; n++) rows.push(bookOf(n));
  await run(
    `INSERT INTO bookstore.books (isbn, title, author, category, price_cents, year)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::int[])
     ON CONFLICT (isbn) DO NOTHING`,
    [
      rows.map((book) => book.isbn),
      rows.map((book) => book.title),
      rows.map((book) => book.author),
      rows.map((book) => book.category),
      rows.map((book) => book.priceCents),
      rows.map((book) => book.year),
    ],
  );
}

/** A schema "bookstore" that somebody else filled would pass the inserts and fail the load test. */
async function checkCatalogue(run: Run, books: number): Promise<void> {
  const count = Number((await run('SELECT count(*)::int AS books FROM bookstore.books', []))[0]?.['books']);
  const last = bookOf(books - 1);
  const found = await run('SELECT title FROM bookstore.books WHERE isbn = $1', [last.isbn]);
  if (count !== books || found[0]?.['title'] !== last.title) {
    throw new SetupError(
      `The schema "bookstore" of this database holds ${count} books that are not the reference catalogue of ${books}; ` +
        'use another database, or drop that schema.',
    );
  }
}
