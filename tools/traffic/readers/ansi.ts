/** Colours that servers write for a terminal and that end up in files. */
const ESCAPE = 27;

/** The bytes [start, end) without escape sequences (ECMA-48 CSI), or nothing when there are none. */
export function withoutColours(buf: Uint8Array, start: number, end: number): Buffer | undefined {
  const line = Buffer.from(buf.buffer, buf.byteOffset + start, end - start);
  if (line.indexOf(ESCAPE) < 0) return undefined;
  const plain = Buffer.allocUnsafe(line.length);
  let n = 0;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === ESCAPE && line[i + 1] === 91) {
      i += 2;
      // Parameters and intermediates up to the final byte.
      while (i < line.length && ((line[i] as number) < 64 || (line[i] as number) > 126)) i++;
    } else plain[n++] = line[i] as number;
  }
  return plain.subarray(0, n);
}
