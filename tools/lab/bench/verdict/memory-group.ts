/** A control group that limits memory, of either version, for a generator that is short of it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../base/user-error.ts';

/** Folder and file of the limit: version 1, then version 2. */
const KINDS = [
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
  ['/sys/fs/cgroup', 'memory.max'],
] as const;

/**
 * @returns folder of the group, to be removed when its processes have ended
 * @throws UserError when this user may not make one
 */
export function memoryGroup(bytes: number): string {
  const [root, limit] =
    KINDS.find(([folder, file]) => existsSync(join(folder, file)) || file === 'memory.max') ?? KINDS[1];
  const group = join(root, `bookstore-load-${process.pid}`);
  try {
    mkdirSync(group);
    writeFileSync(join(group, limit), String(bytes));
  } catch (error) {
    throw new UserError(
      `no control group with a memory limit can be made (${(error as Error).message}): run as root, or leave that case out with --case`,
    );
  }
  return group;
}

/** The command, to be run inside the group. */
export function within(group: string | undefined, file: string, words: readonly string[]): [string, string[]] {
  if (group === undefined) return [file, [...words]];
  return ['sh', ['-c', 'echo $$ > "$0" && exec "$@"', join(group, 'cgroup.procs'), file, ...words]];
}
