/** Which file imports which, read from the text of the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** One import within the repository, by paths from its root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** Files of code of a folder, by paths from `root`. */
export function sourcesOf(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?[jt]s$/.test(file))
    .map((file) => join(folder, file))
    .sort();
}

/** What a file imports, types too, as it is written there. */
export function specifiersOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [
    ...text.matchAll(
      /(?:from|import|require\)?)\s*\(?\s*'([^']+)'|createRequire\([^)]*\)\(\s*'([^']+)'|<reference path="([^"]+)"/g,
    ),
  ].map(([, a, b, c]) => (a ?? b ?? c) as string);
}

/** The library by the name of its package, as a suite that stands elsewhere imports it. */
const OWN_NAME = 'bookstore-load';

/** Imports of files by relative paths, or of the library by its name; those of other packages are left out. */
export function importsOf(root: string, files: readonly string[]): Import[] {
  return files.flatMap((from) =>
    specifiersOf(root, from)
      .filter((specifier) => specifier.startsWith('.') || specifier === OWN_NAME)
      .map((specifier) => ({
        from,
        to: specifier === OWN_NAME ? 'lib/index.ts' : relative(root, resolve(root, dirname(from), specifier)),
      })),
  );
}
