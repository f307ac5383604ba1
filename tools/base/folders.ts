/** Folders that a user asked for. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing, one by one: Node's own recursive way never returns where the system
 * answers ENOENT (below /proc, for one).
 * @param mode rights of the folders that are made
 * @throws the system's error
 */
export function makeFolders(folder: string, mode?: number): void {
  const path = resolve(folder);
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolders(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    const isThere = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    if (!isThere) throw error;
  }
}
