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
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    .map((file) => join(folder, file))
    .sort();
}

const LITERAL = /(?:'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)`)/.source;
const SPECIFIER = new RegExp(
  [
    // import and export declarations, import(), require(), what createRequire() gives by whatever name, resolving.
    `\\b(?:from|import|require|createRequire\\([^)]*\\))\\s*\\(?\\s*${LITERAL}`,
    `\\.resolve\\(\\s*${LITERAL}`,
    `new URL\\(\\s*${LITERAL}\\s*,\\s*import\\.meta\\.url`,
    `<reference path=${LITERAL}`,
  ].join('|'),
  'g',
);
/** What stands between a keyword and its text, and would hide it. */
const INNER_COMMENT = /\/\*[^*]*\*\//g;

/** What a file imports, types too, as it is written there. */
export function specifiersOf(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(INNER_COMMENT, '');
  return [...text.matchAll(SPECIFIER)].map((found) => found.slice(1).find((one) => one !== undefined) as string);
}

/** Imports that no text tells, by their line: of a variable, or by a function that `createRequire` gave under another name. */
export function untoldImports(root: string, file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replace(INNER_COMMENT, '');
  const untold = [
    ...text.matchAll(/\bimport\(\s*[A-Za-z_$][^)]*\)/g),
    ...text.matchAll(/(?:const|let|var)\s+(?!require\b)\w+\s*=\s*createRequire\(/g),
  ];
  return untold.map(({ 0: code, index }) => `${file}:${text.slice(0, index).split('\n').length}: ${code}`);
}

/** The library by the name of its package, as a suite that stands elsewhere imports it. */
const OWN_NAME = 'bookstore-load';

/** The file of the library that a name of the package stands for. */
function ownFile(specifier: string): string {
  if (specifier === OWN_NAME) return 'lib/index.ts';
  return `lib/${specifier.slice(OWN_NAME.length + 1).replace(/\.js$/, '')}.ts`;
}

/** Imports of files by paths, or of the library by its name; those of other packages are left out. */
export function importsOf(root: string, files: readonly string[]): Import[] {
  return files.flatMap((from) =>
    specifiersOf(root, from).flatMap((specifier): Import[] => {
      if (specifier === OWN_NAME || specifier.startsWith(`${OWN_NAME}/`)) return [{ from, to: ownFile(specifier) }];
      if (!specifier.startsWith('.')) return [];
      const path = specifier.replace(/[?#].*$/, '');
      return [{ from, to: relative(root, resolve(root, dirname(from), path)) }];
    }),
  );
}
