/** Lets a source that can be read only once (standard input, a pipe) be looked at first and read from its start afterwards. */
import type { LineChunk } from './chunks.ts';
import type { Source } from './sources.ts';

/**
 * The first reading of such a source keeps copies of what it reads; the second one gets them again, and then the rest. What
 * is kept is bounded by the reader that stops early. Sources that can be opened again are left as they are.
 */
export function replayable(source: Source): Source {
  if (!source.once) return source;
  const kept: LineChunk[] = [];
  const remarks: string[] = [];
  let iterator: AsyncGenerator<LineChunk> | undefined;
  let firstReading = true;
  return {
    ...source,
    async *chunks(onRemark) {
      iterator ??= source.chunks((remark) => remarks.push(remark));
      const first = firstReading;
      firstReading = false;
      if (!first) {
        yield* kept;
        kept.length = 0;
      }
      for (;;) {
        const next = await iterator.next();
        if (next.done) break;
        const chunk = next.value;
        if (first) {
          const buf = Buffer.from(chunk.buf.subarray(chunk.start, chunk.end));
          kept.push({ ...chunk, buf: Buffer.from(buf), start: 0, end: buf.length });
          yield { ...chunk, buf, start: 0, end: buf.length };
        } else yield chunk;
      }
      if (!first) for (const remark of remarks) onRemark(remark);
    },
  };
}
