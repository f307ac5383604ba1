/** The key of an item id in the path under way, as `route-table.ts` makes it. */
import { lane1, lane2 } from './client';
import { SEGMENTS } from './layout';

export function itemKey(segment: i32): f64 {
  const start = load<u32>(SEGMENTS + (segment as usize) * 8) as usize;
  const end = load<u32>(SEGMENTS + (segment as usize) * 8 + 4) as usize;
  const n = end - start;
  if (n > 0 && n <= 15) {
    let value: u64 = 0;
    let i = start;
    for (; i < end; i++) {
      const d = (load<u8>(i) as u32) - 48;
      if (d > 9) break;
      value = value * 10 + (d as u64);
    }
    if (i === end) return value as f64;
  }
  const high = lane1(start, end) as u32 as f64;
  const low = (lane2(start, end) & 0xfffff) as f64;
  return -(high * 1048576.0 + low) - 1.0;
}
