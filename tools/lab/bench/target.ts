/**
 * A target that costs next to nothing: it answers the bookstore's requests with bodies of their shape and does no work.
 * It runs in the process that measures, never in k6's, and counts what really arrived.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { CATALOGUE_SIZE } from '../../../bookstore/catalogue/books.ts';
import { listenOnLoopback } from '../loopback.ts';

export interface Target {
  readonly url: string;
  /** Requests since the last `reset`. */
  readonly requests: number;
  /** Time of the first of them by `performance.now()`, ms; undefined before it. */
  readonly firstAt: number | undefined;
  reset(): void;
  close(): Promise<void>;
}

const PAGE = body({
  items: [{ isbn: '9790000000001', title: 'A book', price: 99.9 }],
  page: 1,
  pageSize: 20,
  total: 1,
});
const STATUS = body({
  service: 'bookstore',
  version: 'bench',
  books: CATALOGUE_SIZE,
  minimumStock: 1_000_000_000,
  rateLimit: null,
  payments: 'stub',
  cacheTtlSeconds: 60,
  admin: false,
});

/** Starts the target on a free loopback port. */
export async function startTarget(): Promise<Target> {
  let requests = 0;
  let firstAt: number | undefined;
  const server = createServer((request, response) => {
    requests++;
    firstAt ??= performance.now();
    const [status, answer] = answerTo(request.method ?? '', request.url ?? '');
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
  server.keepAliveTimeout = 120_000;
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    close,
    get requests() {
      return requests;
    },
    get firstAt() {
      return firstAt;
    },
    reset() {
      requests = 0;
      firstAt = undefined;
    },
  };
}

function answerTo(method: string, url: string): [number, Buffer] {
  const path = url.split('?', 1)[0] as string;
  const isbn = /^\/api\/books\/([0-9]{13})$/.exec(path)?.[1];
  if (isbn !== undefined) {
    const book = { isbn, title: 'The Silent Harbour', author: 'Ada Abel', category: 'fiction', price: 99.9 };
    return [200, body({ ...book, year: 1950, stock: 1_000_000 })];
  }
  if (path === '/api/books') return [200, PAGE];
  if (path === '/api/status') return [200, STATUS];
  if (method === 'POST' && path === '/api/carts') return [201, body({ id: randomUUID(), items: [] })];
  if (method === 'PUT') return [200, body({ id: path.split('/')[3], items: [{ quantity: 1 }] })];
  if (method === 'POST' && path === '/api/orders') return [201, body({ id: 1, status: 'Paid', total: 99.9 })];
  return [404, body({ error: 'not found' })];
}

function body(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
