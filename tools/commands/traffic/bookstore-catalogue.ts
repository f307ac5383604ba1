import { CATALOGUE_SIZE } from '../../../bookstore/catalogue/books.ts';
import { ENDPOINTS } from '../../../scenarios/bookstore/endpoints.ts';
import type { KnownCatalogue } from '../../traffic/model/popularity-model.ts';

/** What is known of the bookstore without a log of it. */
export const BOOKSTORE_CATALOGUE: KnownCatalogue = { endpoint: ENDPOINTS.details.name, items: CATALOGUE_SIZE };
