/** Lets the rate limit and the faults in force strike the requests of the six endpoints; status and admin are spared. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointKey } from '../../scenarios/bookstore/endpoints.ts';
import type { RateLimiter } from '../rate-limiter.ts';
import { drawDelay } from './delay.ts';
import type { Active, Faults } from './faults.ts';

export interface StrikeOptions {
  readonly limiter: RateLimiter;
  /** The limit that is always on, requests per second and address. */
  readonly rateLimit: number | undefined;
  /** Absent when the admin routes are off. */
  readonly faults: Faults | undefined;
  /** Uniform in [0,1), for shares and delays. */
  readonly random: () => number;
}

export function strikeRequests(app: FastifyInstance, { limiter, rateLimit, faults, random }: StrikeOptions): void {
  app.addHook('onRequest', async (request, reply) => {
    const endpoint = endpointOf(request);
    if (endpoint === undefined) return undefined;
    const active = faults?.active(endpoint) ?? [];
    const limit = lowestLimit(rateLimit, active);
    if (limit !== undefined) {
      const wait = limiter.check(request.ip, limit);
      if (wait > 0) return reply.code(429).header('retry-after', wait).send({ error: 'too many requests' });
    }
    if (faults === undefined) return undefined;
    for (const one of active) {
      const answered = await strike(one, faults, reply, random);
      if (answered) return reply;
    }
    return undefined;
  });
}

/** Whether the fault took the request away from its handler. */
async function strike(
  { fault, startsAt, endsAt }: Active,
  faults: Faults,
  reply: FastifyReply,
  random: () => number,
): Promise<boolean> {
  if ('share' in fault && fault.share < 1 && random() >= fault.share) return false;
  const now = performance.now();
  switch (fault.kind) {
    case 'latency':
      await faults.wait(drawDelay(fault.delay, now - startsAt, random));
      return false;
    case 'stall':
      await faults.wait(endsAt - now);
      return false;
    case 'error':
      if (fault.delay !== undefined) await faults.wait(drawDelay(fault.delay, now - startsAt, random));
      if (fault.retryAfterSeconds !== undefined) reply.header('retry-after', fault.retryAfterSeconds);
      reply.code(fault.status).send({ error: `injected ${fault.status}` });
      return true;
    case 'hang':
      // Until the faults are replaced or the server stops; then the connection breaks.
      await faults.wait(Number.POSITIVE_INFINITY);
      reply.hijack();
      reply.raw.destroy();
      return true;
    case 'reset':
      reply.hijack();
      reply.request.socket.resetAndDestroy();
      return true;
    default:
      return false;
  }
}

/** The endpoint that a request is for; list and search share a route. */
export function endpointOf(request: FastifyRequest): EndpointKey | undefined {
  const { endpoint } = request.routeOptions.config;
  if (endpoint !== 'list') return endpoint;
  return (request.query as { search?: unknown }).search === undefined ? 'list' : 'search';
}

/** The strictest limit, the one in the options included. */
export function lowestLimit(rateLimit: number | undefined, active: readonly Active[]): number | undefined {
  let limit = rateLimit;
  for (const { fault } of active) {
    if (fault.kind === 'rateLimit') limit = Math.min(limit ?? Number.POSITIVE_INFINITY, fault.perSecond);
  }
  return limit;
}
