/** Secrets in the log of a run: the engine writes it itself, and with --http-debug all that is sent. */
import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { chunksOf } from '../base/text-lines.ts';

/** Masks a log that is complete, however long it is; beside it and renamed, so that it is never half a log. */
export function maskLog(file: string, mask: (text: string) => string): void {
  if (!existsSync(file)) return;
  const beside = `${file}.masked`;
  let changed = false;
  try {
    const masked = openSync(beside, 'wx');
    try {
      for (const text of chunksOf(file)) {
        const kept = mask(text);
        changed ||= kept !== text;
        writeSync(masked, kept);
      }
    } finally {
      closeSync(masked);
    }
    if (changed) renameSync(beside, file);
  } finally {
    rmSync(beside, { force: true });
  }
}
