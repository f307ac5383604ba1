/** Orders: stock is taken in one transaction, the provider is charged after its commit. */
import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/database.ts';
import { amount, type Context } from './context.ts';
import { GUID_SCHEMA, route } from './routes.ts';

export type OrderStatus = 'Placed' | 'PaymentPending' | 'Paid';

type Placement =
  | { readonly outcome: 'placed'; readonly id: number; readonly totalCents: number }
  | { readonly outcome: 'unknown cart' | 'empty cart' }
  | { readonly outcome: 'out of stock'; readonly isbn: string };

const ORDER_SCHEMA = {
  body: {
    type: 'object',
    required: ['cartId'],
    additionalProperties: false,
    properties: { cartId: GUID_SCHEMA },
  },
} as const;

export function ordersRoutes(app: FastifyInstance, context: Context): void {
  app.route<{ Body: { cartId: string } }>({
    ...route('order'),
    schema: ORDER_SCHEMA,
    handler: async (request, reply) => {
      const { cartId } = request.body;
      // Pending until the provider has said yes: an API that dies in between leaves a true record.
      const first: OrderStatus = context.payments === undefined ? 'Placed' : 'PaymentPending';
      const placement = await place(context.database, cartId, first);
      switch (placement.outcome) {
        case 'unknown cart':
          return reply.code(404).send({ error: `no cart ${cartId}` });
        case 'empty cart':
          return reply.code(400).send({ error: `cart ${cartId} is empty` });
        case 'out of stock':
          context.orders.outOfStock++;
          return reply.code(409).send({ error: 'not enough stock', isbn: placement.isbn });
        case 'placed': {
          const status = await pay(context, placement, first);
          context.orders[status]++;
          return reply.code(201).send({ id: placement.id, status, total: amount(placement.totalCents) });
        }
      }
    },
  });
}

/** Takes the stock of everything in the cart or of nothing, and empties the cart, so that no cart is sold twice. */
function place(database: Database, cartId: string, status: OrderStatus): Promise<Placement> {
  return database.transaction<Placement>(async (query) => {
    if ((await query('cartLock', cartId)).length === 0) return { outcome: 'unknown cart' };
    const lines = await query('orderLines', cartId);
    if (lines.length === 0) return { outcome: 'empty cart' };
    const short = lines.find((line) => Number(line['available']) < Number(line['wanted']));
    if (short !== undefined) return { outcome: 'out of stock', isbn: String(short['isbn']) };
    const totalCents = lines.reduce((sum, line) => sum + Number(line['wanted']) * Number(line['price_cents']), 0);
    const [order] = await query('orderPlace', cartId, totalCents, status);
    return { outcome: 'placed', id: Number(order?.['id']), totalCents };
  });
}

async function pay(
  { payments, database }: Context,
  { id, totalCents }: { id: number; totalCents: number },
  first: OrderStatus,
): Promise<OrderStatus> {
  if (payments === undefined) return first;
  if (!(await payments.charge({ orderId: id, amountCents: totalCents }))) return 'PaymentPending';
  try {
    await database.query('orderStatus', id, 'Paid');
    return 'Paid';
  } catch {
    // The order stands and was charged, but its record still says pending; so must the answer.
    return 'PaymentPending';
  }
}
