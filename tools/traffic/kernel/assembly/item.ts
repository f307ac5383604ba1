/** The key of an item id in the path under way, as `route-table.ts` makes it. */
import { lane1, lane2 } from './client';
import { SEGMENTS } from './layout';

/** Halves: the checkers of this repository take numbers for JavaScript's. */
const NIBBLES: u64 = ((0x0f0f0f0f as u64) << 32) | (0x0f0f0f0f as u64);
const BYTES: u64 = ((0x00ff00ff as u64) << 32) | (0x00ff00ff as u64);
const PAIRS: u64 = ((0x0000ffff as u64) << 32) | (0x0000ffff as u64);

/** Number of the first one to eight digits of a word: pairs, fours and eights are added up at once. */
function eightDigits(word: u64, n: usize): u64 {
  let w = (word << ((64 - 8 * n) as u64)) & NIBBLES;
  w = ((w * 2561) >> 8) & BYTES;
  w = ((w * 6553601) >> 16) & PAIRS;
  return (w * 42949672960001) >> 32;
}

export function itemKey(segment: i32): f64 {
  const start = load<u32>(SEGMENTS + (segment as usize) * 8) as usize;
  const end = load<u32>(SEGMENTS + (segment as usize) * 8 + 4) as usize;
  const n = end - start;
  if (n > 0 && n <= 15) {
    const block = v128.load(start);
    const all = (1 << (n as i32)) - 1;
    const digits = i8x16.bitmask(i8x16.le_u(i8x16.sub(block, i8x16.splat(48)), i8x16.splat(9)));
    if ((digits & all) === all) {
      if (n <= 8) return eightDigits(load<u64>(start), n) as f64;
      const first = eightDigits(load<u64>(start), n - 8);
      return (first * 100000000 + eightDigits(load<u64>(end - 8), 8)) as f64;
    }
  }
  const high = lane1(start, end) as u32 as f64;
  const low = (lane2(start, end) & 0xfffff) as f64;
  return -(high * 1048576.0 + low) - 1.0;
}
