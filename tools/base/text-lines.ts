/** Text files of any length, in pieces: a string of Node's holds half a gigabyte at most. */
import { closeSync, openSync, readSync } from 'node:fs';

const CHUNK_BYTES = 1 << 20;
const LINE_FEED = 10;

/** The text of a file in pieces of some megabyte that end where a line does, as far as lines are no longer than that. */
export function* chunksOf(file: string): Generator<string> {
  const descriptor = openSync(file, 'r');
  try {
    let rest: Buffer = Buffer.alloc(0);
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let n = readSync(descriptor, buffer); n > 0; n = readSync(descriptor, buffer)) {
      const read = Buffer.concat([rest, buffer.subarray(0, n)]);
      const end = read.lastIndexOf(LINE_FEED) + 1 || (read.length > CHUNK_BYTES ? read.length : 0);
      if (end > 0) yield read.toString('utf8', 0, end);
      rest = read.subarray(end);
    }
    if (rest.length > 0) yield rest.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Its lines, without their ends; a longer one than some megabyte comes in pieces. */
export function* linesOf(file: string): Generator<string> {
  for (const chunk of chunksOf(file)) yield* chunk.replace(/\n$/, '').split('\n');
}
