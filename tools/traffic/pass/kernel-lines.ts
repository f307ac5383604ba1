/** Reads everyday lines by the kernel, fills its cache with what it meets for the first time, and adds up what it has counted. */

import type { EventWriter } from '../events/events.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { PLACE, REASON } from '../kernel/kernel.ts';
import type { Span } from '../readers/raw-record.ts';
import { clfTime } from '../readers/time.ts';
import { CLASSES, type FileCounts } from './accounting.ts';

/** What a path is to the kernel. */
export interface KernelPath {
  readonly route: number;
  /** With `options`, the kind that noise.ts gives (`kernelKind`). */
  readonly pathClass: number;
  /** Whether keys of the query choose another route. */
  readonly byQuery: boolean;
  readonly options: boolean;
  /** Segment of the item id, -1 for none. */
  readonly itemSegment: number;
}

/** Answers by the general rules; places are in the kernel's bytes. */
export interface KernelLookup {
  /** `undefined` when such lines are to be read by the general reader. */
  path(buf: Uint8Array, method: Span, path: Span): KernelPath | undefined;
  queryRoute(buf: Uint8Array, method: Span, path: Span, query: Span): number;
  agent(buf: Uint8Array, agent: Span): { readonly hash: number; readonly agentClass: number };
}

export interface KernelLines {
  /** Forgets the buffer of the call before. */
  begin(): void;
  /**
   * Reads lines of `buf` in [pos, end) as long as they are everyday ones.
   * @param lastTime time stamp of the line before, NaN for none
   * @returns place of the first line that is left to the general reader, or `end`
   */
  read(buf: Buffer, pos: number, end: number, lastTime: number): number;
  /** Time stamp of the latest line. */
  readonly lastTime: number;
  /** Adds to the counts what has been counted since the last call. */
  settle(routes: number): void;
}

/** After so many unusual lines in a row the next ones are not tried. */
const PATIENCE = 32;
const PAUSE = 512;
/** A line can be new to the cache in four ways at once: minute, path, query and agent. */
const MOST_MISSES = 4;

/** @param format name of the format that the kernel's lines are counted as */
export function kernelLines(
  kernel: Kernel,
  counts: FileCounts,
  events: EventWriter,
  lookup: KernelLookup,
  format: string,
): KernelLines {
  const { bytes, places, state, times } = kernel;
  let pieceStart = 0;
  let pieceEnd = 0;
  let unusual = 0;
  let pause = 0;
  let records = 0;

  function loadPiece(buf: Buffer, pos: number, end: number): boolean {
    if (buf === kernel.inputBuffer) {
      pieceStart = 0;
      pieceEnd = end;
      return true;
    }
    let to = end;
    if (end - pos > kernel.inputBytes) {
      to = buf.lastIndexOf(10, pos + kernel.inputBytes - 1) + 1;
      if (to <= pos) return false;
    }
    buf.copy(bytes, kernel.input, pos, to);
    pieceStart = pos;
    pieceEnd = to;
    return true;
  }

  const span = (place: number): Span => ({
    start: places[2 * place] as number,
    end: places[2 * place + 1] as number,
  });

  function cacheMissing(reason: number): boolean {
    if (reason === REASON.time) return cacheTime(places[2 * PLACE.time] as number);
    if (reason === REASON.agent) {
      const { hash, agentClass } = lookup.agent(bytes, span(PLACE.agent));
      kernel.putAgent(hash, agentClass);
      return true;
    }
    if (reason === REASON.query) {
      const route = lookup.queryRoute(bytes, span(PLACE.method), span(PLACE.path), span(PLACE.query));
      if (route >= kernel.mostRoutes) return false;
      kernel.putQuery(route);
      return true;
    }
    const found = lookup.path(bytes, span(PLACE.method), span(PLACE.path));
    if (found === undefined || found.route >= kernel.mostRoutes) return false;
    const { route, pathClass, byQuery, options, itemSegment } = found;
    kernel.putPath(route, pathClass, byQuery, options, itemSegment);
    return true;
  }

  /** Whole seconds with a zone in 26 bytes: everything but the second is remembered. */
  function cacheTime(at: number): boolean {
    // Nothing but the stamp itself may be remembered: a line end within it makes two lines.
    if (!/^[^\s\]]{20} [+-]\d{4}\] $/.test(bytes.toString('latin1', at, at + 28))) return false;
    const time = clfTime(bytes, at, at + 26);
    const second = ((bytes[at + 18] as number) - 48) * 10 + (bytes[at + 19] as number) - 48;
    if (Number.isNaN(time) || second > 59) return false;
    kernel.putTime(at, time - second * 1000);
    return true;
  }

  return {
    begin() {
      pieceStart = pieceEnd = 0;
    },
    read(buf, from, end, lastTime) {
      if (pause > 0) {
        pause--;
        return from;
      }
      times[0] = lastTime;
      let pos = from;
      let misses = 0;
      while (pos < end) {
        if ((pos < pieceStart || pos >= pieceEnd) && !loadPiece(buf, pos, end)) return pos;
        const shift = kernel.input - pieceStart;
        state[1] = events.n;
        state[2] = 0;
        pos = kernel.scan(pos + shift, pieceEnd + shift) - shift;
        events.n = state[1] as number;
        const lines = state[2] as number;
        const reason = state[0] as number;
        counts.lines.physical += lines;
        records += lines;
        if (lines > 0) misses = unusual = 0;
        if (reason === REASON.full) events.spill();
        else if (
          reason !== REASON.end &&
          (reason === REASON.unusual || ++misses > MOST_MISSES || !cacheMissing(reason))
        ) {
          if (++unusual === PATIENCE) {
            pause = PAUSE;
            unusual = 0;
          }
          return pos;
        }
      }
      return pos;
    },
    get lastTime() {
      return times[0] as number;
    },
    settle(routes) {
      if (records === 0) return;
      counts.lines.records += records;
      counts.formats[format] = (counts.formats[format] ?? 0) + records;
      records = 0;
      addInto(counts.noise, kernel.noiseCounts, counts.noise.length);
      addInto(counts.statusClasses, kernel.statusCounts, CLASSES);
      addInto(counts.endpoints, kernel.endpoints, 6 * Math.min(routes, kernel.mostRoutes));
      counts.inversions[0] += state[3] as number;
      state[3] = 0;
      const [, first = Number.NaN, latest = Number.NaN] = times;
      if (!(counts.firstTime <= first)) counts.firstTime = Number.isNaN(first) ? counts.firstTime : first;
      if (!(counts.lastTime >= latest)) counts.lastTime = Number.isNaN(latest) ? counts.lastTime : latest;
    },
  };
}

function addInto(into: number[], from: Uint32Array, n: number): void {
  for (let i = 0; i < n; i++) {
    const more = from[i] as number;
    if (more === 0) continue;
    while (into.length <= i) into.push(0);
    into[i] = (into[i] as number) + more;
    from[i] = 0;
  }
}
