/** Files that a user asked for, and what to say when the system refuses one. */
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolders } from './folders.ts';
import { UserError } from './user-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'it is a file, not a folder',
  ENOENT: 'it is not there and cannot be made there',
  ENAMETOOLONG: 'the path is too long',
  EMFILE: 'too many files are open',
};

/** Why the system refused, in words; undefined for an error that is not the system's. */
export function systemReason(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return undefined;
  return REASONS[code] ?? `the system says ${code} to ${syscall}`;
}

/**
 * Writes a file that was asked for; folders that are missing are made.
 * @throws UserError that names the path and the reason
 */
export function writeOutput(path: string, content: string | Uint8Array): void {
  try {
    makeFolders(dirname(path));
    writeFileSync(path, content);
  } catch (error) {
    throw new UserError(`${path}: cannot be written (${systemReason(error) ?? String(error)}); choose another path`);
  }
}
