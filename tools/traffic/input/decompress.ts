/**
 * Compression is found by the first bytes, never by the file's name: rotated names such as `x.gz.2` say nothing. A stream
 * that is cut off gives what can be read of it, and a remark.
 */
import { createRequire } from 'node:module';
import { PassThrough, Readable, Transform } from 'node:stream';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';
import { type GzipFault, gunzip } from '../../base/gunzip.ts';

export type Compression = 'none' | 'gzip' | 'zstd' | 'brotli';

/** Compression of a file that begins with these bytes. Brotli has no magic: it is tried when the head is no text. */
export function compressionOf(head: Uint8Array): Compression {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) return 'zstd';
  // A zstd file may begin with a skippable frame.
  if (((head[0] ?? 0) & 0xf0) === 0x50 && head[1] === 0x2a && head[2] === 0x4d && head[3] === 0x18) return 'zstd';
  return looksBinary(head) && isBrotli(head) ? 'brotli' : 'none';
}

/** More than one control byte in ten among the first 512; NULs do not count, crashed servers leave them. UTF-16 has a mark. */
function looksBinary(head: Uint8Array): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return false;
  const n = Math.min(head.length, 512);
  let odd = 0;
  for (let i = 0; i < n; i++) {
    const byte = head[i] as number;
    if ((byte < 32 && byte !== 0 && byte !== 9 && byte !== 10 && byte !== 13) || byte >= 127) odd++;
  }
  return n > 0 && odd / n > 0.1;
}

function isBrotli(head: Uint8Array): boolean {
  try {
    brotliDecompressSync(head);
    return true;
  } catch (error) {
    // A head that is a proper beginning fails only for want of the rest.
    return (
      (error as { code?: string }).code === 'Z_BUF_ERROR' ||
      (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    );
  }
}

/**
 * The decompressed bytes of `input`. Errors do not end the reading with an exception: the stream ends and `onRemark` tells.
 */
export function decompressed(input: Readable, compression: Compression, onRemark: (text: string) => void): Readable {
  if (compression === 'none') return input;
  if (compression === 'gzip') {
    return Readable.from(gunzipped(input, onRemark), { objectMode: false, highWaterMark: 1 << 20 });
  }
  const decoder: Transform = compression === 'zstd' ? zstdStream() : createBrotliDecompress();
  const out = new PassThrough({ highWaterMark: 1 << 20 });
  let ended = false;
  const finish = (remark?: string): void => {
    if (ended) return;
    ended = true;
    if (remark !== undefined) onRemark(remark);
    out.end();
  };
  decoder.on('data', (chunk: Buffer) => {
    if (!out.write(chunk)) {
      decoder.pause();
      out.once('drain', () => decoder.resume());
    }
  });
  decoder.on('end', () => finish());
  decoder.on('error', (error: Error & { code?: string }) => {
    const cut = error.code === 'Z_BUF_ERROR' || /unexpected end|unexpected EOF/i.test(error.message);
    finish(cut ? cutOff(compression) : damaged(compression, error.message));
  });
  input.on('error', (error: Error) => finish(`reading stopped: ${error.message}`));
  input.pipe(decoder);
  return out;
}

const cutOff = (what: Compression): string => `the ${what} stream is cut off; its complete lines were read`;
const damaged = (what: Compression, why: string): string =>
  `the ${what} stream is damaged (${why}); the lines before were read`;

/** Remarks follow everything that could be read. */
async function* gunzipped(input: Readable, onRemark: (text: string) => void): AsyncGenerator<Buffer> {
  try {
    const fault = yield* gunzip(input);
    if (fault !== undefined) onRemark(gzipRemark(fault));
  } catch (error) {
    onRemark(`reading stopped: ${(error as Error).message}`);
  }
}

function gzipRemark({ kind, why }: GzipFault): string {
  if (kind === 'cut') return cutOff('gzip');
  if (kind === 'damaged') return damaged('gzip', why);
  return kind === 'checksum'
    ? `the gzip stream is damaged (${why}): not all of its content is what was written`
    : 'bytes that are no gzip follow the gzip stream; all of it was read';
}

function zstdStream(): Transform {
  let push: (chunk: Uint8Array) => void = () => {};
  // Loaded for such files only.
  const { Decompress } = createRequire(import.meta.url)('fzstd') as typeof import('fzstd');
  const decoder = new Decompress((chunk) => push(chunk));
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      push = (data) => this.push(Buffer.from(data));
      try {
        decoder.push(chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      push = (data) => this.push(Buffer.from(data));
      try {
        decoder.push(new Uint8Array(0), true);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
