/** The bookstore as a modelled server, from its sources. */
import { CATALOGUE_SIZE } from '../../bookstore/catalogue/books.ts';
import { ENDPOINT_LIST } from '../../scenarios/bookstore/endpoints.ts';
import server from '../../scenarios/bookstore/server-model.ts';
import type { ServedSuite } from '../../tools/engine/model/model-transport.ts';

export const servedBookstore = (books: number = CATALOGUE_SIZE): ServedSuite => ({
  endpoints: ENDPOINT_LIST,
  rows: { books },
  server,
});
