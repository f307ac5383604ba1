/** Carts: made empty, filled item by item. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Context } from './context.ts';
import { GUID_SCHEMA, ISBN_SCHEMA, route } from './routes.ts';

/** Copies of one book in a cart at most. */
export const MAX_QUANTITY = 1_000;

const ITEM_SCHEMA = {
  params: { type: 'object', properties: { id: GUID_SCHEMA, isbn: ISBN_SCHEMA } },
  body: {
    type: 'object',
    required: ['quantity'],
    additionalProperties: false,
    properties: { quantity: { type: 'integer', minimum: 1, maximum: MAX_QUANTITY } },
  },
} as const;

/** A cart is made empty: a body may be left out, or be an empty object. */
const CART_SCHEMA = { body: { type: ['object', 'null'], additionalProperties: false, properties: {} } } as const;

export function cartsRoutes(app: FastifyInstance, { database }: Context): void {
  app.route({
    ...route('cart'),
    schema: CART_SCHEMA,
    handler: async (_request, reply) => {
      const id = randomUUID();
      await database.query('cartCreate', id);
      return reply.code(201).send({ id, items: [] });
    },
  });

  app.route<{ Params: { id: string; isbn: string }; Body: { quantity: number } }>({
    ...route('item'),
    schema: ITEM_SCHEMA,
    handler: async (request, reply) => {
      const { id, isbn } = request.params;
      const put = await database.query('itemPut', id, isbn, request.body.quantity);
      if (put.length === 0) {
        const cart = await database.query('cartExists', id);
        return reply.code(404).send({ error: cart.length === 0 ? `no cart ${id}` : `no book with ISBN ${isbn}` });
      }
      return { id, items: await database.query('cartItems', id) };
    },
  });
}
