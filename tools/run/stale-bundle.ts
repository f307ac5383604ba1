/** Bundles older than what they are made of: a run takes them as they are, since k6 alone would do so too, but not without a word. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** What the build reads in the folder of a suite. */
const SOURCES = ['suite.ts', 'scenarios', 'data', 'thresholds', 'environments'];

/**
 * A sentence on the file that was changed last, when that was after the build of the bundle; undefined when none was, or when the
 * bundle does not lie in a folder of the suite.
 * @param script path of a bundle
 */
export function staleNote(script: string): string | undefined {
  const dist = dirname(script);
  const suite = dirname(dist);
  const built = modified(join(dist, 'data', 'suite.json'));
  if (built === undefined || !existsSync(join(suite, 'scenarios'))) return undefined;
  const files = SOURCES.flatMap((name) => {
    const path = join(suite, name);
    if (!existsSync(path) || !statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file));
  });
  const changed = files.find((file) => (modified(file) ?? 0) > built);
  if (changed === undefined) return undefined;
  return `${relative('.', changed)} was changed after ${relative('.', dist) || 'the bundles'} was built; to run it as it is now, build again`;
}

/** Time of the last change, ms since 1970; folders and what is not there have none. */
function modified(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.mtimeMs : undefined;
}
