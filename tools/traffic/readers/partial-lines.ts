/**
 * Lines that a container's runtime has written in several parts of 16 KB: `P` and `F` behind the stream's name (CRI: containerd,
 * CRI-O), or entries of Docker's json-file whose text does not end its line. Streams are put together apart from each other.
 */
import { hasText } from './bytes.ts';
import { latin1 } from './raw-record.ts';
import { wordEnd } from './words.ts';

/** A line that goes on in one that follows. */
export const PART = 'part';

/** Bytes of a line that are kept; what is longer is given up. */
const LONGEST = 8 << 20;
/** Where Docker cuts a line. */
const DOCKER_PIECE = 16_384;
/** Parts without a line's end that may be none: some shippers cut the ends off. */
const MOST_SHORT = 16;

/** Puts CRI parts together: the whole line, PART, or `undefined` for a line that stands alone. */
export type CriLines = (buf: Uint8Array, start: number, end: number) => Buffer | typeof PART | undefined;

export function criLines(): CriLines {
  const open = new Map<string, Buffer[]>();
  return (buf, start, end) => {
    const mark = criMark(buf, start, end);
    if (mark < 0) return undefined;
    const stream = latin1(buf, mark - 6, mark);
    const before = open.get(stream);
    const more = buf[mark + 1] === PARTIAL;
    if (!more && before === undefined) return undefined;
    const rest = Buffer.from(buf.subarray(mark + 3, end));
    if (more) {
      if (before === undefined) open.set(stream, [rest]);
      else if (sizeOf(before) + rest.length <= LONGEST) before.push(rest);
      return PART;
    }
    open.delete(stream);
    return Buffer.concat([buf.subarray(start, mark + 3), ...(before ?? []), rest]);
  };
}

const PARTIAL = 80;
const FULL = 70;

/** Place behind `2024-03-04T10:00:00.123Z stdout` where ` P ` or ` F ` stands; -1 when the line is no such one. */
function criMark(buf: Uint8Array, start: number, end: number): number {
  if (buf[start + 4] !== 45 || buf[start + 10] !== 84) return -1;
  const stream = wordEnd(buf, start, Math.min(end, start + 48));
  if (!hasText(buf, stream, end, ' stdout ') && !hasText(buf, stream, end, ' stderr ')) return -1;
  const mark = stream + 7;
  return buf[mark + 2] === 32 && (buf[mark + 1] === PARTIAL || buf[mark + 1] === FULL) ? mark : -1;
}

function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

export interface DockerLines {
  /** Whether the entry is a part of a line whatever can be read of it, and kept as one. */
  isPiece(stream: string, text: string): boolean;
  /** Tells that the entry has been read by itself. */
  alone(stream: string, text: string): void;
  /** The line that an entry which cannot be read by itself may end; PART when it is kept. `undefined`: no part. */
  whole(stream: string, text: string): string | typeof PART | undefined;
}

export function dockerLines(): DockerLines {
  const open = new Map<string, { text: string; short: number }>();
  let endsCutOff = false;

  function keep(stream: string, text: string): void {
    const before = open.get(stream) ?? { text: '', short: 0 };
    before.short = text.length < DOCKER_PIECE ? before.short + 1 : before.short;
    if (before.short > MOST_SHORT || before.text.length + text.length > LONGEST) open.delete(stream);
    else open.set(stream, { text: before.text + text, short: before.short });
  }

  return {
    isPiece(stream, text) {
      if (endsCutOff || text.endsWith('\n') || Buffer.byteLength(text) < DOCKER_PIECE) return false;
      keep(stream, text);
      return true;
    },
    alone(stream, text) {
      open.delete(stream);
      if (!text.endsWith('\n')) endsCutOff = true;
    },
    whole(stream, text) {
      const before = open.get(stream);
      if (text.endsWith('\n') || (endsCutOff && before !== undefined)) {
        open.delete(stream);
        return before === undefined ? undefined : before.text + text;
      }
      if (endsCutOff) return undefined;
      keep(stream, text);
      return PART;
    },
  };
}
