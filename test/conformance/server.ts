/** The server that the conformance scripts speak to: every answer that a load test can meet, on a free loopback port. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Listening, listenOnLoopback } from '../../tools/lab/loopback.ts';

export type ConformanceServer = Listening;

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

/** What a request was, whatever the order of its headers and the boundary of its parts. */
function inspected(request: IncomingMessage, bytes: Buffer): unknown {
  const { host: _, connection: __, 'user-agent': agent, ...headers } = request.headers;
  const boundary = /boundary=(.*)/.exec(headers['content-type'] ?? '')?.[1] ?? '\0';
  const text = bytes.toString('latin1').replaceAll(/[0-9a-f]{60}/g, 'BOUNDARY');
  if (boundary !== '\0') {
    headers['content-type'] = headers['content-type']?.replace(boundary, 'BOUNDARY');
    headers['content-length'] = String(Number(headers['content-length']) - bytes.length);
  }
  const body = boundary === '\0' ? text : text.split('--BOUNDARY').sort().join('|');
  const own = agent === undefined || agent.startsWith('Grafana k6/') ? {} : { 'user-agent': agent };
  const sorted = Object.entries({ ...headers, ...own }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { method: request.method, url: request.url, headers: Object.fromEntries(sorted), body };
}

/** Requests to /crowd that wait for their answer, and the most that ever did since `?reset`. */
const crowd = { now: 0, most: 0 };

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

const ENCODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
};

const PAGE = `<!doctype html><html><head><title>A &amp; B</title></head><body class="x y"><h1 id=top data-n="7" data-o='{"a":1}'>Wel<b>come</b></h1>
<p>one<p>two<br>x<ul><li class=a>1</li><li class=b>2</li><li class=c>3 &lt; 4 'q'</li></ul>
<form action=/f method=post><input name=t value=v><input type=hidden name=h value="a b"><input type=checkbox name=c checked>
<select name=s><option value=1>one<option selected>two</select><textarea name=ta>text</textarea><input type=submit name=go value=Go></form>
<a href="/ok?x=1">next</a></body></html>`;

const TAG = '"v1"';

const MORE_ROUTES: Readonly<Record<string, Answer>> = {
  '/folder/inspect': (...given) => MORE_ROUTES['/inspect']?.(...given),
  '/inspect': (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(inspected(request, Buffer.concat(chunks))));
    });
  },
  /** `?c=` Set-Cookie lines, `?to=` and a redirect with them. */
  '/folder/set': (...given) => MORE_ROUTES['/set']?.(...given),
  '/set': (_, response, query) => {
    response.setHeader('set-cookie', query.getAll('c'));
    if (query.has('to')) response.writeHead(302, { location: query.get('to') ?? '' });
    response.end('set');
  },
  /** `?url=` and `?st=` */
  '/to': (_, response, query) => {
    response.writeHead(Number(query.get('st') ?? 302), { location: query.get('url') ?? '' }).end('moved');
  },
  /** `?text=` as the body. */
  '/text': (_, response, query) => response.end(query.get('text')),
  '/bytes': (_, response) => response.end(Buffer.from([0, 1, 127, 128, 255, 65])),
  '/etag': (request, response) => {
    response.setHeader('etag', TAG);
    if (request.headers['if-none-match'] === TAG) response.writeHead(304).end();
    else response.end('fresh');
  },
  '/twice': (_, response) => {
    response.setHeader('x-twice', ['1', '2']);
    response.setHeader('x-lower-case', 'yes');
    response.setHeader('set-cookie', ['a=1; Path=/; HttpOnly', 'b="2 3"; Domain=.example.com; Secure; Max-Age=60']);
    response.end('twice');
  },
  /** `?as=` encodings, one over the other; `?broken` a body that is none of them. */
  '/encoded': (_, response, query) => {
    const encodings = (query.get('as') ?? '').split(',');
    let body: Buffer = Buffer.from('encoded text');
    if (!query.has('broken')) for (const name of encodings) body = ENCODERS[name.trim()]?.(body) ?? body;
    response.writeHead(200, { 'content-encoding': query.get('as') ?? '' }).end(body);
  },
  /** Digest authentication of user u with password p, as RFC 7616 has it. */
  '/digest': (request, response) => {
    const given = request.headers.authorization ?? '';
    if (!given.startsWith('Digest')) {
      response
        .writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth", opaque="o"' })
        .end(given.slice(0, 5));
      return;
    }
    const {
      uri = '',
      nc = '',
      cnonce = '',
      response: answer = '',
    } = Object.fromEntries([...given.matchAll(/(\w+)="?([^",]*)"?/g)].map(([, name, value]) => [name, value]));
    const right = md5(`${md5('u:r:p')}:n:${nc}:${cnonce}:auth:${md5(`${request.method}:${uri}`)}`);
    response.writeHead(answer === right ? 200 : 401).end();
  },
  '/page': (_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(PAGE);
  },
  /** How many were here at the same time at most. */
  '/crowd': (_, response, query) => {
    if (query.has('reset')) Object.assign(crowd, { now: 0, most: 0 });
    crowd.now++;
    crowd.most = Math.max(crowd.most, crowd.now);
    setTimeout(() => {
      crowd.now--;
      response.end(String(crowd.most));
    }, 100);
  },
};

/** @param port 0 for a free one */
export async function startConformanceServer(port = 0): Promise<ConformanceServer> {
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const route = ROUTES[url.pathname] ?? MORE_ROUTES[url.pathname];
    if (route === undefined) response.writeHead(404).end('no such page');
    else route(request, response, url.searchParams);
  });
  return listenOnLoopback(server, port);
}
