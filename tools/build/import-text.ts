/** Code of a suite, run in Node. */
import { randomUUID } from 'node:crypto';
import type { Plugin } from 'esbuild';

/** Runs a module that exists as text only; each time anew, where Node would run the same text once. */
export const importText = (text: string): Promise<Readonly<Record<string, unknown>>> =>
  import(`data:text/javascript;base64,${Buffer.from(`${text}\n//${randomUUID()}`).toString('base64')}`);

/** Everything of k6 is a function that does nothing and has every property; what is made with `new` leaves its name in `made`. */
const NOTHING = `const nothing = new Proxy(function () {}, {
  get: (_target, key) => (key === Symbol.toPrimitive ? () => '' : key === '__esModule' ? false : nothing),
  apply: () => nothing,
  construct: (_target, [name]) => {
    globalThis.made?.push(name);
    return nothing;
  },
  // What an import takes by name is looked for here.
  getPrototypeOf: () => nothing,
});
module.exports = nothing;`;

/** k6's modules, which Node does not have, and modules of the web. */
export function withoutK6(): Plugin {
  return {
    name: 'without-k6',
    setup(plugin) {
      plugin.onResolve({ filter: /^(k6(\/.*)?|https:\/\/.*)$/ }, ({ path }) => ({ path, namespace: 'nothing' }));
      plugin.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: NOTHING, loader: 'js' }));
    },
  };
}
