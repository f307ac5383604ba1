/** Files that hold the same lines: copies under other names. What they hold would count twice. */
import { open } from 'node:fs/promises';
import type { Source } from './sources.ts';

/** Bytes that are compared at either end. */
const COMPARED = 65_536;
/** A shorter beginning may be alike by chance: header lines, a first request. */
const LEAST_ALIKE = 1024;

/** What is to be said of files that begin alike, by their first and last bytes; nothing else is read. */
export async function copyRemarks(sources: readonly Source[]): Promise<string[]> {
  const remarks: string[] = [];
  const ends: { name: string; size: number; compression: string; head: Buffer; tail: Buffer }[] = [];
  for (const { name, size, once, compression } of sources) {
    if (once || size < LEAST_ALIKE) continue;
    const file = await open(name, 'r');
    try {
      const read = async (from: number, length: number): Promise<Buffer> => {
        const buffer = Buffer.alloc(length);
        const { bytesRead } = await file.read(buffer, 0, length, from);
        return buffer.subarray(0, bytesRead);
      };
      const length = Math.min(size, COMPARED);
      ends.push({ name, size, compression, head: await read(0, length), tail: await read(size - length, length) });
    } finally {
      await file.close();
    }
  }
  ends.forEach((one, i) => {
    for (const other of ends.slice(0, i)) {
      if (one.size === other.size && one.head.equals(other.head) && one.tail.equals(other.tail)) {
        remarks.push(
          `${one.name} looks like a copy of ${other.name} (same size, beginning and end): its lines count twice`,
        );
        break;
      }
      // Of packed files the first bytes say little; of plain ones one is the beginning of the other.
      const common = Math.min(one.head.length, other.head.length);
      if (one.compression !== 'none' || other.compression !== 'none') continue;
      if (!one.head.subarray(0, common).equals(other.head.subarray(0, common))) continue;
      remarks.push(`${one.name} begins with the same lines as ${other.name}: lines that both hold count twice`);
      break;
    }
  });
  return remarks;
}
