/** A small system with a fault for every rule that needs one; loopback only. */
import { createServer, type Server } from 'node:http';
import { type Listening, listenOnLoopback } from '../../loopback.ts';

/** Routes: /ok/… a few ms; /slow 150 ms; /limited 429 beyond 5/s; /gateway 503 at 500 ms; /hang none; /cold slow first; /drift slower and slower; /stall stands still once. */
export async function startTarget(): Promise<Listening> {
  const started = new Map<string, number>();
  const since = (run: string) => {
    const now = Date.now();
    const first = started.get(run) ?? now;
    started.set(run, first);
    return (now - first) / 1000;
  };
  let limited = { second: 0, n: 0 };
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    const run = searchParams.get('run') ?? '';
    const answer = (status: number, ms: number, body = '{"items":[1]}') =>
      void setTimeout(() => response.writeHead(status, { 'content-type': 'application/json' }).end(body), ms);
    const usual = 5 + Math.random() * 10;
    if (pathname === '/hang') return;
    if (pathname === '/slow') return answer(200, 150);
    if (pathname === '/gateway') return Math.random() < 0.3 ? answer(503, 500) : answer(200, usual);
    if (pathname === '/failing') return Math.random() < 0.4 ? answer(500, 1) : answer(200, 40 + usual);
    if (pathname === '/empty') return answer(200, usual, '{}');
    if (pathname === '/cold') return answer(200, since(run) < 4 ? 60 + usual : usual);
    // From the fifth second on nothing is answered for a second and a half.
    if (pathname === '/stall') {
      const at = since(run);
      return answer(200, at > 5 && at < 6.5 ? (6.5 - at) * 1000 : usual);
    }
    if (pathname === '/drift') return answer(200, 10 + since(run) * 1.5 + Math.random() * 3);
    if (pathname === '/limited') {
      const second = Math.floor(Date.now() / 1000);
      limited = second === limited.second ? { second, n: limited.n + 1 } : { second, n: 1 };
      return limited.n > 5 ? answer(429, 0) : answer(200, usual);
    }
    return answer(200, usual);
  });
  return listenOnLoopback(server);
}
