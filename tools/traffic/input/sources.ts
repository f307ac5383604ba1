/** Log files as sources of line chunks: names and globs expanded, compression found by content, standard input as `-`. */
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { UserError } from '../../base/user-error.ts';
import { type Fill, type LineChunk, lineChunks } from './chunks.ts';
import { HEAD_BYTES, refuseArchive, textBytes, textForm } from './content.ts';
import { type Compression, compressionOf, decompressed } from './decompress.ts';
import { pipeStream } from './pipe.ts';

export interface Source {
  /** As the user named it; `-` is standard input. */
  readonly name: string;
  readonly compression: Compression;
  /** Size in bytes, 0 when not known. */
  readonly size: number;
  /** Whether it can be read from the middle. */
  readonly plain: boolean;
  /** Whether it can be read only once. */
  readonly once: boolean;
  /**
   * Opens the chunks of whole lines; of plain files optionally only the bytes [from, to), and in memory of the caller as long as
   * lines fit.
   */
  chunks(onRemark: (text: string) => void, from?: number, to?: number, own?: Buffer): AsyncGenerator<LineChunk>;
}

/**
 * Expands names: `-` is standard input, a name that exists is itself, a pattern gives its matches in name order. A file that
 * several names lead to is read once.
 * @throws UserError when a name has no file behind it
 */
export async function expandNames(names: readonly string[]): Promise<{ files: string[]; remarks: string[] }> {
  const files: string[] = [];
  const remarks: string[] = [];
  const known = new Map<string, string>();
  for (const name of names) {
    const found = name === '-' ? [name] : await namesOf(name);
    for (const file of found) {
      if (files.includes(file)) continue;
      const info = file === '-' ? undefined : await stat(file, { bigint: true }).catch(() => undefined);
      // By what the system tells files apart; some file systems number none.
      const key = info?.isFile() === true && info.ino > 0n ? `${info.dev} ${info.ino}` : file;
      const same = known.get(key);
      if (same !== undefined) {
        const remark = `${file} is the same file as ${same} and was read once`;
        if (!remarks.includes(remark)) remarks.push(remark);
      } else {
        known.set(key, file);
        files.push(file);
      }
    }
  }
  return { files, remarks };
}

async function namesOf(name: string): Promise<string[]> {
  const info = await stat(name).catch(() => undefined);
  if (info?.isDirectory()) throw new UserError(`${name} is a folder; name its files, for example '${name}/*.log*'`);
  if (info !== undefined) return [name];
  // Loaded only for patterns, as it costs more than the first megabytes of a log.
  const { glob, isDynamicPattern } = await import('tinyglobby');
  if (!isDynamicPattern(name)) throw new UserError(`${name}: there is no such log file; check the path`);
  const found = (await glob(name, { absolute: name.startsWith('/'), dot: true })).sort();
  if (found.length === 0) throw new UserError(`${name}: no file fits this pattern; check it, and put it in quotes`);
  return found;
}

/**
 * @param stop ends what can be read only once, standard input and pipes, where it is
 * @throws UserError when the file cannot be read
 */
export async function openSource(name: string, stdin: Readable, stop?: AbortSignal): Promise<Source> {
  if (name === '-') return streamSource('-', stdin, stop);
  let info: Awaited<ReturnType<typeof stat>>;
  const head = Buffer.alloc(HEAD_BYTES);
  let headBytes = 0;
  try {
    info = await stat(name);
    if (info.isFIFO()) return await streamSource(name, await pipeStream(name, stop), stop);
    if (!info.isFile()) return await streamSource(name, createReadStream(name, { highWaterMark: 1 << 20 }), stop);
    const file = await open(name, 'r');
    headBytes = (await file.read(head, 0, HEAD_BYTES, 0)).bytesRead;
    await file.close();
  } catch (error) {
    throw new UserError(`${name} cannot be read (${(error as Error).message}); check the file and its permissions`);
  }
  const start = head.subarray(0, headBytes);
  refuseArchive(name, start);
  const compression = compressionOf(start);
  if (compression === 'none' && textForm(start) === undefined) {
    return {
      name,
      compression,
      size: info.size,
      plain: true,
      once: false,
      chunks: (_remark, from, to, own) => plainChunks(name, own, from, to),
    };
  }
  return {
    name,
    compression,
    size: info.size,
    plain: false,
    once: false,
    chunks: (onRemark) => {
      const input = createReadStream(name, { highWaterMark: 1 << 18 });
      return streamChunks(name, input, compression, onRemark, () => input.bytesRead);
    },
  };
}

