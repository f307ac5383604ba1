// Touches k6: test data shared by all VUs, one short string an element, and pickers.
import { SharedArray } from 'k6/data';
import { checkedSampler } from '../model/popularity.ts';
import type { Random } from '../model/random.ts';

/**
 * All test data in one shared array, since each array costs a VU 4 kB: first how many books, terms and categories there
 * are, then the books in popularity order, the search terms in popularity order, and the categories.
 */
const rows = new SharedArray('rows', () => JSON.parse(open('./data/rows.json')) as string[]);

export type Picker = (random: Random) => string;

// Numbers, once: a function for each would cost every VU more, and taking a text or an array apart makes the methods for it.
export const BOOKS = +(rows[0] as string);
const TERMS = +(rows[1] as string);
const CATEGORIES = +(rows[2] as string);

/** Book by popularity, from 0. */
export const bookAt = (index: number): string => rows[3 + index] as string;

let termIndex: ((random: Random) => number) | undefined;

/** Picks a search term: they stand in popularity order and are drawn by Zipf's law, as words are. */
export const pickSearchTerm: Picker = (random) => {
  termIndex ??= checkedSampler({ law: 'zipf', s: 1 }, TERMS);
  return bookAt(BOOKS + termIndex(random));
};

/** Picks one of the categories, all alike. */
export const pickCategory: Picker = (random) => bookAt(BOOKS + TERMS + ((random() * CATEGORIES) | 0));
