/** Whether a gzip stream is whole, and what a cut or damaged one still gives (k6 killed: the stream has no end). */
import { closeSync, createReadStream, createWriteStream, openSync, readSync } from 'node:fs';
import { Writable } from 'node:stream';
import { createGunzip, createInflateRaw, constants as zlib } from 'node:zlib';

/**
 * `cut`: it ends too early. `damaged`: it cannot be read on from somewhere. `checksum`: it can be read to its end, but is
 * not what was written. `trailing`: bytes that are no gzip follow its end.
 */
export type GzipState = 'whole' | 'cut' | 'damaged' | 'checksum' | 'trailing';

/** Reads a gzip file to its end, its checksums included. Several gzip members in one file are read on. */
export function checkGzip(path: string): Promise<GzipState> {
  return new Promise((resolve, reject) => {
    const source = createReadStream(path, { highWaterMark: 1 << 18 });
    const gunzip = createGunzip({ chunkSize: 1 << 18 });
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    gunzip.on('error', (error: NodeJS.ErrnoException) => {
      source.destroy();
      if (error.code === 'Z_BUF_ERROR') resolve('cut');
      else if (error.message === 'incorrect header check') resolve('trailing');
      else resolve(/incorrect (data|length) check/.test(error.message) ? 'checksum' : 'damaged');
    });
    nowhere.on('finish', () => resolve('whole'));
    source.on('error', reject);
    source.pipe(gunzip).pipe(nowhere);
  });
}

export interface Salvage {
  readonly path: string;
  /** Bytes of plain text that could be read. */
  readonly bytes: number;
}

/**
 * Decompresses `from` into `to` up to the first damage. Several gzip members in one file are read on. The members are
 * inflated without their checksums, since a whole gunzip throws its last output away when it does not like what follows.
 */
export async function salvageGzip(from: string, to: string): Promise<Salvage> {
  const target = createWriteStream(to);
  const finished = new Promise<void>((resolve, reject) => target.on('finish', resolve).on('error', reject));
  let bytes = 0;
  let at = 0;
  while (true) {
    const header = memberHeader(from, at);
    if (header === undefined) break;
    const source = createReadStream(from, { start: at + header });
    // Without Z_FINISH a missing end is no error.
    const inflate = createInflateRaw({ finishFlush: zlib.Z_SYNC_FLUSH });
    source.on('error', (error) => inflate.destroy(error));
    source.pipe(inflate);
    try {
      for await (const chunk of inflate as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (!target.write(chunk)) await new Promise<void>((resolve) => target.once('drain', resolve));
      }
    } catch {
      break;
    } finally {
      source.destroy();
    }
    at += header + inflate.bytesWritten + TRAILER_BYTES;
  }
  target.end();
  await finished;
  return { path: to, bytes };
}

/** Checksum and length behind each member (RFC 1952). */
const TRAILER_BYTES = 8;

/** Length of the header of the member that begins at `at` (RFC 1952, 2.3); undefined when none begins there. */
function memberHeader(path: string, at: number): number | undefined {
  const handle = openSync(path, 'r');
  const head = Buffer.alloc(65_536);
  const read = head.subarray(0, readSync(handle, head, 0, head.length, at));
  closeSync(handle);
  if (read.length < 10 || read[0] !== 0x1f || read[1] !== 0x8b || read[2] !== 8) return undefined;
  const flags = read[3] ?? 0;
  let length = 10;
  if ((flags & 4) !== 0) length += 2 + (read[length] ?? 0) + 256 * (read[length + 1] ?? 0);
  for (const text of [8, 16]) if ((flags & text) !== 0) length = read.indexOf(0, length) + 1 || read.length;
  return (flags & 2) !== 0 ? length + 2 : length;
}
