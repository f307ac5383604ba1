/** Which file imports which, read from the text of the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** One import within the repository, by paths from its root. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

/** TypeScript files of a folder, by paths from `root`. */
export function sourcesOf(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
    .sort();
}

/** What a file imports, types too, as it is written there. */
export function specifiersOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
}

/** Imports of files by relative paths; those of packages are left out. */
export function importsOf(root: string, files: readonly string[]): Import[] {
  return files.flatMap((from) =>
    specifiersOf(root, from)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({ from, to: relative(root, resolve(root, dirname(from), specifier)) })),
  );
}