/** A source that can be read only once; its head is looked at and put back. */
async function streamSource(name: string, input: Readable, stop?: AbortSignal): Promise<Source> {
  const head = await firstChunk(input, stop);
  refuseArchive(name, head);
  const compression = compressionOf(head);
  let bytes = head.length;
  const again = new PassThrough({ highWaterMark: 1 << 20 });
  if (head.length > 0) again.write(head);
  input.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  input.pipe(again);
  if (input.readableEnded) again.end();
  // What has come until then is read; a pipe that says nothing more would never end.
  whenAborted(stop, () => {
    input.unpipe(again);
    again.end();
    input.destroy();
  });
  return {
    name,
    compression,
    size: 0,
    plain: false,
    once: true,
    chunks: (onRemark) => streamChunks(name, again, compression, onRemark, () => bytes),
  };
}

function whenAborted(stop: AbortSignal | undefined, act: () => void): void {
  if (stop?.aborted === true) act();
  else stop?.addEventListener('abort', act, { once: true });
}

function firstChunk(input: Readable, stop?: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    const done = (): void => {
      input.pause();
      input.removeAllListeners('data');
      input.removeListener('end', done);
      input.removeListener('error', reject);
      resolve(Buffer.concat(parts));
    };
    whenAborted(stop, done);
    input.once('error', reject);
    input.once('end', done);
    input.on('data', (chunk: Buffer) => {
      parts.push(chunk);
      size += chunk.length;
      if (size >= 512) done();
    });
  });
}

/** Bytes after which signals, the progress bar and other threads get their turn. */
const TURN_BYTES = 8 << 20;

/** Reads without waiting for the event loop at each chunk: from the page cache the waiting takes longer than the reading. */
async function* plainChunks(
  name: string,
  own: Buffer | undefined,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<LineChunk> {
  const file = openSync(name, 'r');
  let position = from;
  let turn = from;
  try {
    const fill: Fill = (buffer, offset) => {
      const want = Math.min(buffer.length - offset, to - position);
      if (want <= 0) return 0;
      const bytesRead = readSync(file, buffer, offset, want, position);
      position += bytesRead;
      return bytesRead;
    };
    for await (const chunk of lineChunks(fill, () => position - from, own)) {
      yield chunk;
      if (position - turn < TURN_BYTES) continue;
      turn = position;
      await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}

async function* streamChunks(
  name: string,
  input: Readable,
  compression: Compression,
  onRemark: (text: string) => void,
  bytesRead: () => number,
): AsyncGenerator<LineChunk> {
  const stream = decompressed(input, compression, onRemark);
  const iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const next = async (): Promise<Buffer | undefined> => {
    try {
      const { done, value } = await iterator.next();
      return done === true ? undefined : value;
    } catch (error) {
      onRemark(`reading stopped: ${(error as Error).message}`);
      return undefined;
    }
  };
  // A line feed tells of ordinary text, and a live stream is not waited for longer.
  const parts: Buffer[] = [];
  for (let size = 0; size < HEAD_BYTES; ) {
    const part = await next();
    if (part === undefined) break;
    parts.push(part);
    size += part.length;
    if (size >= 512 && part.includes(10)) break;
  }
  let rest: Buffer = Buffer.concat(parts);
  refuseArchive(name, rest);
  const form = textForm(rest);
  const decode = form === undefined ? undefined : textBytes(form);
  if (decode !== undefined) rest = decode(rest);
  const fill: Fill = async (buffer, offset) => {
    while (rest.length === 0) {
      const part = await next();
      if (part === undefined) return 0;
      rest = decode === undefined ? part : decode(part);
    }
    const n = rest.copy(buffer, offset);
    rest = rest.subarray(n);
    return n;
  };
  yield* lineChunks(fill, bytesRead);
}
