/** A large file cut into stretches of whole lines, which several threads read. */
import { open } from 'node:fs/promises';
import type { Source } from '../input/sources.ts';

/** Bytes of a stretch: many of them, so that all threads end together, but not so small that beginning one counts. */
export const stretchOf = (size: number): number => Math.min(24 << 20, Math.max(4 << 20, size / 32));

/** Byte positions that begin a line, about a stretch apart, from 0 to the size. */
export async function cutPoints(source: Source): Promise<number[]> {
  const cuts = [0];
  const stretch = Math.floor(stretchOf(source.size));
  const file = await open(source.name, 'r');
  const buffer = Buffer.alloc(1 << 16);
  try {
    for (let wanted = stretch; wanted < source.size; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, wanted);
      const newline = buffer.subarray(0, bytesRead).indexOf(10);
      if (newline < 0) {
        wanted += Math.max(1, bytesRead);
        continue;
      }
      cuts.push(wanted + newline + 1);
      wanted += newline + 1 + stretch;
    }
  } finally {
    await file.close();
  }
  if ((cuts.at(-1) as number) < source.size) cuts.push(source.size);
  return cuts;
}
