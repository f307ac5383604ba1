/** The bookstore as rehearsals take it for. */
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../scenarios/bookstore/endpoints.ts';
import bookstore from '../../../scenarios/bookstore/server-model.ts';

describe('the modelled bookstore', () => {
  const start = (stock: number) =>
    bookstore({ stock, cacheTtlSeconds: 60, rows: (pool) => (pool === 'books' ? 7 : 0) });
  type Server = ReturnType<typeof start>;
  const ask = ({ answer }: Server, name: string, pathname: string, body?: object) =>
    answer({
      name,
      method: name.split(' ')[0] as string,
      url: { pathname, search: '' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  const order = (server: Server, isbn: string) => {
    const { id } = JSON.parse(ask(server, ENDPOINTS.cart.name, '/api/carts')?.body ?? '') as { id: string };
    ask(server, ENDPOINTS.item.name, `/api/carts/${id}/items/${isbn}`);
    return ask(server, ENDPOINTS.order.name, '/api/orders', { cartId: id })?.status;
  };

  it('tells its catalogue and its stock', () => {
    const status = JSON.parse(ask(start(3), 'pre-flight', '/api/status')?.body ?? '') as object;
    expect(status).toMatchObject({ books: 7, minimumStock: 3, rateLimit: null, payments: 'stub', cacheTtlSeconds: 60 });
  });

  it('sells a copy with each order until there is none, of each book apart', () => {
    const server = start(2);
    expect(['a', 'a', 'b', 'a'].map((isbn) => order(server, isbn))).toEqual([201, 201, 201, 409]);
    expect(server.stock?.sold).toEqual(
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    );
    expect(ask(server, ENDPOINTS.details.name, '/api/books/b')?.body).toBe('{"isbn":"b","stock":1}');
  });

  it('begins anew each time it is started', () => {
    order(start(1), 'a');
    expect(start(1).stock?.sold.size).toBe(0);
  });
});
