/** The library that suites import, for one that has not installed it: that of this program. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { PACKAGE_NAME, packageRoot } from '../base/package.ts';

/**
 * Whether a file of a suite finds the library where it was installed. Looked for by hand: inside this package's own folder Node
 * finds it by its name, and the compiler of types does not.
 */
export function findsLibrary(file: string): boolean {
  for (let folder = dirname(resolve(file)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', PACKAGE_NAME, 'package.json'))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** @param file of the suite; the first entry point by default */
export function ownLibrary(file?: string): Plugin {
  return {
    name: 'own-library',
    setup(plugin) {
      const { entryPoints } = plugin.initialOptions;
      const first = file ?? (Array.isArray(entryPoints) ? (entryPoints[0] as string | undefined) : undefined);
      if (first === undefined || findsLibrary(first)) return;
      // The suite's own extends one that is not found either.
      plugin.initialOptions.tsconfigRaw = '{}';
      plugin.onResolve({ filter: new RegExp(`^${PACKAGE_NAME}(/.*)?$`) }, ({ path, kind, pluginData }) =>
        pluginData === PACKAGE_NAME
          ? undefined
          : plugin.resolve(path, { kind, resolveDir: packageRoot(), pluginData: PACKAGE_NAME }),
      );
    },
  };
}
