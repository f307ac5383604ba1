/** Files that a user asked for, and what to say when the system refuses one. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { makeFolders } from './folders.ts';
import { visibleLines } from './terminal-text.ts';
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
  ENOENT: 'it is not there',
  ENAMETOOLONG: 'the path is too long',
  EMFILE: 'too many files are open',
};

/** Why the system refused, in words; undefined for an error that is not the system's. */
export function systemReason(error: unknown): string | undefined {
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return undefined;
  return REASONS[code] ?? `the system says ${code} to ${syscall}`;
}

/** The same where a file or a folder was to be made. */
export function makingReason(error: unknown): string | undefined {
  const missing = (error as NodeJS.ErrnoException | null)?.code === 'ENOENT';
  return missing ? 'it is not there and cannot be made there' : systemReason(error);
}

/**
 * What a shell or another program would take for something else than a path of this machine: it would become a folder of that
 * odd name.
 * @throws UserError
 */
export function refuseOddPath(path: string): void {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    throw new UserError(`${maskedUrl(path)}: this is a URL; name a file or folder of this machine`);
  const [first = ''] = path.split('/', 1);
  const isHome = first === '~' || (first.startsWith('~') && path.includes('/'));
  if (isHome && !existsSync(first))
    throw new UserError(`${path}: the shell has not replaced ${first}; write the folder's whole path`);
}

const maskedUrl = (url: string): string => url.replace(/\/\/[^/]*@/, '//');

/**
 * Writes a file that was asked for; folders that are missing are made.
 * @param through whether a link is written through, as the one who named it meant it; else it gives way to the file
 * @throws UserError that names the path and the reason
 */
export function writeOutput(path: string, content: string | Uint8Array, through = true): void {
  refuseOddPath(path);
  orRefuse(path, () => {
    makeFolders(dirname(path));
    if (through) replaceFile(path, content);
    else addFile(path, content);
  });
}

/** A file that nobody named: it takes the place of a file or a link, and of nothing else. */
function addFile(path: string, content: string | Uint8Array): void {
  const old = lstatSync(path, { throwIfNoEntry: false });
  if (old !== undefined && !old.isFile() && !old.isSymbolicLink() && !old.isDirectory())
    throw new UserError(`${path}: cannot be written (it is no file); take it away`);
  if (old?.isSymbolicLink() === true) unlinkSync(path);
  replaceFile(path, content);
}

/**
 * Writes beside the target and renames, so that a full disk leaves the old file whole. What is no file (a pipe, `/dev/null`) and
 * what lies in a folder that takes no new files is written as it stands.
 */
function replaceFile(path: string, content: string | Uint8Array): void {
  const old = statSync(path, { throwIfNoEntry: false });
  if (old !== undefined && !old.isFile()) {
    writeFileSync(path, content);
    return;
  }
  // A link stays a link.
  const target = old === undefined ? path : realpathSync(path);
  const beside = join(dirname(target), `.${basename(target).slice(0, 200)}.${process.pid}.part`);
  let file: number;
  try {
    file = openSync(beside, 'wx');
  } catch (error) {
    if (old === undefined || !['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    writeFileSync(target, content);
    return;
  }
  try {
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (old !== undefined) chmodSync(beside, old.mode & 0o7777);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Makes a folder that was asked for, with those above it.
 * @throws UserError that names the path and the reason
 */
export function makeFolder(path: string): void {
  refuseOddPath(path);
  orRefuse(path, () => makeFolders(path));
}

/**
 * Lets another program (a database) write a file that was asked for: beside it, so that it is whole or as it was.
 * @param write gets an absolute path of a new file; what it throws is said with `reason`
 * @throws UserError that names the path and the reason
 */
export async function writeBeside(
  path: string,
  write: (beside: string) => Promise<void>,
  reason: (error: unknown) => string,
): Promise<void> {
  refuseOddPath(path);
  const target = resolve(path);
  const beside = join(dirname(target), `.${basename(target).slice(0, 200)}.${process.pid}.part`);
  orRefuse(path, () => {
    makeFolders(dirname(target));
    const old = statSync(target, { throwIfNoEntry: false });
    if (old !== undefined && !old.isFile()) {
      const what = old.isDirectory() ? REASONS['EISDIR'] : 'it is no file';
      throw new UserError(`${path}: cannot be written (${what}); choose another path`);
    }
    closeSync(openSync(beside, 'wx'));
  });
  try {
    await write(beside);
    orRefuse(path, () => renameSync(beside, target));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${path}: cannot be written (${reason(error)}); choose another path`);
  } finally {
    rmSync(beside, { force: true });
  }
}

function orRefuse(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${path}: cannot be written (${makingReason(error) ?? String(error)}); choose another path`);
  }
}

/** A file beside what was printed. */
export interface Output {
  /** Writes it and gives its path; throws `UserError` when the system refuses. */
  readonly write: () => string | Promise<string>;
  /** Named by the user; else it is a courtesy, whose failure is worth a note only. */
  readonly asked: boolean;
}

/** A file with a content that is worked out when its turn comes. */
export function output(path: string, asked: boolean, content: () => string | Promise<string>): Output {
  return {
    asked,
    write: async () => {
      writeOutput(path, await content(), asked);
      return path;
    },
  };
}

/**
 * Writes files and prints, whatever becomes of the files; then says on standard error, a sentence each, which the system
 * refused. Printing comes second, since a reader such as `head` may end the program.
 * @param print gets the paths that were written
 * @returns the exit code that a refused file asks for, if it was asked for
 */
export async function writeOutputs(
  outputs: readonly Output[],
  print: (written: readonly string[]) => void,
): Promise<number | undefined> {
  const written: string[] = [];
  const refused: string[] = [];
  let exitCode: number | undefined;
  try {
    for (const { write, asked } of outputs) {
      try {
        written.push(await write());
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        refused.push(asked ? `bookstore-load: ${error.message}\n` : `Note: ${error.message}\n`);
        if (asked) exitCode = error.exitCode;
      }
    }
  } finally {
    print(written);
  }
  for (const sentence of refused) process.stderr.write(visibleLines(sentence));
  return exitCode;
}
