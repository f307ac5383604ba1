/** The server that the conformance scripts speak to: every answer that a load test can meet, on a free loopback port. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ConformanceServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  close(): Promise<void>;
}

type Answer = (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => void;

const ROUTES: Readonly<Record<string, Answer>> = {
  /** `?ms=` delay, `?st=` status. */
  '/ok': (_, response, query) => {
    setTimeout(
      () => {
        response.statusCode = Number(query.get('st') ?? 200);
        response.setHeader('content-type', 'application/json');
        response.end('{"a":1}');
      },
      Number(query.get('ms') ?? 0),
    );
  },
  '/redir': (_, response) => response.writeHead(302, { location: '/ok' }).end(),
  '/redir307': (_, response) => response.writeHead(307, { location: '/echo' }).end(),
  '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/reset': (request) => request.socket.resetAndDestroy(),
  '/close': (request) => request.socket.destroy(),
  '/hang': () => undefined,
  '/hangbody': (_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('abc');
  },
  '/empty': (_, response) => response.writeHead(204).end(),
  '/echo': (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.setHeader('set-cookie', 'sid=1; Path=/');
      response.end(JSON.stringify({ method: request.method, headers: request.headers, body }));
    });
  },
};

/** @param port 0 for a free one */
export async function startConformanceServer(port = 0): Promise<ConformanceServer> {
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const route = ROUTES[url.pathname];
    if (route === undefined) response.writeHead(404).end('no such page');
    else route(request, response, url.searchParams);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
