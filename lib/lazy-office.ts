/** The office behind a function; in bundles that function reads `lib/office.js` and evaluates it. */
import * as module from './office.ts';

export const office = (): typeof module => module;
