/**
 * Cuts a byte stream into buffers of whole lines. Memory stays bounded: one buffer, and a line beyond the limit is given up
 * (and counted), never held.
 */

/** A part of a buffer that holds whole lines; its last byte is a newline. Valid until the next one is asked for. */
export interface LineChunk {
  readonly buf: Buffer;
  readonly start: number;
  readonly end: number;
  /** Lines before this chunk that were longer than the limit and are not in it. */
  readonly overlong: number;
  /** Bytes of the source that have been read so far, before decompression. */
  readonly bytes: number;
}

/** Reads into `buffer` from `offset`; the number of bytes, 0 at the end. */
export type Fill = (buffer: Buffer, offset: number) => Promise<number> | number;

/** Small enough to stay in the second-level cache between reading and parsing. */
export const CHUNK_BYTES = 1 << 18;
/** A line of more than this many bytes is counted as malformed. */
const LINE_LIMIT = 8 << 20;

/**
 * @param bytesRead how many source bytes have been consumed, for progress
 * @param own memory to read into, as long as lines fit
 */
export async function* lineChunks(
  fill: Fill,
  bytesRead: () => number,
  own: Buffer = Buffer.allocUnsafe(CHUNK_BYTES + 1),
): AsyncGenerator<LineChunk> {
  let buffer = own;
  let used = 0;
  let skipping = false;
  let overlong = 0;
  for (;;) {
    if (used >= buffer.length - 1) {
      if (buffer.length > LINE_LIMIT) {
        // No line end in all of it: drop it and look for the line's end.
        if (!skipping) overlong++;
        skipping = true;
        used = 0;
      } else {
        const larger = Buffer.allocUnsafe(buffer.length * 2);
        buffer.copy(larger, 0, 0, used);
        buffer = larger;
      }
    }
    const got = await fill(buffer.subarray(0, buffer.length - 1), used);
    if (got === 0) break;
    const end = used + got;
    let start = 0;
    if (skipping) {
      const newline = buffer.indexOf(10, used);
      if (newline < 0 || newline >= end) {
        used = 0;
        continue;
      }
      skipping = false;
      start = newline + 1;
    }
    const last = buffer.subarray(0, end).lastIndexOf(10);
    if (last >= start && (last >= used || start > 0)) {
      yield { buf: buffer, start, end: last + 1, overlong, bytes: bytesRead() };
      overlong = 0;
      buffer.copy(buffer, 0, last + 1, end);
      used = end - last - 1;
      if (buffer !== own && used < own.length / 2) {
        buffer.copy(own, 0, 0, used);
        buffer = own;
      }
    } else if (start > 0) {
      buffer.copy(buffer, 0, start, end);
      used = end - start;
    } else used = end;
  }
  if (used > 0 && !skipping) {
    // The last line has no line end.
    buffer[used] = 10;
    yield { buf: buffer, start: 0, end: used + 1, overlong, bytes: bytesRead() };
  } else if (overlong > 0) yield { buf: buffer, start: 0, end: 0, overlong, bytes: bytesRead() };
}
