// Touches k6: test data shared by all VUs, one short string an element, and pickers.
import { SharedArray } from 'k6/data';
import { popularitySampler } from './popularity.ts';
import type { Random } from './random.ts';
import type { PopularityLaw } from './workload.ts';

/** Search terms stand in popularity order and are drawn by Zipf's law, as words are. */
const TERM_LAW: PopularityLaw = { law: 'zipf', s: 1 };

/**
 * All test data in one shared array, since each array costs a VU 4 kB: first how many books, terms and categories there
 * are, then the books in popularity order, the search terms in popularity order, and the categories.
 */
const rows = new SharedArray('rows', () => JSON.parse(open('./data/rows.json')) as string[]);

export type Picker = (random: Random) => string;

export interface Catalogue {
  readonly books: number;
  /** Book by popularity, from 0. */
  readonly book: (index: number) => string;
  /** Picks books by a law. */
  readonly bookPicker: (law: PopularityLaw) => Picker;
  readonly searchTerm: Picker;
  readonly category: Picker;
}

export const openCatalogue = (): Catalogue => {
  // One element each: taking a text or an array apart makes the methods for it in every VU.
  const books = +(rows[0] as string);
  const terms = +(rows[1] as string);
  const categories = +(rows[2] as string);
  const book = (index: number): string => rows[3 + index] as string;
  let termIndex: ((random: Random) => number) | undefined;
  return {
    books,
    book,
    bookPicker: (law) => {
      const index = popularitySampler(law, books);
      return (random) => book(index(random));
    },
    searchTerm: (random) => {
      termIndex ??= popularitySampler(TERM_LAW, terms);
      return book(books + termIndex(random));
    },
    category: (random) => book(books + terms + Math.floor(random() * categories)),
  };
};
