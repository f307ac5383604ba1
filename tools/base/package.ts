/** Where the suite lies and which version it is; works from the sources, from `dist/` and when installed. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PACKAGE_NAME = 'bookstore-load';

/** Folder of the suite's package.json. */
export function packageRoot(from: string = import.meta.dirname): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && readPackage(file).name === PACKAGE_NAME) return folder;
    if (folder === dirname(folder)) throw new Error(`no package.json of ${PACKAGE_NAME} above ${from}`);
  }
}

/** Version in the suite's package.json. */
export function packageVersion(): string {
  return readPackage(join(packageRoot(), 'package.json')).version ?? '0.0.0';
}

function readPackage(file: string): { name?: string; version?: string } {
  return JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
}
