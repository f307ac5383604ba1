/** Which file a user means by a scenario's name or a path. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { closeMatch } from '../../lib/model/nearest.ts';
import { packageRoot } from '../base/package.ts';
import { UserError } from '../base/user-error.ts';
import type { InputFile } from '../results/manifest.ts';
import { factsBeside } from '../results/suite-facts.ts';

export interface Script {
  /** Name for run ids and reports: the file's name without extension. */
  readonly scenario: string;
  /** Absolute path. */
  readonly file: string;
  /** Whether it is a bundle of a suite, so that the suite's variables are the only ones it reads. */
  readonly own: boolean;
}

/** The package's own bundles: the bookstore's. */
export const packageDist = (): string => join(packageRoot(), 'dist');

/** Where load tests are looked for by name: the suite of the current folder, then the package's own. */
const dists = (): string[] => [...new Set([resolve('dist'), packageDist()])];

/**
 * A bare name is a load test of a suite, anything with a slash or an extension is a path.
 * @param folders of bundles; of two with one name that of the first
 * @throws UserError when there is no such scenario or file.
 */
export function findScript(asked: string, folders: readonly string[] = dists()): Script {
  if (asked === '-')
    throw new UserError('a script on standard input cannot be kept with its results; save it as a file');
  if (/[\\/]/.test(asked) || extname(asked) !== '') {
    const file = resolve(asked);
    if (!existsSync(file)) throw new UserError(`${asked}: there is no such script`);
    if (statSync(file).isDirectory()) throw new UserError(`${asked}: a folder; name a script in it`);
    return { scenario: basename(file, extname(file)), file, own: isBundle(file, folders) };
  }
  const file = folders.map((folder) => join(folder, `${asked}.js`)).find((one) => existsSync(one));
  if (file !== undefined) return { scenario: asked, file, own: true };
  const names = [...new Set(folders.flatMap(scenarioNames))].sort();
  if (names.length === 0)
    throw new UserError(`scenario "${asked}": no scenario has been built; run \`npm run build\` first`);
  const near = closeMatch(asked, names);
  const hint =
    near === undefined
      ? `there are ${names.join(', ')}; one of another suite is named by its file, as in path/to/dist/${asked}.js`
      : `did you mean "${near}"?`;
  throw new UserError(`scenario "${asked}": there is no such scenario; ${hint}`);
}

const isBundle = (file: string, folders: readonly string[]): boolean =>
  folders.some((folder) => dirname(file) === resolve(folder)) || factsBeside(file) !== undefined;

/** Scenarios that have been built. */
export function scenarioNames(dist: string): string[] {
  if (!existsSync(dist)) return [];
  return readdirSync(dist)
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -3))
    .sort();
}

/** A file with its hash, for the manifest. */
export function inputFile(file: string): InputFile {
  const bytes = readFileSync(file);
  return { file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
