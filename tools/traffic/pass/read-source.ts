/** Reads a source on this thread: chunks, lines, events. */
import type { Source } from '../input/sources.ts';
import { giveBack, takeKernel } from '../kernel/kernel.ts';
import type { SourcePart } from './full-pass.ts';
import { lineParser, type ParserOptions } from './line-parser.ts';

/**
 * Parts of one source, each valid until the next is asked for; the counts come with the last part, also when it is stopped, so
 * that they and the events are of the same lines. A source that can be read only once ends by itself when it is stopped.
 * @param least events of a part; 0 for a part a chunk
 */
export async function* readSource(
  source: Source,
  options: ParserOptions,
  from?: number,
  to?: number,
  least = 0,
): AsyncGenerator<SourcePart> {
  const kernel = takeKernel();
  try {
    const parser = lineParser({ ...options, kernel });
    const remarks: string[] = [];
    let bytes = 0;
    for await (const chunk of source.chunks((remark) => remarks.push(remark), from, to, kernel?.inputBuffer)) {
      if (chunk.overlong > 0) parser.overlong(chunk.overlong);
      parser.parse(chunk.buf, chunk.start, chunk.end);
      bytes = chunk.bytes;
      if (!source.once && options.stopped?.() === true) break;
      if (parser.events.n < least) continue;
      yield { block: parser.events.lend(), bytes, links: parser.links.take() };
    }
    parser.counts.remarks.push(...remarks);
    yield { block: parser.events.lend(), bytes, links: parser.links.take(), counts: parser.counts };
  } finally {
    if (kernel !== undefined) giveBack(kernel);
  }
}
