/** Hashes of the kernel: 64 bits, made of whole words, never seen outside of it. */
import { MASKS } from './layout';

/** Halves: the checkers of this repository take numbers for JavaScript's. */
export const PRIME: u64 = ((0x9e3779b9 as u64) << 32) | (0x7f4a7c15 as u64);
export const SEED: u64 = ((0x2545f491 as u64) << 32) | (0x4f6cdd1d as u64);

/** Bijection of 32 bits in which every bit reaches every other (MurmurHash3's finaliser, A. Appleby). */
export function mix32(h: i32): i32 {
  h = (h ^ (((h as u32) >> 16) as i32)) * (0x85ebca6b as i32);
  h = (h ^ (((h as u32) >> 13) as i32)) * (0xc2b2ae35 as i32);
  return h ^ (((h as u32) >> 16) as i32);
}

/** One word more. For a given `h` different words give different results. */
export function mix(h: u64, word: u64): u64 {
  const m = (h ^ word) * PRIME;
  return m ^ (m >> 32);
}

/** The bytes of [start, end) and how many they are; reads up to seven bytes beyond. */
export function mixBytes(seed: u64, start: usize, end: usize): u64 {
  let h = seed;
  let at = start;
  for (; at + 8 <= end; at += 8) h = mix(h, load<u64>(at));
  const left = (end - at) as u64;
  if (left > 0) h = mix(h, load<u64>(at) & (((1 as u64) << (left * 8)) - 1));
  return mix(h, (end - start) as u64);
}

/** Place of the first of `"`, `\` and newline at or after `at`. */
export function quoteEnd(at: usize): usize {
  let i = at;
  let mask = i8x16.bitmask(endsField(v128.load(i)));
  while (mask === 0) {
    i += 16;
    mask = i8x16.bitmask(endsField(v128.load(i)));
  }
  return i + (ctz(mask) as usize);
}

function endsField(block: v128): v128 {
  return v128.or(
    v128.or(i8x16.eq(block, i8x16.splat(34)), i8x16.eq(block, i8x16.splat(92))),
    i8x16.eq(block, i8x16.splat(10)),
  );
}

/** As `quoteEnd`, with the hash of the bytes up to there left at `key`. */
export function quoteEndHashed(at: usize, key: usize): usize {
  let a = SEED;
  let b = SEED ^ PRIME;
  let i = at;
  let block = v128.load(i);
  let mask = i8x16.bitmask(endsField(block));
  while (mask === 0) {
    a = mix(a, i64x2.extract_lane(block, 0) as u64);
    b = mix(b, i64x2.extract_lane(block, 1) as u64);
    i += 16;
    block = v128.load(i);
    mask = i8x16.bitmask(endsField(block));
  }
  const n = ctz(mask) as usize;
  const rest = v128.and(block, v128.load(MASKS + 16 - n));
  a = mix(a, i64x2.extract_lane(rest, 0) as u64);
  b = mix(b, i64x2.extract_lane(rest, 1) as u64);
  store<u64>(key, mix(a ^ ((b << 32) | (b >> 32)), (i + n - at) as u64));
  return i + n;
}
