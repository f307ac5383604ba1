/** A private folder for files that nobody keeps. */
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Makes the folder, and removes it when `use` is done or a signal ends this process, whichever comes first.
 * @param use gets the folder, and what is aborted by a signal: for the programs that write into it
 */
export async function inScratchFolder<Result>(
  use: (folder: string, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'bookstore-load-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const stopped = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    stopped.abort();
    remove();
    process.stderr.write('bookstore-load: stopped by a signal while no load was running\n');
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await use(folder, stopped.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    remove();
  }
}
