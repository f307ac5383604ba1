/** Reads a source on this thread: chunks, lines, events. */
import type { Source } from '../input/sources.ts';
import { giveBack, takeKernel } from '../kernel/kernel.ts';
import type { SourcePart } from './full-pass.ts';
import { lineParser, type ParserOptions } from './line-parser.ts';

/** Events that make a part worth a message between threads. */
const KEPT_EVENTS = 4096;

/**
 * Parts of one source; the counts come with the last part.
 * @param lend whether each block is used up before the next part is asked for
 */
export async function* readSource(
  source: Source,
  options: ParserOptions,
  from?: number,
  to?: number,
  lend = true,
): AsyncGenerator<SourcePart> {
  const kernel = takeKernel();
  try {
    const parser = lineParser({ ...options, kernel });
    const remarks: string[] = [];
    let bytes = 0;
    for await (const chunk of source.chunks((remark) => remarks.push(remark), from, to)) {
      if (chunk.overlong > 0) parser.overlong(chunk.overlong);
      parser.parse(chunk.buf, chunk.start, chunk.end);
      bytes = chunk.bytes;
      if (!lend && parser.events.n < KEPT_EVENTS) continue;
      yield { block: lend ? parser.events.lend() : parser.events.take(), bytes };
    }
    parser.counts.remarks.push(...remarks);
    yield { block: lend ? parser.events.lend() : parser.events.take(), bytes, counts: parser.counts };
  } finally {
    if (kernel !== undefined) giveBack(kernel);
  }
}
