/** Where a build may write. */
import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { UserError } from '../base/user-error.ts';
import type { Sources } from './suite-folder.ts';

/** Folders of a suite, and of this repository, that hold what is written by hand or installed. */
const SOURCE_FOLDERS = [
  ...['lib', 'scenarios', 'bookstore', 'tools', 'data', 'thresholds', 'environments', 'test', 'docs', 'bin'],
  ...['.git', '.ci', 'node_modules'],
];

/**
 * Refuses a folder where the build would write over sources.
 * @throws UserError
 */
export function checkOutdir(outdir: string, sources: Sources): void {
  if (outdir.trim() === '') throw new UserError('--outdir is empty: name a folder such as dist');
  const own = SOURCE_FOLDERS.map((name) => join(sources.suite, name));
  const given = [...Object.values(sources.pools), sources.workload].map((file) => dirname(file));
  const folders = [...own, ...given, sources.thresholds].map(real);
  const within = own.map(real).find((folder) => isWithin(real(outdir), folder));
  const over = within ?? ['data', 'lib'].map((name) => real(join(outdir, name))).find((one) => folders.includes(one));
  if (over === undefined) return;
  const shown = relative('.', over) || '.';
  throw new UserError(
    `--outdir ${outdir}: the build would write into ${shown}, which holds sources: name another folder`,
  );
}

/** The path without links, as far as it exists. */
function real(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(real(above), relative(above, whole));
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}
