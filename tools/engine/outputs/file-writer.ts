/** Appends text to a file in large pieces, gzipped when its name ends in `.gz`, as k6's outputs do. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { K6_EXIT } from '../../../lib/k6/exit-codes.ts';
import { EngineError } from '../engine-error.ts';

export interface FileWriter {
  write(text: string): void;
  flush(): void;
  close(): void;
}

const BUFFER_LENGTH = 1 << 20;

/**
 * @param flushMs longest time that a line waits in memory, ms of real time; what is written survives a kill
 * @throws EngineError (255, as k6) when the file cannot be created
 */
export function fileWriter(path: string, output: string, flushMs: number): FileWriter {
  let file: number;
  try {
    file = openSync(path, 'w');
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? 'no such file or directory'
        : String(error);
    throw new EngineError(`could not create the '${output}' output: open ${path}: ${reason}`, K6_EXIT.generic);
  }
  const gzip = path.endsWith('.gz');
  let parts: string[] = [];
  let length = 0;
  const flush = () => {
    if (length === 0) return;
    const text = parts.join('');
    parts = [];
    length = 0;
    // Gzip members one after another are one valid gzip file.
    writeAll(gzip ? gzipSync(text) : Buffer.from(text));
  };
  let failures = 0;
  // A disk that is full loses lines, as k6 does, and ends nothing; a system may take a part at a time.
  const writeAll = (bytes: Uint8Array) => {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    } catch (error) {
      failures += 1;
      if (failures === 1) process.stderr.write(`the '${output}' output could not be written: ${String(error)}\n`);
    }
  };
  const timer = setInterval(flush, flushMs);
  timer.unref();
  return {
    write(text) {
      parts.push(text);
      length += text.length;
      if (length > BUFFER_LENGTH) flush();
    },
    flush,
    close() {
      clearInterval(timer);
      flush();
      closeSync(file);
    },
  };
}
