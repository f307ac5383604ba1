/** Files that a build reads, each refused in one sentence when it cannot be read. */
import { readdirSync, readFileSync } from 'node:fs';
import { UserError } from '../base/user-error.ts';

/** @throws UserError */
export function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UserError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}): make it, or take it from the repository`,
    );
  }
}

/** @throws UserError */
export const readText = (file: string): string => new TextDecoder().decode(readBytes(file));

/** Names in a folder, sorted. @throws UserError */
export function entriesOf(folder: string, what: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(`"${folder}" is no folder that can be read (${code}): name the folder of the ${what}`);
  }
}
