/** The life cycle behind a function; in bundles that function reads `lib/lifecycle.js` and evaluates it. */
import * as module from './lifecycle.ts';

export const lifecycle = (): typeof module => module;
