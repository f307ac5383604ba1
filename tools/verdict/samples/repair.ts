/**
 * Takes a damaged CSV apart record by record and keeps what is whole. A broken line costs itself and nothing else: a stray
 * quote opens a field that no later line closes properly, so the reading goes on with the line after it.
 */
import { isUtf8 } from 'node:buffer';
import { createReadStream, createWriteStream } from 'node:fs';
import { gunzip } from '../../base/gunzip.ts';

export interface Repair {
  readonly path: string;
  /** Lines that are no whole record, left out. */
  readonly lostLines: number;
  readonly lostBytes: number;
  /** Lines with bytes that are no UTF-8; kept, these bytes shown as U+FFFD. */
  readonly undecodable: number;
}

/** No record of k6 is longer: the bound on how far a quoted field is followed. */
const LONGEST_RECORD = 1_000_000;

const COMMA = 44;
const QUOTE = 34;
const LINE_FEED = 10;
const RETURN = 13;

/** Copies the whole records of a CSV with so many columns from `from` (gzip or plain) to `to`, header first. */
export async function repairCsv(from: string, gzip: boolean, to: string, columns: number): Promise<Repair> {
  const file = createReadStream(from, { highWaterMark: 1 << 20 });
  const source = gzip ? gunzip(file) : file;
  const target = createWriteStream(to);
  const finished = new Promise<void>((resolve, reject) => target.on('finish', resolve).on('error', reject));
  const found = { lostLines: 0, lostBytes: 0, undecodable: 0, inLongLine: false };
  let rest: Buffer = Buffer.alloc(0);
  const take = async (data: Buffer, last: boolean) => {
    const { keep, next } = sift(data, last, columns, found);
    rest = data.subarray(next);
    if (keep.length > 0 && !target.write(Buffer.concat(keep))) {
      await new Promise<void>((resolve) => target.once('drain', resolve));
    }
  };
  for await (const chunk of source as AsyncIterable<Buffer>) await take(Buffer.concat([rest, chunk]), false);
  await take(rest, true);
  target.end();
  await finished;
  const { inLongLine: _, ...counts } = found;
  return { path: to, ...counts };
}

interface Counts {
  lostLines: number;
  lostBytes: number;
  undecodable: number;
  /** The beginning of a line that is too long was left out; so is the rest of it. */
  inLongLine: boolean;
}

/** The whole records of `data`, and where the first begins that needs more of the file to be told. */
function sift(data: Buffer, last: boolean, columns: number, counts: Counts): { keep: Buffer[]; next: number } {
  const keep: Buffer[] = [];
  let at = 0;
  while (at < data.length) {
    const end = counts.inLongLine ? 'broken' : recordEnd(data, at, last, columns);
    if (end === 'more' && data.length - at <= LONGEST_RECORD) break;
    if (typeof end === 'number') {
      keep.push(readable(data.subarray(at, end), counts));
      if (last && data[end - 1] !== LINE_FEED) keep.push(Buffer.from('\n'));
      at = end;
      continue;
    }
    const feed = data.indexOf(LINE_FEED, at);
    if (feed === -1 && !last && data.length - at <= LONGEST_RECORD) break;
    const next = feed === -1 ? data.length : feed + 1;
    if (next - at > (data[next - 2] === RETURN ? 2 : 1) || feed === -1) {
      if (!counts.inLongLine) counts.lostLines += 1;
      counts.lostBytes += next - at;
    }
    counts.inLongLine = feed === -1 && !last;
    at = next;
  }
  return { keep, next: at };
}

function readable(record: Buffer, counts: Counts): Buffer {
  if (isUtf8(record)) return record;
  counts.undecodable += 1;
  return Buffer.from(record.toString('utf8'));
}

/** End of the record that begins at `start`; `more` when the data end within it, `broken` when it is none. */
function recordEnd(data: Buffer, start: number, last: boolean, columns: number): number | 'more' | 'broken' {
  let fields = 1;
  let at = start;
  while (true) {
    if (data[at] === QUOTE) {
      at = closingQuote(data, at + 1);
      if (at === -1) return last ? 'broken' : 'more';
      at += 1;
      if (at + 1 >= data.length && !last) return 'more';
      if (data[at] === RETURN) at += 1;
      if (at < data.length && data[at] !== COMMA && data[at] !== LINE_FEED) return 'broken';
    } else {
      while (at < data.length && data[at] !== COMMA && data[at] !== LINE_FEED) {
        if (data[at] === QUOTE) return 'broken';
        at += 1;
      }
    }
    if (at >= data.length && !last) return 'more';
    if (at >= data.length || data[at] === LINE_FEED) break;
    fields += 1;
    at += 1;
  }
  const end = Math.min(at + 1, data.length);
  return fields === columns && end - start <= LONGEST_RECORD ? end : 'broken';
}

/** Place of the quote that closes a field whose text begins at `from`; two together are one of the text. */
function closingQuote(data: Buffer, from: number): number {
  let at = data.indexOf(QUOTE, from);
  while (at !== -1 && data[at + 1] === QUOTE) at = data.indexOf(QUOTE, at + 2);
  return at;
}
