/** Result files that are read as one text: summaries, logs, rules. */
import { constants, gunzipSync } from 'node:zlib';
import { EXIT } from '../base/exit-codes.ts';
import { MOST_BYTES, readDocument, refuseLong } from '../base/input-file.ts';
import { linesOf } from '../base/text-lines.ts';
import { UserError } from '../base/user-error.ts';
import type { ResultFile } from './files.ts';

/** Whole text of a file, decompressed; a cut gzip stream gives its first part. Throws `UserError` for one damaged or too long. */
export function textOf(file: ResultFile): string {
  const bytes = readDocument(file.path);
  if (!file.gzip) return bytes.toString('utf8');
  try {
    const limits = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_BYTES };
    return gunzipSync(bytes, limits).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') refuseLong(file.path, MOST_BYTES + 1);
    throw new UserError(`${file.path}: the gzip stream is damaged; give the file that k6 wrote`, EXIT.noVerdict);
  }
}

/** Lines of a log of any length; of a compressed one, as `textOf`. */
export function logLines(file: ResultFile): Iterable<string> {
  return file.gzip ? textOf(file).split('\n') : linesOf(file.path);
}

/** Whole text of a plain file. Throws `UserError` for one that is not there or no file. */
export function readText(path: string): string {
  return readDocument(path).toString('utf8');
}
