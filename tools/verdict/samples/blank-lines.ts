/** Blank lines within a CSV: readers pass over them, k6 writes none. */
import { createReadStream } from 'node:fs';

const LINE_FEED = 10;
const RETURN = 13;
const QUOTE = 34;

/** How many lines of a plain CSV are blank, those within quotes and those at its very end left out. */
export async function blankLines(path: string): Promise<number> {
  let found = 0;
  let waiting = 0;
  let atStart = true;
  let quoted = false;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    // Most files have no quote at all, and a blank line is two line feeds: look for both before looking at every byte.
    if (!quoted && !atStart && !chunk.includes(QUOTE) && !chunk.includes('\n\n') && !chunk.includes('\n\r\n')) {
      atStart = chunk[chunk.length - 1] === LINE_FEED;
      continue;
    }
    for (const byte of chunk) {
      if (byte === RETURN) continue;
      if (byte === LINE_FEED && !quoted) {
        if (atStart) waiting += 1;
        atStart = true;
        continue;
      }
      if (atStart) {
        found += waiting;
        waiting = 0;
      }
      atStart = false;
      if (byte === QUOTE) quoted = !quoted;
    }
  }
  return found;
}
