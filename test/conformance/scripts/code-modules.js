// Exports that are handed on.
import * as all from './lib/code-handed-on.js';
import { first, renamed } from './lib/code-handed-on.js';

export { options } from './lib/code-handed-on.js';

export default function () {
  console.log(first, renamed, all.inner.first, Object.keys(all).sort().join(), all.left, all.right);
}
