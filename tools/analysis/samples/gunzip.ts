/** Saves what a cut or damaged gzip stream still gives (k6 killed: the stream has no end). */
import { createReadStream, createWriteStream } from 'node:fs';
import { createGunzip, constants as zlib } from 'node:zlib';

export interface Salvage {
  readonly path: string;
  /** Bytes of plain text that could be read. */
  readonly bytes: number;
  /** Whether the stream ended as it should. */
  readonly complete: boolean;
}

/** Decompresses `from` into `to` up to the first damage. Several gzip members in one file are read on. */
export function salvageGzip(from: string, to: string): Promise<Salvage> {
  return new Promise((resolve, reject) => {
    const source = createReadStream(from);
    // Without Z_FINISH a missing trailer is no error; we ask for it ourselves by the member's end.
    const gunzip = createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH });
    const target = createWriteStream(to);
    let bytes = 0;
    let damaged = false;
    const close = () => target.end(() => resolve({ path: to, bytes, complete: !damaged }));
    gunzip.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (!target.write(chunk)) {
        gunzip.pause();
        target.once('drain', () => gunzip.resume());
      }
    });
    gunzip.on('end', close);
    gunzip.on('error', () => {
      damaged = true;
      source.destroy();
      close();
    });
    source.on('error', reject);
    target.on('error', reject);
    source.pipe(gunzip);
  });
}
