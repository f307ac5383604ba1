/** The pass over everything: reads all sources in time order, one thread or several, into one result. */

import { DOUBLES, type EventBlock, TIME } from '../events/events.ts';
import type { Source } from '../input/sources.ts';
import { addFileCounts, type FileCounts, newFileCounts } from './accounting.ts';
import { type Latencies, latencyRecorder } from './latencies.ts';
import { type SessionOptions, type SessionResult, sessionizer } from './sessionizer.ts';
import { timeWindow } from './time-window.ts';

/** What a reader of one source hands on: events, and the counts with the last part. */
export interface SourcePart {
  readonly block: EventBlock;
  /** Bytes of the source read so far. */
  readonly bytes: number;
  readonly counts?: FileCounts;
  /** Session ids that are new in this part (`id-links.ts`). */
  readonly links?: readonly number[];
}

/** Reads one source; route numbers of all sources mean the same. */
export type SourceReader = (source: Source, index: number) => AsyncGenerator<SourcePart>;

export interface FullPassOptions extends SessionOptions {
  readonly stampIs: 'start' | 'end';
  /** First time stamp per source, NaN when not known. */
  readonly firstTimes: readonly number[];
  readonly noiseClasses: number;
  readonly onProgress?: (bytes: number) => void;
  /** Asked between parts; when true, readers end soon, and what they have read is the result. */
  readonly stopped?: () => boolean;
}

export interface PassResult {
  readonly files: readonly { readonly name: string; readonly counts: FileCounts }[];
  readonly total: FileCounts;
  readonly sessions: SessionResult;
  readonly latencies: Latencies;
  readonly partial: boolean;
}

interface Open {
  readonly index: number;
  readonly reader: AsyncGenerator<SourcePart>;
  next: SourcePart | undefined;
  /** Latest known time of what comes next. */
  time: number;
}

/**
 * Sources that overlap in time (nodes behind a balancer) are merged by the time of their next part; rotated files come one
 * after the other, because a file is opened only when its first time has been reached.
 */
export async function fullPass(
  sources: readonly Source[],
  read: SourceReader,
  options: FullPassOptions,
): Promise<PassResult> {
  const sessions = sessionizer(options);
  const latencies = latencyRecorder();
  const window = timeWindow(options.stampIs, (requests, n) => {
    sessions.add(requests, n);
    latencies.add(requests, n);
  });
  const files = sources.map((source) => ({ name: source.name, counts: newFileCounts(options.noiseClasses) }));
  let waiting = sources.map((_, index) => index).sort((a, b) => startOf(options, a) - startOf(options, b) || a - b);
  const open: Open[] = [];
  let bytes = 0;
  const bytesOf = new Float64Array(sources.length);
  let partial = false;

  while (open.length > 0 || waiting.length > 0) {
    if (!partial && options.stopped?.() === true) {
      partial = true;
      // Of those that can be read only once some lines may have been read already.
      waiting = waiting.filter((index) => sources[index]?.once === true);
    }
    let earliest = earliestOf(open);
    const next = waiting[0];
    if (next !== undefined && (earliest === undefined || startOf(options, next) <= earliest.time)) {
      waiting.shift();
      earliest = {
        index: next,
        reader: read(sources[next] as Source, next),
        next: undefined,
        time: startOf(options, next),
      };
      open.push(earliest);
    }
    if (earliest === undefined) break;
    const item = await earliest.reader.next();
    if (item.done) {
      open.splice(open.indexOf(earliest), 1);
      continue;
    }
    const part = item.value;
    const file = files[earliest.index] as (typeof files)[number];
    if (part.counts !== undefined) addFileCounts(file.counts, part.counts, file.counts.lines.physical);
    if (part.links !== undefined) sessions.link(part.links);
    window.add(part.block);
    if (part.block.n > 0) earliest.time = lastTime(part.block, earliest.time);
    bytes += part.bytes - (bytesOf[earliest.index] as number);
    bytesOf[earliest.index] = part.bytes;
    options.onProgress?.(bytes);
  }
  window.flush();
  const total = newFileCounts(options.noiseClasses);
  for (const file of files) addFileCounts(total, file.counts);
  return { files, total, sessions: sessions.result(), latencies: latencies.result(), partial };
}

/** Files without any time stamp go first: they hold nothing that needs order. */
function startOf(options: FullPassOptions, index: number): number {
  const time = options.firstTimes[index] ?? Number.NaN;
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

function earliestOf(open: readonly Open[]): Open | undefined {
  let best: Open | undefined;
  for (const one of open) if (best === undefined || one.time < best.time) best = one;
  return best;
}

function lastTime(block: EventBlock, otherwise: number): number {
  for (let i = block.n - 1; i >= 0; i--) {
    const time = block.rows.doubles[i * DOUBLES + TIME] as number;
    if (!Number.isNaN(time)) return time;
  }
  return otherwise;
}
