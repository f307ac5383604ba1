/** A bookstore for a test file: small catalogue, embedded database unless an URL is given, admin routes on. */

import { isbnOf } from '../../bookstore/catalogue/books.ts';
import { type Bookstore, startBookstore } from '../../bookstore/main.ts';
import type { BookstoreOptions } from '../../bookstore/options.ts';
import { type Client, client } from './http.ts';

/** All tests use catalogues of the same size, so that they share one image of the seeded embedded database. */
export const TEST_BOOKS = 400;

/** The first start of all makes the image: 3 s on an idle machine, ten times that on one that runs other tests. */
export const EMBEDDED_START_MS = 180_000;

/** For `expect.poll`: its one second is short on a machine that runs other tests. */
export const POLL = { timeout: 25_000 } as const;

export interface TestBookstore {
  readonly bookstore: Bookstore;
  readonly api: Client;
  /** Errors that the API reported as its own or its database's. */
  readonly errors: Error[];
  close(): Promise<void>;
}

export async function testBookstore(options: BookstoreOptions = {}): Promise<TestBookstore> {
  const errors: Error[] = [];
  const bookstore = await startBookstore({
    books: TEST_BOOKS,
    admin: true,
    onError: (error) => errors.push(error),
    ...options,
  });
  const api = client(bookstore.url);
  return {
    bookstore,
    api,
    errors,
    close: async () => {
      await api.close();
      await bookstore.close();
    },
  };
}

/** A cart with these books in it (0-based index and quantity); its id. */
export async function filledCart(api: Client, items: readonly (readonly [number, number])[]): Promise<string> {
  const { id } = (await api.send('POST', '/api/carts')).body as { id: string };
  for (const [n, quantity] of items) {
    const answer = await api.send('PUT', `/api/carts/${id}/items/${isbnOf(n)}`, { quantity });
    if (answer.status !== 200) throw new Error(`the item was not taken: ${answer.status} ${answer.text}`);
  }
  return id;
}
