/**
 * Whether the files that a run is to end with can be written: k6 only logs it when one cannot, at the very end, and ends
 * with exit code 0.
 */
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UserError } from '../base/user-error.ts';

/** Names under which handleSummary writes to the console instead of a file. */
const CONSOLE = ['stdout', 'stderr'];

/** Devices that take what is written. */
const DEVICES = ['/dev/null', '/dev/tty', '/dev/stdout', '/dev/stderr'];

/**
 * @param paths by what the user calls them (`SUMMARY_JSON`, `--summary-export`); empty ones are not asked for
 * @throws UserError for one that cannot be written, and for two that are the same file
 */
export function checkSummaryPaths(paths: Readonly<Record<string, string | undefined>>): void {
  const taken = new Map<string, string>();
  for (const [name, path] of Object.entries(paths)) {
    if (!path || CONSOLE.includes(path)) continue;
    const problem = problemOf(path);
    if (problem !== undefined) throw new UserError(`${name}=${path}: ${problem}`);
    const file = join(realpathSync(dirname(resolve(path))), basename(path));
    const other = taken.get(file);
    if (other !== undefined) {
      throw new UserError(
        `${other} and ${name} are both ${path}: one would overwrite the other; give each its own file`,
      );
    }
    taken.set(file, name);
  }
}

function problemOf(path: string): string | undefined {
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) return `there is no folder ${folder}; make it first`;
  if (!statSync(folder).isDirectory()) return `${folder} is no folder; choose another path`;
  if (existsSync(path) && statSync(path).isDirectory()) return 'this is a folder; name a file in it';
  if (existsSync(path) && statSync(path).isCharacterDevice() && !DEVICES.includes(resolve(path)))
    return 'this is a device; name a file';
  return mayWrite(existsSync(path) ? path : folder) ? undefined : 'it cannot be written there; choose another path';
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
