/** Files that are read as one text: documents, whose size and depth are bounded before anything is done with them. */
import { readFileSync, statSync } from 'node:fs';
import { EXIT } from './exit-codes.ts';
import { UserError } from './user-error.ts';

/** A longer document is none of k6's or ours; a string of Node's holds 512 MB at most. */
export const MOST_BYTES = 256 * 1024 * 1024;
/** k6's documents go some ten levels deep; programs that walk them go as deep as the stack. */
const MOST_LEVELS = 200;

/**
 * Refuses what would never end when it is read (a pipe that nobody writes to, a device) and what is no file at all.
 * @returns its bytes
 * @throws UserError
 */
export function refuseNoFile(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UserError(`${path}: no such file, or not readable`);
  if (!found.isFile()) throw new UserError(`${path}: this is no file but a ${kindOf(found)}; name a file`);
  return found.size;
}

function kindOf(found: { isDirectory(): boolean; isFIFO(): boolean; isSocket(): boolean }): string {
  if (found.isDirectory()) return 'folder';
  if (found.isFIFO()) return 'pipe';
  return found.isSocket() ? 'socket' : 'device';
}

/** The bytes of a document. @throws UserError for what is no file, is not readable or too long (exit 3) */
export function readDocument(path: string): Buffer {
  refuseLong(path, refuseNoFile(path));
  try {
    return readFileSync(path);
  } catch {
    throw new UserError(`${path}: no such file, or not readable`);
  }
}

/** Text of a document, or none for one that is not there or cannot be read as one. */
export function documentText(path: string): string {
  try {
    return readDocument(path).toString('utf8');
  } catch {
    return '';
  }
}

/** @throws UserError (exit 3) */
export function refuseLong(path: string, bytes: number): void {
  if (bytes <= MOST_BYTES) return;
  const most = MOST_BYTES / 1024 / 1024;
  throw new UserError(`${path}: longer than ${most} MB, so no document of k6's; leave it out`, EXIT.noVerdict);
}

/** JSON.parse for text of others. @throws SyntaxError, also for JSON that nests deeper than any document of k6's */
export function parseBoundedJson(text: string): unknown {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) throw new SyntaxError(`nested more than ${MOST_LEVELS} levels deep`);
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return value;
}

/** A value of a document as text: objects and lists as JSON, whatever methods they pretend to have. */
export function plainText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
