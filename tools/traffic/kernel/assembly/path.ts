/** Keys of paths and of the keys in a query. */
import { mix, mixBytes } from './hash';
import { MOST_SEGMENTS, PATH_BYTES, PATH_KEY, SEGMENTS } from './layout';

/** Values of PATH_BYTES. */
const DIGIT: u32 = 1;
const HEX: u32 = 2;

/** Words that stand for a whole segment of a kind; no segment of bytes ends with LENGTH. */
const NUMBER: u64 = 0x6d756e;
const ISBN: u64 = 0x6e627369;
const GUID: u64 = 0x64697567;
const LENGTH: u64 = 0xffffffff;

/**
 * Writes the path's key and its segments. Segments of digits and GUIDs count by kind: no template tells them apart, which the
 * caller has made sure of when `byKind` is set.
 * @returns where the path ends, 0 when it has too many segments
 */
export function pathEnd(start: usize, seed: u64, byKind: u8): usize {
  let h = seed;
  let i = start;
  let segments: i32 = 0;
  for (;;) {
    // At a slash.
    const from = ++i;
    const head = v128.load(i);
    let stops = i8x16.bitmask(segmentEnds(head));
    while (stops === 0) {
      i += 16;
      stops = i8x16.bitmask(segmentEnds(v128.load(i)));
    }
    i += ctz(stops) as usize;
    if (i > from) {
      if (segments === MOST_SEGMENTS) return 0;
      const place = SEGMENTS + (segments as usize) * 8;
      store<u32>(place, from as u32);
      store<u32>(place + 4, i as u32);
      segments++;
    }
    if (byKind !== 0 && i > from && allDigits(head, from, i)) h = mix(mix(h, isIsbn(from, i) ? ISBN : NUMBER), LENGTH);
    else if (byKind !== 0 && i - from === 36 && isGuid(from)) h = mix(mix(h, GUID), LENGTH);
    else h = mixBytes(h, from, i);
    if (load<u8>(i) !== 47) break;
  }
  store<u64>(PATH_KEY, h);
  return i;
}

/** Slashes, and what ends a path: blanks, `?`, `"`, `\\`, `#`, and the `;` of parameters, which the general reader cuts off. */
function segmentEnds(block: v128): v128 {
  return v128.or(
    v128.or(
      v128.or(i8x16.le_u(block, i8x16.splat(32)), i8x16.eq(block, i8x16.splat(47))),
      v128.or(i8x16.eq(block, i8x16.splat(63)), i8x16.eq(block, i8x16.splat(34))),
    ),
    v128.or(
      v128.or(i8x16.eq(block, i8x16.splat(92)), i8x16.eq(block, i8x16.splat(35))),
      i8x16.eq(block, i8x16.splat(59)),
    ),
  );
}

/** @param head the first 16 bytes from `start` on */
function allDigits(head: v128, start: usize, end: usize): bool {
  const n = (end - start) as i32;
  const first = (1 << min<i32>(n, 16)) - 1;
  const digits = i8x16.bitmask(i8x16.le_u(i8x16.sub(head, i8x16.splat(48)), i8x16.splat(9)));
  if ((digits & first) !== first) return false;
  for (let i = start + 16; i < end; i++) if ((load<u8>(i) as u32) - 48 > 9) return false;
  return true;
}

function isIsbn(start: usize, end: usize): bool {
  if (end - start !== 13) return false;
  const prefix = load<u32>(start) & 0xffffff;
  return prefix === 0x383739 || prefix === 0x393739;
}

function isGuid(start: usize): bool {
  for (let i: usize = 0; i < 36; i++) {
    const c = load<u8>(start + i) as u32;
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (c !== 45) return false;
    } else {
      const kind = load<u8>(PATH_BYTES + c) as u32;
      if (kind !== DIGIT && kind !== HEX) return false;
    }
  }
  return true;
}

/** Key of which keys a query holds, in their order. */
export function queryKey(start: usize, end: usize, seed: u64): u64 {
  let h = seed;
  let at = start;
  while (at < end) {
    const from = at;
    let c = load<u8>(at) as u32;
    while (at < end && c !== 61 && c !== 38) c = load<u8>(++at) as u32;
    h = mixBytes(h, from, at);
    while (at < end && c !== 38) c = load<u8>(++at) as u32;
    at++;
  }
  return h;
}
