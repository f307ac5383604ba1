/**
 * The memory of a virtual machine whose script is loaded, to make others from: copying takes a fraction of the time of
 * running the init code again. Only pages that were ever written are kept, so that a copy takes no more memory.
 */

const PAGE = 4096;

export interface MemoryImage {
  /** Length of the memory that the image was taken of. */
  readonly length: number;
  readonly pages: readonly { readonly at: number; readonly bytes: Uint8Array }[];
}

/** Places of the pages that hold anything. */
export function writtenPages(memory: { readonly buffer: ArrayBufferLike }): Set<number> {
  const words = new BigUint64Array(memory.buffer);
  const perPage = PAGE / 8;
  const pages = new Set<number>();
  for (let page = 0; page * perPage < words.length; page++) {
    for (let i = page * perPage; i < (page + 1) * perPage; i++) {
      if (words[i] !== 0n) {
        pages.add(page * PAGE);
        break;
      }
    }
  }
  return pages;
}

/** @param before pages written when the copy-to-be is as far as it will be when the image is laid over it */
export function takeImage(memory: { readonly buffer: ArrayBufferLike }, before: ReadonlySet<number>): MemoryImage {
  const all = [...new Set([...before, ...writtenPages(memory)])].sort((a, b) => a - b);
  const pages = all.map((at) => ({ at, bytes: new Uint8Array(memory.buffer.slice(at, at + PAGE)) }));
  return { length: memory.buffer.byteLength, pages };
}

export function layImage(memory: { readonly buffer: ArrayBufferLike }, image: MemoryImage): void {
  const bytes = new Uint8Array(memory.buffer);
  for (const page of image.pages) bytes.set(page.bytes, page.at);
}
