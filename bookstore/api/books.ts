/** The catalogue: list, search, details. */
import type { FastifyInstance } from 'fastify';
import { CATEGORIES } from '../catalogue/books.ts';
import { amount, type Context } from './context.ts';
import { ISBN_SCHEMA, route } from './routes.ts';

export const PAGE_SIZE = 20;

interface ListQuery {
  readonly category?: string;
  readonly page?: string;
  readonly search?: string;
}

const LIST_SCHEMA = {
  querystring: {
    type: 'object',
    additionalProperties: false,
    properties: {
      category: { type: 'string', enum: CATEGORIES },
      page: { type: 'string', format: 'page number from 1 to 99999' },
      search: { type: 'string', minLength: 1, maxLength: 200 },
    },
  },
} as const;

/** What a `page` parameter may look like. */
export const PAGE = /^[1-9][0-9]{0,4}$/;

const JSON_TYPE = 'application/json; charset=utf-8';

export function booksRoutes(app: FastifyInstance, context: Context): void {
  app.route<{ Querystring: ListQuery }>({
    ...route('list'),
    schema: LIST_SCHEMA,
    handler: async (request) => {
      const { category, search } = request.query;
      const page = Number(request.query.page ?? 1);
      return search === undefined ? listPage(context, category, page) : searchPage(context, search, category, page);
    },
  });

  app.route<{ Params: { isbn: string } }>({
    ...route('details'),
    schema: { params: { type: 'object', properties: { isbn: ISBN_SCHEMA } } },
    handler: async (request, reply) => {
      const { isbn } = request.params;
      const hit = context.cache.get(isbn);
      const body = hit === undefined ? await context.cache.load(isbn, () => details(context, isbn)) : hit.body;
      if (body === undefined) return reply.code(404).send({ error: `no book with ISBN ${isbn}` });
      return reply
        .header('x-cache', hit === undefined ? 'MISS' : 'HIT')
        .header('age', hit?.age ?? 0)
        .type(JSON_TYPE)
        .send(body);
    },
  });
}

async function details({ database }: Context, isbn: string): Promise<string | undefined> {
  const [book] = await database.query('book', isbn);
  if (book === undefined) return undefined;
  const [stock] = await database.query('stock', isbn);
  const { title, author, category, price_cents, year } = book;
  const price = amount(Number(price_cents));
  return JSON.stringify({ isbn, title, author, category, price, year, stock: Number(stock?.['quantity'] ?? 0) });
}

async function listPage({ database }: Context, category: string | undefined, page: number): Promise<object> {
  const offset = (page - 1) * PAGE_SIZE;
  const items =
    category === undefined
      ? await database.query('listAll', PAGE_SIZE, offset)
      : await database.query('list', category, PAGE_SIZE, offset);
  const [total] = await database.query('total', category ?? null);
  return { items: items.map(listed), page, pageSize: PAGE_SIZE, total: Number(total?.['total']) };
}

async function searchPage(
  { database }: Context,
  search: string,
  category: string | undefined,
  page: number,
): Promise<object> {
  const words = searchQuery(search);
  const answer = (rows: Record<string, unknown>[], total: number): object => ({
    items: rows.map(listed),
    page,
    pageSize: PAGE_SIZE,
    total,
  });
  if (words === '') return answer([], 0);
  const rows = await database.query('search', words, category ?? null, PAGE_SIZE, (page - 1) * PAGE_SIZE);
  if (rows.length > 0 || page === 1) return answer(rows, Number(rows[0]?.['total'] ?? 0));
  // Beyond the last page there is no row to carry the total.
  const [total] = await database.query('searchTotal', words, category ?? null);
  return answer([], Number(total?.['total']));
}

/** Words of a search beyond this many are left out: each one costs an index scan. */
const MAX_WORDS = 8;

/**
 * A text-search query for books that hold every word of `search`, each as the beginning of a word. Letters and digits
 * are all that reaches the database, so no input can be a syntax error there.
 */
export function searchQuery(search: string): string {
  const words =
    search
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `'${word}':*`)
    .join(' & ');
}

function listed(row: Record<string, unknown>): object {
  return { isbn: row['isbn'], title: row['title'], price: amount(Number(row['price_cents'])) };
}
