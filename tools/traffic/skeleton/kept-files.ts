/** Files that a program makes and people go on with: what somebody has edited is not overwritten. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOutput } from '../../base/output-file.ts';
import { UserError } from '../../base/user-error.ts';

/** Hashes of the files as they were made, by path. */
const RECORD = '.skeleton.json';

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

function recordOf(folder: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(join(folder, RECORD), 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

/**
 * @param names files that would be overwritten; those that were made by default
 * @throws UserError (exit 2) listing the files that are not as they were made
 */
export function refuseEdited(folder: string, force: boolean, names?: readonly string[]): void {
  if (force) return;
  const made = recordOf(folder);
  const edited = (names ?? Object.keys(made)).filter((name) => {
    const path = join(folder, name);
    return existsSync(path) && hashOf(readFileSync(path)) !== made[name];
  });
  if (edited.length === 0) return;
  throw new UserError(
    `${folder}: ${edited.join(', ')} ${edited.length === 1 ? 'has' : 'have'} been edited, or made by somebody else: name another folder, overwrite with --force, or renew the workload alone with --out ${join(folder, 'data', 'workload.json')}`,
  );
}

/**
 * Writes all files, or none when one of them was edited.
 * @param renewed files that are data of the log, which may have changed
 * @returns the paths written
 * @throws UserError
 */
export function writeKept(
  folder: string,
  files: Readonly<Record<string, string>>,
  renewed: Readonly<Record<string, string>>,
  force: boolean,
): string[] {
  refuseEdited(folder, force, Object.keys(files));
  const all = { ...renewed, ...files };
  for (const [name, text] of Object.entries(all)) writeOutput(join(folder, name), text);
  const made = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, hashOf(text)]));
  writeOutput(join(folder, RECORD), `${JSON.stringify(made, null, 2)}\n`);
  return [...Object.keys(all), RECORD].map((name) => join(folder, name));
}
