/** Stands in for the payment provider: `POST /v1/charges`, with delays and errors as asked, and counts. */
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { SetupError } from '../setup-error.ts';
import { STUB_SERVICE } from './stub-service.ts';

export interface PaymentStubOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 (the default) takes a free port. */
  readonly port?: number;
  /** Each charge takes a time uniform between these, milliseconds. Default 0. */
  readonly minDelayMs?: number;
  readonly maxDelayMs?: number;
  /** Share of charges answered with 500, 0 to 1. */
  readonly errorShare?: number;
  /** Share of charges that take `slowMs` more, 0 to 1: time-outs for a client that waits less. */
  readonly slowShare?: number;
  /** Default 5,000. */
  readonly slowMs?: number;
  /** Uniform in [0,1). Default `Math.random`. */
  readonly random?: () => number;
}

export interface PaymentStubStats {
  readonly service: typeof STUB_SERVICE;
  /** Charges asked for; each ends up in one of the next two, those under way excepted. */
  readonly received: number;
  readonly charged: number;
  readonly failed: number;
  /** Of the received ones, how many were slowed. */
  readonly slowed: number;
  /** Of the charged and failed ones, how many had no client left to hear of it. */
  readonly abandoned: number;
  /** Of the received ones, how many came for an order that had been received before. */
  readonly repeated: number;
  /** Sum of the charged amounts. */
  readonly amount: number;
}

export interface PaymentStub {
  readonly url: string;
  readonly port: number;
  stats(): PaymentStubStats;
  close(): Promise<void>;
}

interface ChargeBody {
  readonly orderId: number;
  readonly amount: number;
  readonly currency: string;
}

const CHARGE_SCHEMA = {
  body: {
    type: 'object',
    required: ['orderId', 'amount', 'currency'],
    properties: {
      orderId: { type: 'integer', minimum: 1 },
      amount: { type: 'number', minimum: 0 },
      currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    },
  },
} as const;

/**
 * Starts the stub; resolves when it answers.
 * @throws SetupError when the delays make no range or the port is taken
 */
export async function startPaymentStub(options: PaymentStubOptions = {}): Promise<PaymentStub> {
  const { host = '127.0.0.1', port = 0, minDelayMs = 0, errorShare = 0, slowShare = 0, slowMs = 5_000 } = options;
  const { maxDelayMs = minDelayMs, random = Math.random } = options;
  if (maxDelayMs < minDelayMs) {
    throw new SetupError(`The maximum delay (${maxDelayMs} ms) is below the minimum (${minDelayMs} ms).`);
  }
  const counts = { received: 0, charged: 0, failed: 0, slowed: 0, abandoned: 0, repeated: 0, cents: 0 };
  const orders = new Set<number>();
  const stats = (): PaymentStubStats => {
    const { cents, ...rest } = counts;
    return { service: STUB_SERVICE, ...rest, amount: cents / 100 };
  };

  const app = Fastify({ forceCloseConnections: true, ajv: { customOptions: { coerceTypes: false } } });
  app.get('/stats', async () => stats());
  app.post<{ Body: ChargeBody }>('/v1/charges', { schema: CHARGE_SCHEMA }, async (request, reply) => {
    const { orderId, amount } = request.body;
    counts.received++;
    if (orders.has(orderId)) counts.repeated++;
    orders.add(orderId);
    let delay = minDelayMs + (maxDelayMs - minDelayMs) * random();
    if (random() < slowShare) {
      counts.slowed++;
      delay += slowMs;
    }
    const fails = random() < errorShare;
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    if (request.raw.socket.destroyed) counts.abandoned++;
    if (fails) {
      counts.failed++;
      return reply.code(500).send({ error: 'the charge failed' });
    }
    counts.charged++;
    counts.cents += Math.round(amount * 100);
    return reply.code(201).send({ id: `ch_${counts.charged}`, status: 'succeeded' });
  });

  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new SetupError(`Cannot listen on ${host}:${port}: ${(error as Error).message}.`, { cause: error });
  }
  const address = app.server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    stats,
    close: () => app.close(),
  };
}
