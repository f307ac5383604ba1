/** What this bookstore is, for pre-flight checks; always on, never limited, never faulty. */
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../version.ts';
import type { Context } from './context.ts';

export interface StatusFacts {
  readonly admin: boolean;
  /** Requests per second and address, when a limit is on just now. */
  readonly rateLimit: () => number | undefined;
}

export function statusRoutes(app: FastifyInstance, context: Context, { admin, rateLimit }: StatusFacts): void {
  app.get('/api/status', async () => {
    const [summary] = await context.database.query('stockSummary');
    const perSecond = rateLimit();
    const payments = await context.payments?.look();
    return {
      service: 'bookstore',
      version: VERSION,
      database: context.database.kind,
      books: Number(summary?.['books']),
      minimumStock: Number(summary?.['minimum']),
      rateLimit: perSecond === undefined ? null : { perSecond },
      payments: payments?.kind ?? 'none',
      paymentsAnswer: payments?.answers ?? true,
      cacheTtlSeconds: context.cache.ttlSeconds,
      admin,
    };
  });
}
