/** Result files that are read as one text: summaries, logs, rules. */
import { readFileSync } from 'node:fs';
import { constants, gunzipSync } from 'node:zlib';
import { EXIT } from '../base/exit-codes.ts';
import { UserError } from '../base/user-error.ts';
import type { ResultFile } from './files.ts';

/** Whole text of a file, decompressed; a cut gzip stream gives its first part. Throws `UserError` for a damaged one. */
export function textOf(file: ResultFile): string {
  const bytes = readFileSync(file.path);
  if (!file.gzip) return bytes.toString('utf8');
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8');
  } catch {
    throw new UserError(`${file.path}: the gzip stream is damaged; give the file that k6 wrote`, EXIT.noVerdict);
  }
}

/** Whole text of a plain file. Throws `UserError` for one that is not there. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new UserError(`${path}: no such file, or not readable`);
  }
}
