/** A small stand-in for the bookstore with its interface, on a free loopback port, whose behaviour a test can bend. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TargetStatus } from '../../scenarios/bookstore/preflight.ts';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly atMs: number;
}

export interface FakeOptions {
  /** Fields of /api/status that differ from a healthy bookstore of 40,000 books. */
  readonly status?: Readonly<Record<string, unknown>>;
  /** Answers instead of the stand-in; undefined leaves it to the stand-in. */
  readonly override?: (request: SeenRequest) =>
    | {
        status: number;
        body?: unknown;
        delayMs?: number;
        location?: string;
        headers?: Readonly<Record<string, string>>;
      }
    | undefined;
}

export interface FakeBookstore {
  readonly url: string;
  /** Requests of sessions in order of arrival; the pre-flight's come before them. */
  readonly seen: readonly SeenRequest[];
  close(): Promise<void>;
}

export async function startFakeBookstore(options: FakeOptions = {}): Promise<FakeBookstore> {
  const seen: SeenRequest[] = [];
  let orders = 0;
  const server = createServer((request, response) => {
    request.resume();
    const one: SeenRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      atMs: performance.now(),
    };
    seen.push(one);
    const { status, body, delayMs = 0, location, headers = {} } = options.override?.(one) ?? answer(one);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (location !== undefined) response.setHeader('location', location);
    if (delayMs > 0) setTimeout(() => send(response, status, body), delayMs);
    else send(response, status, body);
  });

  function answer({ method, path }: SeenRequest): {
    status: number;
    body?: unknown;
    delayMs?: number;
    location?: string;
    headers?: Readonly<Record<string, string>>;
  } {
    const { pathname, searchParams } = new URL(path, 'http://x');
    const isbn = /^\/api\/books\/(\d{13})$/.exec(pathname)?.[1];
    if (pathname === '/api/status') return { status: 200, body: { ...HEALTHY, ...options.status } };
    if (isbn !== undefined) return { status: 200, body: { isbn, title: 'A book', price: 99.9, stock: 5 } };
    if (pathname === '/api/books') {
      const items = [{ isbn: '9790000000001', title: searchParams.get('search') ?? 'A book', price: 99.9 }];
      return { status: 200, body: { items, page: 1, pageSize: 20, total: 1 } };
    }
    if (method === 'POST' && pathname === '/api/carts') {
      return { status: 201, body: { id: crypto.randomUUID(), items: [] } };
    }
    if (method === 'PUT' && /^\/api\/carts\/[^/]+\/items\/\d{13}$/.test(pathname)) return { status: 200, body: {} };
    if (method === 'POST' && pathname === '/api/orders') {
      orders++;
      return { status: 201, body: { id: orders, status: 'Paid', total: 99.9 } };
    }
    return { status: 404, body: { error: 'not found' } };
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** What a target in order says of itself. */
export const HEALTHY: TargetStatus = {
  service: 'bookstore',
  version: '0',
  books: 40_000,
  minimumStock: 1_000_000,
  rateLimit: null,
  payments: 'stub',
  cacheTtlSeconds: 60,
  admin: false,
};

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(body === undefined ? '' : JSON.stringify(body));
}
