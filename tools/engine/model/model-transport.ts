/** The modelled bookstore in place of the network: answers as it would, after the time that the model says. */

import { type Random, sessionRandom } from '../../../lib/model/random.ts';
import { ENDPOINT_LIST, ENDPOINTS } from '../../../scenarios/bookstore/endpoints.ts';
import type { Clock, Receive } from '../clock.ts';
import { TIMEOUT } from '../http/errors.ts';
import { type HopRequest, type HopResult, noAnswer, type Timings, type Transport } from '../http/transport.ts';
import { type ModelCache, modelCache } from './cache.ts';
import { latencySampler } from './latency.ts';
import { type ServerQueue, serverQueue } from './queue.ts';
import type { ServerModel } from './server-model.ts';

export interface ModelFacts {
  /** Requests that the cache could answer, and those that it did; per whole minute since the load began. */
  readonly cacheByMinute: { asked: number; hits: number }[];
  /** Copies sold of each book. */
  readonly sold: ReadonlyMap<string, number>;
}

export interface ServerSimulation {
  readonly transport: () => Transport;
  readonly facts: ModelFacts;
}

/** What the model says of one endpoint. */
interface EndpointPlan {
  readonly cacheable: boolean;
  readonly sampler: (random: Random) => number;
  readonly queue: ServerQueue;
  readonly statuses: readonly { readonly status: number; readonly share: number }[];
}

const TTL_MS = 1000;
const BOOK_PATH = '/api/books/';
const PLAIN = { 'Content-Type': 'application/json; charset=utf-8' };
const HIT = { ...PLAIN, 'X-Cache': 'HIT' };
const MISS = { ...PLAIN, 'X-Cache': 'MISS' };
const NO_COOKIES: readonly string[] = [];

/** @param books size of the catalogue, as the pre-flight asks for it */
export function serverSimulation(model: ServerModel, clock: Clock, seed: number, books: number): ServerSimulation {
  const start = clock.now();
  const random: Random = sessionRandom(seed, 0x5e4e);
  const stalls = model.stalls.map(({ at, seconds }) => ({ at: at * 1000, ms: seconds * 1000 }));
  const queues = new Map<string, ServerQueue>();
  for (const [name, { servers }] of Object.entries(model.groups)) queues.set(name, serverQueue(servers, stalls));
  const noQueue = serverQueue(Number.POSITIVE_INFINITY, stalls);
  const planOf = (name: string): EndpointPlan => {
    const endpoint = Object.hasOwn(model.endpoints, name) ? model.endpoints[name] : model.endpoints['*'];
    return {
      cacheable: CACHEABLE.has(name) && model.cache.ttlSeconds > 0,
      sampler: endpoint === undefined ? () => 0 : latencySampler(endpoint.latency),
      queue: (endpoint?.group === undefined ? undefined : queues.get(endpoint.group)) ?? noQueue,
      statuses: Object.entries(endpoint?.statuses ?? {}).map(([status, share]) => ({ status: Number(status), share })),
    };
  };
  const plans = new Map([...Object.keys(model.endpoints), ...CACHEABLE].map((name) => [name, planOf(name)]));
  const otherPlan = planOf('*');
  const hitSampler = latencySampler(model.cache.hit);
  const cache: ModelCache = modelCache(model.cache.ttlSeconds * TTL_MS);
  const cacheByMinute: { asked: number; hits: number }[] = [];
  const store = bookstore(model.stock, books, model.cache.ttlSeconds);
  let second = -1;
  let inSecond = 0;

  /** Status and end (ms after the start) of a request that arrives now. */
  const serve = (request: HopRequest, now: number): { status: number; end: number; hit?: boolean } => {
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      inSecond = 0;
    }
    if (model.rateLimit !== null && ++inSecond > model.rateLimit) return { status: 429, end: now + hitSampler(random) };
    const { cacheable, sampler, queue, statuses } = plans.get(request.name) ?? otherPlan;
    const key = request.url.pathname;
    if (cacheable) {
      const minute = Math.floor(now / 60_000);
      const count = cacheByMinute[minute] ?? { asked: 0, hits: 0 };
      cacheByMinute[minute] = count;
      count.asked++;
      if (cache.hit(key, now)) {
        count.hits++;
        return { status: 200, end: noQueue.finish(now, hitSampler(random)), hit: true };
      }
    }
    const end = queue.finish(now, sampler(random));
    let draw = random();
    for (const { status, share } of statuses) {
      draw -= share;
      if (draw < 0) return { status, end };
    }
    if (cacheable) cache.store(key, end);
    return { status: 200, end, hit: false };
  };

  const send = (request: HopRequest, _: unknown, done: Receive<HopResult>): void => {
    const now = clock.now() - start;
    const { status, end, hit } = serve(request, now);
    const wait = Math.min(end - now, request.timeoutMs);
    const result =
      end - now > request.timeoutMs || status === 0
        ? noAnswer(
            end - now > request.timeoutMs ? TIMEOUT.error : 'EOF',
            end - now > request.timeoutMs ? TIMEOUT.errorCode : 1000,
            timings(wait),
          )
        : answered(request, store.answer(request, status), wait, hit);
    // Who was cancelled meanwhile does not look at the answer.
    clock.at(clock.now() + wait, () => done(result));
  };
  const one: Transport = {
    ignoresHeaders: true,
    send,
    takeBytes: () => ({ sent: 0, received: 0 }),
    endIteration: () => undefined,
    close: async () => undefined,
  };
  return { transport: () => one, facts: { cacheByMinute, sold: store.sold } };
}

