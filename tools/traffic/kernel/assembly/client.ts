/** The two lanes of a client's key, as `hashes.ts` and `line-parser.ts` make them of address and agent. */

const SEED_1: i32 = 0x811c9dc5;
const SEED_2: i32 = 0x2545f491;
const PRIME_1: i32 = 0x01000193;
const PRIME_2: i32 = 0x5bd1e995;

export function lane1(start: usize, end: usize): i32 {
  let h = SEED_1;
  for (let i = start; i < end; i++) h = (h ^ (load<u8>(i) as i32)) * PRIME_1;
  return h;
}

export function lane2(start: usize, end: usize): i32 {
  let h = SEED_2;
  for (let i = start; i < end; i++) {
    const m = (h ^ (load<u8>(i) as i32)) * PRIME_2;
    h = m ^ (((m as u32) >> 13) as i32);
  }
  return h;
}

/** Writes the lanes of the client at [start, end) whose agent has this hash, one after the other. */
export function clientKeys(start: usize, end: usize, agent: i32, to: usize): void {
  let address: u32 = 0;
  let part: u32 = 0;
  let digits: u32 = 0;
  let dots: u32 = 0;
  let good = true;
  for (let i = start; i < end; i++) {
    const c = load<u8>(i) as u32;
    if (c === 46) {
      if (digits === 0 || part > 255) {
        good = false;
        break;
      }
      address = (address << 8) | part;
      part = 0;
      digits = 0;
      dots++;
    } else {
      const d = c - 48;
      if (d > 9 || digits === 3) {
        good = false;
        break;
      }
      part = part * 10 + d;
      digits++;
    }
  }
  if (good && dots === 3 && digits > 0 && part <= 255) {
    store<i32>(to, ((address << 8) | part) as i32);
    store<i32>(to, agent, 4);
  } else {
    store<i32>(to, lane1(start, end));
    store<i32>(to, agent ^ (lane2(start, end) * (0x85ebca6b as i32)), 4);
  }
}
