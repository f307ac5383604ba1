/** The bookstore as a rehearsal takes it for: its status page, carts, orders and stock. */
import type { ModelledAnswer, SuiteServer } from '../../lib/model/server-model.ts';
import { ENDPOINTS } from './endpoints.ts';

const BOOK_PATH = '/api/books/';

const bookstore: SuiteServer = ({ stock, cacheTtlSeconds, rows }) => {
  const sold = new Map<string, number>();
  const carts = new Map<string, string[]>();
  let carted = 0;
  let orders = 0;

  const order = (body: string): ModelledAnswer => {
    const { cartId = '' } = JSON.parse(body) as { cartId?: string };
    const wanted = carts.get(cartId) ?? [];
    carts.delete(cartId);
    const out = wanted.find((isbn) => (sold.get(isbn) ?? 0) >= stock);
    if (out !== undefined) return { status: 409, body: `{"error":"not enough stock","isbn":"${out}"}` };
    for (const isbn of wanted) sold.set(isbn, (sold.get(isbn) ?? 0) + 1);
    return { status: 201, body: `{"id":${++orders},"status":"Paid","total":0}` };
  };

  return {
    stock: { item: 'book', perItem: stock, sold },
    answer: ({ name, url: { pathname }, body }) => {
      if (pathname === '/api/status') {
        const books = rows('books');
        const service = { service: 'bookstore', version: 'rehearsal', books, minimumStock: stock, rateLimit: null };
        return {
          status: 200,
          body: JSON.stringify({ ...service, payments: 'stub', cacheTtlSeconds, admin: false }),
        };
      }
      switch (name) {
        case ENDPOINTS.cart.name: {
          const id = `00000000-0000-4000-8000-${String(carted++).padStart(12, '0')}`;
          carts.set(id, []);
          return { status: 201, body: `{"id":"${id}","items":[]}` };
        }
        case ENDPOINTS.item.name: {
          const [, , , id = '', , isbn = ''] = pathname.split('/');
          carts.get(id)?.push(isbn);
          return { status: 200, body: `{"id":"${id}","items":[{"isbn":"${isbn}","quantity":1}]}` };
        }
        case ENDPOINTS.order.name:
          return order(body?.toString() ?? '{}');
        default: {
          const isbn = pathname.startsWith(BOOK_PATH) ? pathname.slice(BOOK_PATH.length) : '';
          return isbn === '' || isbn.includes('/')
            ? { status: 200, body: '{"items":[],"page":1,"pageSize":20,"total":0}' }
            : { status: 200, body: `{"isbn":"${isbn}","stock":${stock - (sold.get(isbn) ?? 0)}}` };
        }
      }
    },
  };
};

export default bookstore;
