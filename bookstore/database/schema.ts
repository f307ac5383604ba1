/** Tables and indexes, each statement safe to run again on a database that already has them. */

export const SCHEMA_STATEMENTS: readonly string[] = [
  'CREATE SCHEMA IF NOT EXISTS bookstore',
  `CREATE TABLE IF NOT EXISTS bookstore.books (
     isbn text PRIMARY KEY,
     title text NOT NULL,
     author text NOT NULL,
     category text NOT NULL,
     price_cents int NOT NULL CHECK (price_cents >= 0),
     year int NOT NULL,
     -- Word search is built in; trigrams would need an extension that a plain PostgreSQL user may not create.
     words tsvector GENERATED ALWAYS AS (to_tsvector('simple'::regconfig, title || ' ' || author)) STORED
   )`,
  `CREATE TABLE IF NOT EXISTS bookstore.categories (
     name text PRIMARY KEY,
     books int NOT NULL
   )`,
  `CREATE TABLE IF NOT EXISTS bookstore.stock (
     isbn text PRIMARY KEY REFERENCES bookstore.books,
     -- The last line of defence: whatever the code does, the database refuses to oversell.
     quantity int NOT NULL CHECK (quantity >= 0)
   ) WITH (fillfactor = 70)`,
  `CREATE TABLE IF NOT EXISTS bookstore.carts (
     id uuid PRIMARY KEY,
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE TABLE IF NOT EXISTS bookstore.cart_items (
     cart_id uuid NOT NULL REFERENCES bookstore.carts,
     isbn text NOT NULL REFERENCES bookstore.books,
     quantity int NOT NULL CHECK (quantity > 0),
     PRIMARY KEY (cart_id, isbn)
   )`,
  `CREATE TABLE IF NOT EXISTS bookstore.orders (
     id int PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
     cart_id uuid NOT NULL REFERENCES bookstore.carts,
     total_cents bigint NOT NULL,
     status text NOT NULL CHECK (status IN ('Placed', 'PaymentPending', 'Paid')),
     created_at timestamptz NOT NULL DEFAULT now()
   )`,
  `CREATE TABLE IF NOT EXISTS bookstore.order_items (
     order_id int NOT NULL REFERENCES bookstore.orders,
     isbn text NOT NULL REFERENCES bookstore.books,
     quantity int NOT NULL,
     price_cents int NOT NULL,
     PRIMARY KEY (order_id, isbn)
   )`,
];

/** After the rows: building an index over a full table is cheaper than growing it row by row. */
export const INDEX_STATEMENTS: readonly string[] = [
  'CREATE INDEX IF NOT EXISTS books_category_isbn ON bookstore.books (category, isbn)',
  'CREATE INDEX IF NOT EXISTS books_words ON bookstore.books USING gin (words)',
];
