/**
 * Takes lines out of k6's CSV that nothing reads, at the speed of memory. Only a line is taken out that could be read: all of
 * its columns are there and no quote is in it. Every other line stays and is judged by the database.
 */

const COMMA: u8 = 44;
const LINE_FEED: u8 = 10;
const QUOTE: u8 = 34;
const SPACE: u8 = 32;

/** Metrics that are left out: by the length of the name the number of the first of them, 0 for none. */
const BY_LENGTH: usize = 1024;
/** A metric: the number of the next one of that length, whether only values below 0.1 go, and the name. */
const METRICS: usize = 2048;
const METRIC_BYTES: usize = 64;
const NAME: usize = 16;

/** Names that can be told are of 8 to 40 bytes. */
export const SHORTEST_NAME: i32 = 8;
export const LONGEST_NAME: i32 = 40;
export const MOST_METRICS: i32 = 200;

/** Where the text to be read is put. */
export const TEXT: i32 = 65536;
export const TEXT_BYTES: i32 = 5242880;

let metrics: i32 = 0;

/** The place for the name of one more metric with so many bytes. */
export function addMetric(length: i32, onlySmall: i32): i32 {
  const at = METRICS + (metrics as usize) * METRIC_BYTES;
  metrics += 1;
  store<u8>(at, load<u8>(BY_LENGTH + (length as usize)));
  store<u8>(at, onlySmall as u8, 1);
  store<u8>(BY_LENGTH + (length as usize), metrics as u8);
  return (at + NAME) as i32;
}

function same(one: usize, other: usize, length: usize): bool {
  const last = length - 8;
  for (let i: usize = 0; i < last; i += 8) if (load<u64>(one + i) !== load<u64>(other + i)) return false;
  return load<u64>(one + last) === load<u64>(other + last);
}

/** Whether a value below 0.1 stands behind the time, which begins here. */
function isSmall(time: usize, end: usize): bool {
  let at = time;
  while (at < end && load<u8>(at) !== COMMA) at += 1;
  return at + 4 <= end && load<u8>(at, 1) === 48 && load<u8>(at, 2) === 46 && load<u8>(at, 3) === 48;
}

/** Whether nobody reads the line, whose first column is the metric, whose third the value. */
function unread(start: usize, end: usize): bool {
  let length: usize = 0;
  while (length <= (LONGEST_NAME as usize)) {
    const commas = i8x16.bitmask(i8x16.eq(v128.load(start + length), i8x16.splat(COMMA as i8)));
    if (commas !== 0) {
      length += ctz(commas) as usize;
      break;
    }
    length += 16;
  }
  if (length < (SHORTEST_NAME as usize) || length > (LONGEST_NAME as usize)) return false;
  let number = load<u8>(BY_LENGTH + length) as usize;
  while (number !== 0) {
    const metric = METRICS + (number - 1) * METRIC_BYTES;
    if (same(start, metric + NAME, length)) return load<u8>(metric, 1) === 0 || isSmall(start + length + 1, end);
    number = load<u8>(metric) as usize;
  }
  return false;
}

/** Whether every quote of the line opens a column, closes one, or is one of two within: then the record ends with the line. */
function wellQuoted(start: usize, end: usize): bool {
  let at = start;
  while (at < end) {
    if (load<u8>(at) === QUOTE) {
      at += 1;
      while (true) {
        while (at < end && load<u8>(at) !== QUOTE) at += 1;
        if (at === end) return false;
        at += 1;
        if (at === end || load<u8>(at) !== QUOTE) break;
        at += 1;
      }
      if (at < end && load<u8>(at) !== COMMA) return false;
    } else {
      while (at < end && load<u8>(at) !== COMMA) {
        if (load<u8>(at) === QUOTE) return false;
        at += 1;
      }
    }
    at += 1;
  }
  return true;
}

/**
 * Moves what stays of `bytes` bytes of whole lines to their beginning.
 * @param commas of a whole line
 * @returns how many bytes stay, or -1 where lines cannot be told by their ends alone (control characters, stray quotes)
 */
export function sieve(bytes: i32, commas: i32): i32 {
  const end = (TEXT + bytes) as usize;
  let out = TEXT as usize;
  let line = out;
  // Lines that stay are moved together.
  let staying = out;
  let seen = 0;
  let quoted = false;
  for (let at = line; at < end; at += 16) {
    const block = v128.load(at);
    const within = end - at < 16 ? (1 << ((end - at) as i32)) - 1 : 0xffff;
    let ends = i8x16.bitmask(i8x16.eq(block, i8x16.splat(LINE_FEED as i8))) & within;
    let found = i8x16.bitmask(i8x16.eq(block, i8x16.splat(COMMA as i8))) & within;
    let quotes = i8x16.bitmask(i8x16.eq(block, i8x16.splat(QUOTE as i8))) & within;
    if ((i8x16.bitmask(i8x16.lt_u(block, i8x16.splat(SPACE as i8))) & within) !== ends) return -1;
    while (ends !== 0) {
      const place = ctz(ends);
      const upTo = (1 << place) - 1;
      const feed = at + (place as usize);
      if (quoted || (quotes & upTo) !== 0) {
        if (!wellQuoted(line, feed)) return -1;
      } else if (seen + popcnt(found & upTo) === commas && unread(line, feed)) {
        if (staying < line) {
          memory.copy(out, staying, line - staying);
          out += line - staying;
        }
        staying = feed + 1;
      }
      line = feed + 1;
      seen = 0;
      quoted = false;
      found &= ~upTo;
      quotes &= ~upTo;
      ends &= ends - 1;
    }
    seen += popcnt(found);
    quoted = quoted || quotes !== 0;
  }
  if (staying < line) {
    memory.copy(out, staying, line - staying);
    out += line - staying;
  }
  return (out - (TEXT as usize)) as i32;
}
