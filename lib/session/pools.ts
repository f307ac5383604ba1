// Touches k6: the rows of all pools, shared by all VUs.
import { SharedArray } from 'k6/data';

/**
 * One array for all pools, since each array costs a VU 4 kB; where a pool begins and how long it is, the plan says. One short value
 * an element, because k6 parses an element as JSON at every look.
 */
export const rows = new SharedArray('rows', () => JSON.parse(open('./data/rows.json')) as unknown[]);
