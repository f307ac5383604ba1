/** A named pipe as a stream that can be left: reads of a file would keep the process until somebody writes. */
import { closeSync, constants, open, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** @param stop no longer waits for somebody who writes */
export async function pipeStream(name: string, stop?: AbortSignal): Promise<Readable> {
  const opened = promisify(open)(name, 'r');
  const giveUp = (): void => {
    // Opening waits for a writer: this is one, who has nothing to say.
    try {
      closeSync(openSync(name, constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // Nobody reads yet or any more: nothing waits.
    }
  };
  if (stop?.aborted === true) giveUp();
  stop?.addEventListener('abort', giveUp, { once: true });
  const fd = await opened;
  stop?.removeEventListener('abort', giveUp);
  return new Socket({ fd, readable: true, writable: false });
}
