/** Of several readings of one request, the one that says most: Datadog has it as the server's line and taken apart. */
import { LINE, type LineKind, type RawRecord, resetRecord, type Span } from './raw-record.ts';

/**
 * Reads the candidates in turns and leaves `out` as the one that says most has made it; a duration of another one of the same
 * answer is kept where that has none. What `out` holds beside its spans stands in for what a candidate lacks.
 * @returns `other` when no candidate is a request
 */
export function bestReading<T>(
  candidates: readonly T[],
  out: RawRecord,
  readOne: (candidate: T) => LineKind,
): LineKind {
  const own = numbersOf(out);
  const read = (candidate: T): LineKind => {
    resetRecord(out, out.buf);
    Object.assign(out, own);
    const kind = readOne(candidate);
    if (kind !== LINE.other && Number.isNaN(out.time)) out.time = own.time;
    return kind;
  };
  let best: Found<T> | undefined;
  let took: Pick<RawRecord, 'duration' | 'unit'> | undefined;
  for (const candidate of candidates) {
    const kind = read(candidate);
    // A pair of lines is given up once it has been read.
    if (kind === LINE.record && out.joined) return kind;
    if (kind === LINE.other || (best !== undefined && !isSameAnswer(kind, out, best))) continue;
    const { duration, unit } = out;
    if (kind === LINE.record && !Number.isNaN(duration)) took ??= { duration, unit };
    const says = information(kind, out);
    if (best === undefined || says > best.says) best = { candidate, kind, status: out.status, says };
  }
  if (best === undefined) {
    Object.assign(out, own);
    return LINE.other;
  }
  if (candidates.at(-1) !== best.candidate) read(best.candidate);
  if (Number.isNaN(out.duration)) Object.assign(out, took);
  return best.kind;
}

interface Found<T> {
  readonly candidate: T;
  readonly kind: LineKind;
  readonly status: number;
  readonly says: number;
}

/** Whether what was read last may tell of the same request as what was found before; a record does away with anything less. */
function isSameAnswer(kind: LineKind, out: RawRecord, found: Found<unknown>): boolean {
  return kind === LINE.record && (found.kind !== LINE.record || out.status === found.status);
}

/** How much it says: a record more than anything else, then who sent it, then how long it took. */
function information(kind: LineKind, out: RawRecord): number {
  const has = ({ start, end }: Span): number => (end > start ? 1 : 0);
  const fine = out.time % 1000 > 0 ? 1 : 0;
  const took = Number.isNaN(out.duration) ? 0 : 2;
  const record = kind === LINE.record ? 16 : 0;
  return record + 4 * Math.max(has(out.client), has(out.session)) + took + fine + has(out.agent);
}

/** What a record holds beside its spans. */
function numbersOf({ time, unreadStamp, status, duration, unit, cacheHit, reason }: RawRecord) {
  return { time, unreadStamp, status, duration, unit, cacheHit, reason };
}
