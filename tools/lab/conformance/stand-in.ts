/** A loopback server in the place of the hosts that public scripts call: the routes of the well-known test servers, pages for all else. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { type Listening, listenOnLoopback } from '../loopback.ts';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

type Route = readonly [
  path: RegExp,
  answer: (request: Request, response: ServerResponse, found: readonly string[]) => void,
];

const PAGE = `<!doctype html><html lang="en"><head><title>Stand-in</title></head><body>
<h1 id="top" class="title big">Welcome</h1><p class="intro">A page with <em>marks</em> &amp; text.</p>
<ul id="list"><li class="one">1</li><li class="two">2</li><li class="three">3</li></ul>
<a href="/get">get</a> <a href="/my_messages.php" class="link">messages</a>
<form action="/post" method="post"><input type="hidden" name="redir" value="1"><input type="text" name="login" value="admin">
<select name="role"><option value="a">A</option><option value="b" selected>B</option></select>
<textarea name="note">hello</textarea><input type="checkbox" name="on" checked><input type="submit" value="Go!" name="go"></form>
<div data-id="7"><span>first</span><span>second</span></div></body></html>`;

const json = (response: ServerResponse, value: unknown, status = 200, headers = {}) => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
};

function echo({ method, path, query, headers, body }: Request) {
  const text = body.toString();
  const form = /^application\/x-www-form-urlencoded/.test(headers['content-type'] ?? '');
  return {
    args: Object.fromEntries(query),
    data: text,
    form: form ? Object.fromEntries(new URLSearchParams(text)) : {},
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [capital(name), value])),
    json: parsed(text),
    method,
    url: `http://${headers.host}${path}`,
  };
}

const capital = (name: string) => name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const cookiesOf = ({ headers }: Request) =>
  Object.fromEntries(
    (headers.cookie ?? '')
      .split('; ')
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );

const redirect = (response: ServerResponse, to: string, status = 302, cookies: string[] = []) => {
  response.writeHead(status, { Location: to, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) });
  response.end();
};

function compressed(response: ServerResponse, encoding: string, bytes: Buffer) {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': encoding });
  response.end(bytes);
}

const ROUTES: readonly Route[] = [
  [
    /^\/(get|post|put|patch|delete|anything|request)\b|^\/api\/(post|put|patch|delete|get)$/,
    (request, response) => json(response, echo(request)),
  ],
  [/^(?:\/api)?\/headers$/, (request, response) => json(response, { headers: echo(request).headers })],
  [/^(?:\/api)?\/status\/(\d+)/, (_, response, [status]) => void response.writeHead(Number(status)).end()],
  [
    /^(?:\/api)?\/delay\/([\d.]+)/,
    (request, response, [seconds]) =>
      void setTimeout(() => json(response, echo(request)), Math.min(Number(seconds), 0.2) * 1000),
  ],
  [
    /^(?:\/api)?\/cookies\/set$/,
    ({ query }, response) =>
      redirect(
        response,
        '/cookies',
        302,
        [...query].map(([name, value]) => `${name}=${value}; Path=/`),
      ),
  ],
  [
    /^\/cookies\/set\/([^/]+)\/([^/]+)/,
    (_, response, [name, value]) => redirect(response, '/cookies', 302, [`${name}=${value}; Path=/`]),
  ],
  [
    /^\/cookies\/delete$/,
    ({ query }, response) =>
      redirect(
        response,
        '/cookies',
        302,
        [...query].map(([name]) => `${name}=; Path=/; Max-Age=0`),
      ),
  ],
  [
    /^(?:\/api)?\/cookies$/,
    (request, response) => {
      const fromQuery = [...request.query].map(([name, value]) => `${name}=${value}; Path=/`);
      json(response, { cookies: cookiesOf(request) }, 200, fromQuery.length > 0 ? { 'Set-Cookie': fromQuery } : {});
    },
  ],
  [
    /^\/redirect\/(\d+)/,
    (_, response, [left]) => redirect(response, Number(left) > 1 ? `/redirect/${Number(left) - 1}` : '/get'),
  ],
  [
    /^\/redirect-to/,
    ({ query }, response) => redirect(response, query.get('url') ?? '/get', Number(query.get('status_code') ?? 302)),
  ],
  [
    /^\/(?:api\/)?(?:hidden-)?basic-auth\/([^/]+)\/([^/]+)/,
    ({ headers }, response, [user, password]) => {
      const right = headers.authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      if (right) json(response, { authenticated: true, user });
      else response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="stand-in"' }).end();
    },
  ],
  [
    /^\/api\/basic-auth/,
    ({ headers }, response) =>
      json(
        response,
        { authenticated: headers.authorization !== undefined },
        headers.authorization === undefined ? 401 : 200,
      ),
  ],
  [
    /^\/digest-auth\/auth\/([^/]+)/,
    ({ headers }, response, [user]) => {
      if (/^Digest .*response="[0-9a-f]{32}"/.test(headers.authorization ?? ''))
        json(response, { authenticated: true, user });
      else
        response
          .writeHead(401, { 'WWW-Authenticate': 'Digest realm="stand-in", nonce="abc", qop="auth", opaque="xyz"' })
          .end();
    },
  ],
  [
    /^\/(gzip)$/,
    (request, response) => compressed(response, 'gzip', gzipSync(JSON.stringify({ gzipped: true, ...echo(request) }))),
  ],
  [
    /^\/(deflate)$/,
    (request, response) =>
      compressed(response, 'deflate', deflateSync(JSON.stringify({ deflated: true, ...echo(request) }))),
  ],
  [
    /^\/(?:bytes|stream-bytes)\/(\d+)/,
    (_, response, [size]) => void response.end(Buffer.alloc(Math.min(Number(size), 1e6), 'x')),
  ],
  [
    /^\/api\/pizza$/,
    ({ headers }, response) =>
      headers.authorization === undefined
        ? json(response, { error: 'Unauthorized' }, 401)
        : json(response, {
            pizza: { id: 1, name: 'A Pizza', ingredients: [{ id: 1, name: 'Salt' }], tool: 'Knife' },
            calories: 200,
            vegetarian: true,
          }),
  ],
  [/^\/api\/users\/token\/login/, (_, response) => json(response, { token: 'abcdef0123456789' })],
  [/^\/api\/users$/, ({ body }, response) => json(response, { id: 5, ...(parsed(body.toString()) as object) }, 201)],
  [/^\/api\/tools$/, (_, response) => json(response, { tools: ['Knife', 'Scissors'] })],
  [
    /^\/api\/ratings/,
    ({ method, body }, response) =>
      json(
        response,
        { id: 3, stars: 5, pizza_id: 1, ratings: [{ id: 3, stars: 5 }], ...(parsed(body.toString()) as object) },
        method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200,
      ),
  ],
  [/^\/api\/json/, ({ query }, response) => json(response, Object.fromEntries(query))],
  [
    /^\/(public\/)?crocodiles/,
    (_, response) => json(response, [{ id: 1, name: 'Bert', sex: 'M', date_of_birth: '2010-06-27', age: 15 }]),
  ],
  [/^\/auth\/token\/login/, (_, response) => json(response, { access: 'abc', refresh: 'def' })],
  [/^\/user\/register/, (_, response) => json(response, { id: 1, username: 'someone' }, 201)],
  [/\.(json)$/, (_, response) => json(response, { first: 'one', list: [1, 2, 3] })],
  [
    /^\/missing|^\/404/,
    (_, response) => void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found'),
  ],
];

export async function startStandIn(): Promise<Listening> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://stand.in');
      const { method = 'GET', headers } = incoming;
      const request = { method, path: url.pathname, query: url.searchParams, headers, body: Buffer.concat(chunks) };
      for (const [path, answer] of ROUTES) {
        const found = path.exec(url.pathname);
        if (found !== null) return answer(request, response, found.slice(1));
      }
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Set-Cookie': 'visited=1; Path=/' });
      response.end(PAGE);
    });
  });
  server.keepAliveTimeout = 60_000;
  return listenOnLoopback(server);
}
