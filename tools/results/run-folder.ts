/** Names a run and makes its folder; two runs never share one, whenever they start. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolders } from '../base/folders.ts';
import { makingReason, refuseOddPath } from '../base/output-file.ts';
import { UserError } from '../base/user-error.ts';

/** Less free space than this is refused: a minute of samples at 100 requests/s already takes 10 MB. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024;

/** Run id: UTC time to the second, scenario, four random characters: sorts by time, is safe as a file name and tag. */
export function runId(scenario: string, now: Date, suffix: string = randomBytes(2).toString('hex')): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace(/\.\d+/, '');
  const name = scenario.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60);
  return `${time}-${name}-${suffix}`;
}

/**
 * Makes a new folder for a run below `root`, and proves that it can be written.
 * @param name of the folder; without one it is the run's id, made here
 * @throws UserError when it cannot, or when the disk is almost full: before any load is sent.
 */
export function createRunFolder(
  root: string,
  scenario: string,
  now: Date,
  name?: string,
): { readonly id: string; readonly folder: string } {
  refuseOddPath(root);
  try {
    makeFolders(root);
    const free = statfsSync(root);
    const freeBytes = free.bavail * free.bsize;
    if (freeBytes < LEAST_FREE_BYTES) {
      const megabytes = Math.floor(freeBytes / 1024 / 1024);
      throw new UserError(
        `results folder ${root}: only ${megabytes} MB free on its disk; make room or choose another with --results`,
      );
    }
    for (;;) {
      const id = runId(scenario, now);
      const folder = resolve(root, name ?? id);
      try {
        mkdirSync(folder);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST' && name === undefined) continue;
        throw error;
      }
      const probe = join(folder, '.probe');
      writeFileSync(probe, 'x'.repeat(4096));
      rmSync(probe);
      return { id, folder };
    }
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`results folder ${root}: ${folderReason(error)}; choose another with --results`);
  }
}

function folderReason(error: unknown): string {
  return makingReason(error) ?? `cannot be written (${String(error)})`;
}