const CACHEABLE: ReadonlySet<string> = new Set(ENDPOINT_LIST.filter((e) => e.cacheable).map((e) => e.name));

/** Written out, as there are millions. */
const timings = (waiting: number): Timings => ({
  duration: waiting,
  blocked: 0,
  looking_up: 0,
  connecting: 0,
  tls_handshaking: 0,
  sending: 0,
  waiting,
  receiving: 0,
});

function answered(
  request: HopRequest,
  answer: { status: number; body: string },
  wait: number,
  hit: boolean | undefined,
): HopResult {
  return {
    status: answer.status,
    statusText: String(answer.status),
    headers: hit === undefined ? PLAIN : hit ? HIT : MISS,
    setCookies: NO_COOKIES,
    body: request.wantBody ? answer.body : undefined,
    timings: timings(wait),
    proto: 'HTTP/1.1',
    tlsVersion: '',
    remoteIp: request.url.hostname,
    remotePort: Number(request.url.port || 80),
    error: '',
    errorCode: 0,
  };
}

/** What the bookstore's answers hold, as far as sessions read them, and its stock. */
function bookstore(stock: number, books: number, cacheTtlSeconds: number) {
  const sold = new Map<string, number>();
  const carts = new Map<string, string[]>();
  let carted = 0;
  let orders = 0;
  const answer = (request: HopRequest, status: number): { status: number; body: string } => {
    if (status !== 200) return { status, body: '{"error":"as modelled"}' };
    const path = request.url.pathname;
    if (path === '/api/status') {
      const service = { service: 'bookstore', version: 'rehearsal', books, minimumStock: stock, rateLimit: null };
      return { status, body: JSON.stringify({ ...service, payments: 'stub', cacheTtlSeconds, admin: false }) };
    }
    switch (request.name) {
      case ENDPOINTS.cart.name: {
        const id = `00000000-0000-4000-8000-${String(carted++).padStart(12, '0')}`;
        carts.set(id, []);
        return { status: 201, body: `{"id":"${id}","items":[]}` };
      }
      case ENDPOINTS.item.name: {
        const [, , , id = '', , isbn = ''] = path.split('/');
        carts.get(id)?.push(isbn);
        return { status, body: `{"id":"${id}","items":[{"isbn":"${isbn}","quantity":1}]}` };
      }
      case ENDPOINTS.order.name: {
        const { cartId } = JSON.parse(request.body?.toString() ?? '{}') as { cartId?: string };
        const wanted = carts.get(cartId ?? '') ?? [];
        carts.delete(cartId ?? '');
        const out = wanted.find((isbn) => (sold.get(isbn) ?? 0) >= stock);
        if (out !== undefined) return { status: 409, body: `{"error":"not enough stock","isbn":"${out}"}` };
        for (const isbn of wanted) sold.set(isbn, (sold.get(isbn) ?? 0) + 1);
        return { status: 201, body: `{"id":${++orders},"status":"Paid","total":0}` };
      }
      default: {
        const isbn = path.startsWith(BOOK_PATH) ? path.slice(BOOK_PATH.length) : '';
        return isbn === '' || isbn.includes('/')
          ? { status, body: '{"items":[],"page":1,"pageSize":20,"total":0}' }
          : { status, body: `{"isbn":"${isbn}","stock":${stock - (sold.get(isbn) ?? 0)}}` };
      }
    }
  };
  return { answer, sold };
}
