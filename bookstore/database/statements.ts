/**
 * Every SQL statement of the running API, one table: PostgreSQL and the embedded database get the same text, and the
 * counters at `/admin/stats` are kept by these keys.
 */

/** Tables live in a schema of their own, so that a shared database keeps its `public` schema untouched. */
export const SCHEMA = 'bookstore';

export const SQL = {
  begin: 'BEGIN',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',

  /** $1 category or null, $2 limit, $3 offset. */
  list: `SELECT isbn, title, price_cents FROM bookstore.books WHERE category = $1
         ORDER BY isbn LIMIT $2 OFFSET $3`,
  listAll: 'SELECT isbn, title, price_cents FROM bookstore.books ORDER BY isbn LIMIT $1 OFFSET $2',
  /** Books never change after the seed: counting 10,000 index entries a page would cost more than the page itself. */
  total: 'SELECT coalesce(sum(books), 0)::int AS total FROM bookstore.categories WHERE $1::text IS NULL OR name = $1',
  /**
   * $1 text-search query, $2 category or null, $3 limit, $4 offset. All matches are found first, by the word index:
   * with ORDER BY and LIMIT on the table itself the planner walks the whole primary key instead (measured 20 times
   * slower). Only the page's rows are then read in full.
   */
  search: `WITH found AS MATERIALIZED (
             SELECT isbn FROM bookstore.books
             WHERE words @@ to_tsquery('simple', $1) AND ($2::text IS NULL OR category = $2)
           ), page AS MATERIALIZED (
             SELECT isbn FROM found ORDER BY isbn LIMIT $3 OFFSET $4
           )
           SELECT b.isbn, b.title, b.price_cents, (SELECT count(*)::int FROM found) AS total
           FROM page JOIN bookstore.books b ON b.isbn = page.isbn ORDER BY b.isbn`,
  searchTotal: `SELECT count(*)::int AS total FROM bookstore.books
                WHERE words @@ to_tsquery('simple', $1) AND ($2::text IS NULL OR category = $2)`,
  book: 'SELECT isbn, title, author, category, price_cents, year FROM bookstore.books WHERE isbn = $1',
  stock: 'SELECT quantity FROM bookstore.stock WHERE isbn = $1',

  cartCreate: 'INSERT INTO bookstore.carts (id) VALUES ($1)',
  cartExists: 'SELECT 1 AS found FROM bookstore.carts WHERE id = $1',
  cartItems: 'SELECT isbn, quantity FROM bookstore.cart_items WHERE cart_id = $1 ORDER BY isbn',
  /** $1 cart, $2 isbn, $3 quantity; no row back when the cart or the book does not exist. */
  itemPut: `INSERT INTO bookstore.cart_items (cart_id, isbn, quantity)
            SELECT c.id, b.isbn, $3::int FROM bookstore.carts c, bookstore.books b WHERE c.id = $1 AND b.isbn = $2
            ON CONFLICT (cart_id, isbn) DO UPDATE SET quantity = EXCLUDED.quantity
            RETURNING isbn`,

  /** Two orders of the same cart wait for each other here; the second then finds it empty. */
  cartLock: 'SELECT 1 AS found FROM bookstore.carts WHERE id = $1 FOR UPDATE',
  /**
   * Rows are locked in ISBN order (the lock step runs above the sort), so two orders of the same books cannot
   * deadlock, and the quantities that come back are the ones after the wait.
   */
  orderLines: `SELECT i.isbn, i.quantity AS wanted, s.quantity AS available, b.price_cents
               FROM bookstore.cart_items i
               JOIN bookstore.stock s ON s.isbn = i.isbn
               JOIN bookstore.books b ON b.isbn = i.isbn
               WHERE i.cart_id = $1 ORDER BY i.isbn FOR UPDATE OF s, i`,
  /** $1 cart, $2 total, $3 status. Everything that an order changes, in one statement: each one sent costs a round trip. */
  orderPlace: `WITH lines AS (
                 DELETE FROM bookstore.cart_items WHERE cart_id = $1 RETURNING isbn, quantity
               ), taken AS (
                 UPDATE bookstore.stock s SET quantity = s.quantity - l.quantity FROM lines l WHERE s.isbn = l.isbn
               ), placed AS (
                 INSERT INTO bookstore.orders (cart_id, total_cents, status) VALUES ($1, $2::bigint, $3) RETURNING id
               ), items AS (
                 INSERT INTO bookstore.order_items (order_id, isbn, quantity, price_cents)
                 SELECT placed.id, l.isbn, l.quantity, b.price_cents
                 FROM placed, lines l JOIN bookstore.books b ON b.isbn = l.isbn
               )
               SELECT id FROM placed`,
  orderStatus: 'UPDATE bookstore.orders SET status = $2 WHERE id = $1',

  ordersByStatus: `SELECT status, count(*)::int AS orders, coalesce(sum(total_cents), 0)::float8 AS cents
                   FROM bookstore.orders GROUP BY status`,
  stockLedger: `SELECT count(*)::int AS books, coalesce(sum(quantity), 0)::float8 AS copies,
                coalesce(min(quantity), 0)::int AS minimum FROM bookstore.stock`,
  soldLedger: `SELECT coalesce(sum(quantity), 0)::float8 AS copies,
               coalesce(sum(quantity::bigint * price_cents), 0)::float8 AS cents FROM bookstore.order_items`,
  stockSummary: 'SELECT count(*)::int AS books, coalesce(min(quantity), 0)::int AS minimum FROM bookstore.stock',
  /** $1 quantity. */
  // Locks in the order in which orders lock, so that the two wait for each other and never deadlock.
  stockSetAll: `WITH locked AS (SELECT isbn FROM bookstore.stock WHERE quantity <> $1 ORDER BY isbn FOR UPDATE)
                UPDATE bookstore.stock s SET quantity = $1 FROM locked WHERE s.isbn = locked.isbn`,
  stockSetOne: 'UPDATE bookstore.stock SET quantity = $1 WHERE isbn = $2 RETURNING isbn',
} as const;

export type StatementName = keyof typeof SQL;
export const STATEMENT_NAMES = Object.keys(SQL) as StatementName[];
