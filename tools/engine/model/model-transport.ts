/** A modelled server in place of the network: answers as it would, after the time that the model says. */
import type { Endpoint } from '../../../lib/model/endpoints.ts';
import { type Random, sessionRandom } from '../../../lib/model/random.ts';
import type { ModelledAnswer, ModelledStock, SuiteServer } from '../../../lib/model/server-model.ts';
import type { Clock, Receive } from '../clock.ts';
import { TIMEOUT } from '../http/errors.ts';
import { type HopRequest, type HopResult, noAnswer, type Timings, type Transport } from '../http/transport.ts';
import { type ModelCache, modelCache } from './cache.ts';
import { latencySampler } from './latency.ts';
import { type ServerQueue, serverQueue } from './queue.ts';
import type { ServerModel } from './server-model.ts';
import { tableAnswers } from './table-answers.ts';

export interface ModelFacts {
  /** Requests that the cache could answer, and those that it did; per whole minute since the load began. */
  readonly cacheByMinute: { asked: number; hits: number }[];
  /** What sessions used up, where the suite's own server has a stock. */
  readonly stock?: ModelledStock;
}

/** What answers: the suite whose server is modelled. */
export interface ServedSuite {
  readonly endpoints: readonly Endpoint[];
  /** Rows of each pool. */
  readonly rows?: Readonly<Record<string, number>>;
  /** The suite's own server, where the table does not say enough. */
  readonly server?: SuiteServer;
}

/** A server that knows no endpoint and answers everything with 200. */
export const NO_SUITE: ServedSuite = { endpoints: [] };

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
const PLAIN = { 'Content-Type': 'application/json; charset=utf-8' };
const HIT = { ...PLAIN, 'X-Cache': 'HIT' };
const MISS = { ...PLAIN, 'X-Cache': 'MISS' };
/** What only an endpoint with a cache before it says. */
const MISSED = { hit: false };
const NO_COOKIES: readonly string[] = [];

export function serverSimulation(model: ServerModel, clock: Clock, seed: number, suite: ServedSuite): ServerSimulation {
  const start = clock.now();
  const random: Random = sessionRandom(seed, 0x5e4e);
  const stalls = model.stalls.map(({ at, seconds }) => ({ at: at * 1000, ms: seconds * 1000 }));
  const queues = new Map<string, ServerQueue>();
  for (const [name, { servers }] of Object.entries(model.groups)) queues.set(name, serverQueue(servers, stalls));
  const noQueue = serverQueue(Number.POSITIVE_INFINITY, stalls);
  const cacheable: ReadonlySet<string> = new Set(suite.endpoints.filter((e) => e.cacheable).map((e) => e.name));
  const planOf = (name: string): EndpointPlan => {
    const endpoint = Object.hasOwn(model.endpoints, name) ? model.endpoints[name] : model.endpoints['*'];
    return {
      cacheable: cacheable.has(name) && model.cache.ttlSeconds > 0,
      sampler: endpoint === undefined ? () => 0 : latencySampler(endpoint.latency),
      queue: (endpoint?.group === undefined ? undefined : queues.get(endpoint.group)) ?? noQueue,
      statuses: Object.entries(endpoint?.statuses ?? {}).map(([status, share]) => ({ status: Number(status), share })),
    };
  };
  const plans = new Map([...Object.keys(model.endpoints), ...cacheable].map((name) => [name, planOf(name)]));
  const otherPlan = planOf('*');
  const hitSampler = latencySampler(model.cache.hit);
  const cache: ModelCache = modelCache(model.cache.ttlSeconds * TTL_MS);
  const cacheByMinute: { asked: number; hits: number }[] = [];
  const byTable = tableAnswers(suite.endpoints);
  const own = suite.server?.({
    stock: model.stock,
    cacheTtlSeconds: model.cache.ttlSeconds,
    rows: (pool) => suite.rows?.[pool] ?? 0,
  });
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
    const key = request.url.pathname + request.url.search;
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
    return { status: 200, end, ...(cacheable && MISSED) };
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
        : answered(request, status === 200 ? (own?.answer(request) ?? byTable(request)) : failed(status), wait, hit);
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
  return { transport: () => one, facts: { cacheByMinute, ...(own?.stock !== undefined && { stock: own.stock }) } };
}

/** The answer to a request that the model lets fail. */
const failed = (status: number): ModelledAnswer => ({ status, body: '{"error":"as modelled"}' });

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

function answered(request: HopRequest, answer: ModelledAnswer, wait: number, hit: boolean | undefined): HopResult {
  const base = hit === undefined ? PLAIN : hit ? HIT : MISS;
  return {
    status: answer.status,
    statusText: String(answer.status),
    headers: answer.headers === undefined ? base : { ...base, ...answer.headers },
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
