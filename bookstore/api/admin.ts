/** Admin and fault routes: on a loopback host and when asked for only. */
import type { FastifyInstance } from 'fastify';
import type { Counters } from '../counters.ts';
import type { Faults } from '../faults/faults.ts';
import { readFaults } from '../faults/schema.ts';
import type { RateLimiter } from '../rate-limiter.ts';
import { amount, type Context } from './context.ts';
import { ISBN_SCHEMA } from './routes.ts';

export interface AdminParts {
  readonly context: Context;
  readonly counters: Counters;
  readonly faults: Faults;
  readonly limiter: RateLimiter;
}

const TTL_SCHEMA = {
  body: {
    type: 'object',
    required: ['ttlSeconds'],
    additionalProperties: false,
    properties: { ttlSeconds: { type: 'number', minimum: 0, maximum: 86_400 } },
  },
} as const;

const STOCK_SCHEMA = {
  body: {
    type: 'object',
    required: ['quantity'],
    additionalProperties: false,
    properties: { quantity: { type: 'integer', minimum: 0, maximum: 2_000_000_000 }, isbn: ISBN_SCHEMA },
  },
} as const;

export function adminRoutes(app: FastifyInstance, { context, counters, faults, limiter }: AdminParts): void {
  const { cache, database, payments, orders } = context;
  const startedAt = Date.now();

  app.get('/admin/stats', async () => {
    const { hits, misses } = cache.counts;
    const total = Object.values(database.sent).reduce((sum, n) => sum + n, 0);
    return {
      uptimeSeconds: (Date.now() - startedAt) / 1_000,
      answers: counters.answers,
      sql: { total, byStatement: { ...database.sent } },
      cache: {
        ...cache.counts,
        ttlSeconds: cache.ttlSeconds,
        hitRatio: hits + misses === 0 ? null : hits / (hits + misses),
      },
      orders: { ...orders },
      charges: payments === undefined ? null : { ...payments.counts },
      rateLimited: limiter.refused,
      // The request that asks for this is none of them.
      requestsUnderWay: counters.underWay() - 1,
      connections: counters.connections(),
      eventLoopDelayMs: counters.eventLoopDelay(),
      memoryBytes: process.memoryUsage.rss(),
    };
  });

  /** The books of the house, from the database: what was in stock, what was sold. */
  app.get('/admin/ledger', async () => {
    const [stock] = await database.query('stockLedger');
    const [sold] = await database.query('soldLedger');
    const byStatus = await database.query('ordersByStatus');
    return {
      stock: {
        books: Number(stock?.['books']),
        copies: Number(stock?.['copies']),
        minimum: Number(stock?.['minimum']),
      },
      sold: { copies: Number(sold?.['copies']), amount: amount(Number(sold?.['cents'])) },
      orders: Object.fromEntries(byStatus.map((row) => [row['status'], Number(row['orders'])])),
      ordersAmount: amount(byStatus.reduce((sum, row) => sum + Number(row['cents']), 0)),
    };
  });

  app.post('/admin/cache/purge', async () => ({ purged: cache.purge() }));

  app.put<{ Body: { ttlSeconds: number } }>('/admin/cache', { schema: TTL_SCHEMA }, async (request) => {
    cache.setTtl(request.body.ttlSeconds);
    return { ttlSeconds: cache.ttlSeconds };
  });

  app.post<{ Body: { quantity: number; isbn?: string } }>(
    '/admin/stock',
    { schema: STOCK_SCHEMA },
    async (request, reply) => {
      const { quantity, isbn } = request.body;
      if (isbn === undefined) await database.query('stockSetAll', quantity);
      else if ((await database.query('stockSetOne', quantity, isbn)).length === 0) {
        return reply.code(404).send({ error: `no book with ISBN ${isbn}` });
      }
      return { quantity, ...(isbn === undefined ? {} : { isbn }) };
    },
  );

  app.get('/admin/faults', async () => ({ faults: faults.list() }));

  app.put('/admin/faults', async (request, reply) => {
    const read = readFaults(request.body);
    if ('error' in read) return reply.code(400).send(read);
    for (const [i, fault] of read.faults.entries()) {
      if (fault.kind !== 'stock' || fault.isbn === undefined) continue;
      if ((await database.query('stock', fault.isbn)).length === 0) {
        return reply.code(400).send({ error: `faults.${i}.isbn: no book with ISBN ${fault.isbn}` });
      }
    }
    await faults.replace(read.faults);
    return { faults: faults.list() };
  });

  app.delete('/admin/faults', async () => {
    await faults.replace([]);
    return { faults: [] };
  });
}
