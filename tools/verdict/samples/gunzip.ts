/** What a gzip file holds, whole or not (k6 killed: the stream has no end). */
import { createReadStream, createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type GzipFault, gunzip } from '../../base/gunzip.ts';

export interface Unpacked {
  /** What was lost; undefined of a whole file. */
  readonly fault: GzipFault | undefined;
  /** Bytes of plain text that could be read. */
  readonly bytes: number;
}

/** Reads a gzip file to its end or its first damage, and writes what it holds into `to`, if given. */
export async function unpack(path: string, to?: string): Promise<Unpacked> {
  const source = createReadStream(path, { highWaterMark: 1 << 18 });
  const target =
    to === undefined ? new Writable({ write: (_chunk, _encoding, done) => done() }) : createWriteStream(to);
  let fault: GzipFault | undefined;
  let bytes = 0;
  try {
    await pipeline(async function* () {
      const parts = gunzip(source);
      for (;;) {
        const part = await parts.next();
        if (part.done === true) {
          fault = part.value;
          return;
        }
        bytes += part.value.length;
        yield part.value;
      }
    }, target);
  } finally {
    source.destroy();
  }
  return { fault, bytes };
}
