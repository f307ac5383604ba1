// Touches k6: test data shared by all VUs (one short string an element), pickers, and pools that can run out.
import { SharedArray } from 'k6/data';
import { popularitySampler } from './popularity.ts';
import type { Random } from './random.ts';
import type { PopularityLaw } from './workload.ts';

/** Search terms stand in popularity order and are drawn by Zipf's law, as words are. */
const TERM_LAW: PopularityLaw = { law: 'zipf', s: 1 };

type Rows = ReturnType<typeof rows>;
const rows = (name: string) => new SharedArray(name, () => JSON.parse(open(`./data/${name}.json`)) as string[]);

export const books = rows('books');
export const searchTerms = rows('search-terms');
export const categories = rows('categories');

export type Picker = (random: Random) => string;

/** Picks by a popularity law over data that stand in popularity order. */
export function picker(rows: Rows, law: PopularityLaw): Picker {
  const index = popularitySampler(law, rows.length);
  return (random) => rows[index(random)] as string;
}

export const termPicker = (): Picker => picker(searchTerms, TERM_LAW);
export const categoryPicker = (): Picker => picker(categories, { law: 'uniform' });
