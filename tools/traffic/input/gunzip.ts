/**
 * gzip member by member on raw inflate: Node's own stream throws away what it has decompressed last when bytes that are no gzip
 * follow (padding of tapes, a rotation that was cut short), although all of it is good.
 */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { crc32, createInflateRaw } from 'node:zlib';

/** Bytes inflated at once: a thousand times as many may come out. */
const SLICE = 32_768;

/** The decompressed bytes; what ends them early is told in a remark, after everything that could be read. */
export function gunzip(input: Readable, onRemark: (text: string) => void): Readable {
  return Readable.from(members(input, onRemark), { objectMode: false, highWaterMark: 1 << 20 });
}

const CUT = 'the gzip stream is cut off; its complete lines were read';
const damaged = (why: string): string => `the gzip stream is damaged (${why}); the lines before were read`;

async function* members(input: Readable, onRemark: (text: string) => void): AsyncGenerator<Buffer> {
  const bytes = bytesOf(input);
  try {
    for (let member = 0; await bytes.need(1); member++) {
      // Zeros fill up blocks of tapes.
      if (member > 0 && bytes.pending[0] === 0) return;
      const header = await headerLength(bytes);
      if (header === 'cut') return onRemark(CUT);
      if (header === 'none') {
        return onRemark(
          member === 0
            ? damaged('incorrect header')
            : 'bytes that are no gzip follow the gzip stream; all of it was read',
        );
      }
      bytes.take(header);
      const end = yield* inflated(bytes);
      if (end !== undefined) return onRemark(end);
    }
  } catch (error) {
    onRemark(`reading stopped: ${(error as Error).message}`);
  }
}

/** One member's data and trailer. @returns why it is not whole */
async function* inflated(bytes: Bytes): AsyncGenerator<Buffer, string | undefined> {
  const raw = createInflateRaw();
  const out: Buffer[] = [];
  raw.on('data', (chunk: Buffer) => out.push(chunk));
  const end = new Promise<'end'>((resolve) => raw.once('end', () => resolve('end')));
  const failed = new Promise<Error>((resolve) => raw.once('error', resolve));
  let fed = 0;
  let sum = 0;
  for (;;) {
    if (!(await bytes.need(1))) {
      // What was inflated last may still be on its way.
      await setImmediate();
      yield* out;
      return CUT;
    }
    const slice = bytes.pending.subarray(0, SLICE);
    fed += slice.length;
    const written = new Promise<undefined>((resolve) => raw.write(slice, () => resolve(undefined)));
    const result = await Promise.race([failed, end, written]);
    for (const chunk of out.splice(0)) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (result instanceof Error) return damaged(result.message);
    bytes.take(result === 'end' ? slice.length - (fed - raw.bytesWritten) : slice.length);
    if (result === 'end') break;
  }
  if (!(await bytes.need(8))) return CUT;
  const expected = bytes.pending.readUInt32LE(0);
  bytes.take(8);
  return expected === sum ? undefined : damaged('incorrect data check');
}

interface Bytes {
  readonly pending: Buffer;
  /** Whether there are so many bytes. */
  need(n: number): Promise<boolean>;
  take(n: number): void;
}

function bytesOf(input: Readable): Bytes {
  const iterator = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let pending: Buffer = Buffer.alloc(0);
  return {
    get pending() {
      return pending;
    },
    async need(n) {
      while (pending.length < n) {
        const next = await iterator.next();
        if (next.done === true) return false;
        pending = pending.length === 0 ? next.value : Buffer.concat([pending, next.value]);
      }
      return true;
    },
    take(n) {
      pending = pending.subarray(n);
    },
  };
}

/** Length of a member's header (RFC 1952): ten bytes, then what its flags announce. */
async function headerLength(bytes: Bytes): Promise<number | 'cut' | 'none'> {
  const isGzip = [0x1f, 0x8b, 8];
  for (let i = 0; i < 10; i++) {
    if (!(await bytes.need(i + 1))) return 'cut';
    if (i < 3 && bytes.pending[i] !== isGzip[i]) return 'none';
  }
  const flags = bytes.pending[3] as number;
  let at = 10;
  if ((flags & 4) !== 0) {
    if (!(await bytes.need(at + 2))) return 'cut';
    at += 2 + bytes.pending.readUInt16LE(at);
  }
  // File name and comment, each ended by a zero.
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue;
    do {
      if (!(await bytes.need(at + 1))) return 'cut';
    } while (bytes.pending[at++] !== 0);
  }
  if ((flags & 2) !== 0) at += 2;
  return (await bytes.need(at)) ? at : 'cut';
}
