/** Lets several processes begin together: each makes a file when it is ready and waits until somebody takes it away. */
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 20;

/** @param file made when the run is ready */
export function startBarrier(file: string): (over: { readonly aborted: boolean }) => Promise<void> {
  return async (over) => {
    writeFileSync(file, '');
    while (existsSync(file) && !over.aborted) await sleep(POLL_MS);
  };
}
