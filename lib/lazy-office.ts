/** The office behind a function; bundles import `lib/office.js` in its place, which runs the office's code only when called. */
import * as module from './office.ts';

export const office = (): typeof module => module;
