/**
 * gzip member by member on raw inflate: Node's own stream throws away what it has decompressed last when it does not like what
 * follows (padding of tapes, a stream that was cut short), although all of it is good.
 */
import { setImmediate } from 'node:timers/promises';
import { crc32, createInflateRaw } from 'node:zlib';

/**
 * What a stream lost. `cut`: it ends too early. `damaged`: it cannot be read on from somewhere, zlib says why. `checksum`: it was
 * read to its end, but is not what was written. `trailing`: bytes that are no gzip follow its end.
 */
export interface GzipFault {
  readonly kind: 'cut' | 'damaged' | 'checksum' | 'trailing';
  readonly why: string;
}

/** Bytes inflated at once: a thousand times as many may come out. */
const SLICE = 1 << 15;
/** Output buffers of zlib's usual 16 kB take four times as long. */
const CHUNK = 1 << 18;

const CUT: GzipFault = { kind: 'cut', why: 'unexpected end of file' };
const CHECKSUM: GzipFault = { kind: 'checksum', why: 'incorrect data check' };

/**
 * Everything that can be decompressed of a stream of one or more members; after a wrong checksum the next member is read on.
 * @returns what was lost; undefined for a whole stream
 * @throws what `input` throws
 */
export async function* gunzip(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer, GzipFault | undefined> {
  const bytes = bytesOf(input);
  let fault: GzipFault | undefined;
  for (let member = 0; await bytes.need(1); member++) {
    // Zeros fill up blocks of tapes.
    if (member > 0 && bytes.pending[0] === 0) break;
    const header = await headerLength(bytes);
    if (header === 'cut') return CUT;
    if (header === 'none') return { kind: member === 0 ? 'damaged' : 'trailing', why: 'incorrect header' };
    bytes.take(header);
    const found = yield* inflated(bytes);
    if (found !== undefined && found !== CHECKSUM) return found;
    fault ??= found;
  }
  return fault;
}

/** One member's data and trailer. */
async function* inflated(bytes: Bytes): AsyncGenerator<Buffer, GzipFault | undefined> {
  const raw = createInflateRaw({ chunkSize: CHUNK });
  const out: Buffer[] = [];
  raw.on('data', (chunk: Buffer) => out.push(chunk));
  const end = new Promise<'end'>((resolve) => raw.once('end', () => resolve('end')));
  const failed = new Promise<Error>((resolve) => raw.once('error', resolve));
  let fed = 0;
  let sum = 0;
  let length = 0;
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
      length += chunk.length;
      yield chunk;
    }
    if (result instanceof Error) return { kind: 'damaged', why: result.message };
    bytes.take(result === 'end' ? slice.length - (fed - raw.bytesWritten) : slice.length);
    if (result === 'end') break;
  }
  // Checksum and length modulo 2^32 (RFC 1952).
  if (!(await bytes.need(8))) return CUT;
  const same = bytes.pending.readUInt32LE(0) === sum && bytes.pending.readUInt32LE(4) === length % 2 ** 32;
  bytes.take(8);
  return same ? undefined : CHECKSUM;
}

interface Bytes {
  readonly pending: Buffer;
  /** Whether there are so many bytes. */
  need(n: number): Promise<boolean>;
  take(n: number): void;
}

function bytesOf(input: AsyncIterable<Buffer>): Bytes {
  const iterator = input[Symbol.asyncIterator]();
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
