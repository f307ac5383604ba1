/**
 * The catalogue rule of the reference bookstore: book n (0-based, also its popularity rank) as a pure function, so that
 * the data file, the API's seed and the checks of answers agree without sharing state.
 */
import { isbn13CheckDigit } from '../../lib/model/isbn.ts';

/** Books in the reference catalogue. */
export const CATALOGUE_SIZE = 40_000;
/** Most books that the tools make, and the bookstore serves. */
export const LARGEST_CATALOGUE = 1_000_000;

/** The four categories, in the order in which consecutive books take them. */
export const CATEGORIES = ['fiction', 'science', 'history', 'travel'] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Book {
  readonly isbn: string;
  readonly title: string;
  readonly author: string;
  readonly category: Category;
  /** Price in whole cents, so that no sum is rounded twice. */
  readonly priceCents: number;
  readonly year: number;
}

/** ISBN of book `n`: prefix 979, nine-digit sequence number, check digit. `n` from 0 to 999,999,999. */
export function isbnOf(n: number): string {
  const twelve = `979${String(n).padStart(9, '0')}`;
  return twelve + isbn13CheckDigit(twelve);
}

/** Book `n` of the reference catalogue; price and year follow the brief: 99.90 + (n*37 mod 900), 1950 + n mod 76. */
export function bookOf(n: number): Book {
  return {
    isbn: isbnOf(n),
    title: titleOf(n),
    author: `${pick(GIVEN_NAMES, n)} ${pick(FAMILY_NAMES, Math.floor(n / GIVEN_NAMES.length))}`,
    category: pick(CATEGORIES, n),
    priceCents: 9_990 + ((n * 37) % 900) * 100,
    year: 1950 + (n % 76),
  };
}

/**
 * Title of book `n`. Every title holds one of `TITLE_NOUNS`, so that a search term out of that list always finds books:
 * a search that finds nothing measures another query than the one that users send.
 */
export function titleOf(n: number): string {
  const noun = pick(TITLE_NOUNS, Math.floor(n / CATEGORIES.length));
  const adjective = pick(TITLE_ADJECTIVES, Math.floor(n / (CATEGORIES.length * TITLE_NOUNS.length)));
  return `The ${adjective} ${noun} ${n}`;
}

/** Row of a catalogue file. */
export interface BookRow {
  readonly isbn: string;
  readonly title: string;
  readonly category: string;
  /** With two decimals. */
  readonly price: string;
  readonly year: string;
}

/** Rows of the first `size` books (1 to 1,000,000,000), the most popular first. */
export function bookRows(size: number = CATALOGUE_SIZE): BookRow[] {
  return Array.from({ length: size }, (_, n) => {
    const { isbn, title, category, priceCents, year } = bookOf(n);
    return { isbn, title, category, price: (priceCents / 100).toFixed(2), year: String(year) };
  });
}

/** Search terms in popularity order: words that every title is made of. */
export function searchTerms(): string[] {
  return TITLE_NOUNS.map((noun) => noun.toLowerCase());
}

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T;
}

export const TITLE_NOUNS = [
  'Harbour',
  'Garden',
  'Winter',
  'Machine',
  'Letter',
  'Island',
  'Mirror',
  'Forest',
  'Bridge',
  'Shadow',
  'Orchard',
  'Lantern',
  'Voyage',
  'Meadow',
  'Compass',
  'Archive',
  'Canyon',
  'Festival',
  'Glacier',
  'Horizon',
  'Journey',
  'Kingdom',
  'Library',
  'Monsoon',
  'Notebook',
  'Observatory',
  'Passage',
  'Quarry',
  'Railway',
  'Saffron',
  'Telescope',
  'Umbrella',
  'Valley',
  'Workshop',
  'Almanac',
  'Beacon',
  'Cathedral',
  'Delta',
  'Embassy',
  'Foundry',
] as const;
const TITLE_ADJECTIVES = [
  'Silent',
  'Last',
  'Hidden',
  'Golden',
  'Broken',
  'Distant',
  'Quiet',
  'Burning',
  'Frozen',
  'Borrowed',
  'Crooked',
  'Endless',
  'Forgotten',
  'Hollow',
  'Luminous',
  'Patient',
  'Restless',
  'Salted',
  'Tangled',
  'Unwritten',
] as const;
const GIVEN_NAMES = [
  'Ada',
  'Bruno',
  'Chloe',
  'Dmitri',
  'Elena',
  'Farid',
  'Greta',
  'Hiro',
  'Ines',
  'Jonas',
  'Kaya',
] as const;
const FAMILY_NAMES = [
  'Abel',
  'Brandt',
  'Castillo',
  'Dahl',
  'Eriksen',
  'Fontaine',
  'Garcia',
  'Haddad',
  'Ivanov',
  'Jansen',
  'Kimura',
  'Lindqvist',
  'Moreau',
] as const;
