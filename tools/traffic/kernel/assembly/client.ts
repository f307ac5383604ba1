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

/** A part of one to three digits. */
function octet(start: usize, digits: i32): i32 {
  const right = load<u32>(start) << (32 - 8 * digits);
  return (((right >> 8) & 15) * 100 + ((right >> 16) & 15) * 10 + ((right >> 24) & 15)) as i32;
}

/** An address in dotted decimals, without a guess at how long its parts are. @returns false when it is none */
function dotted(start: usize, n: i32, to: usize): bool {
  const block = v128.load(start);
  const all = (1 << n) - 1;
  let dots = i8x16.bitmask(i8x16.eq(block, i8x16.splat(46))) & all;
  const digits = i8x16.bitmask(i8x16.le_u(i8x16.sub(block, i8x16.splat(48)), i8x16.splat(9))) & all;
  if (popcnt(dots) !== 3 || (dots | digits) !== all) return false;
  const first = ctz(dots);
  dots &= dots - 1;
  const second = ctz(dots);
  const third = ctz(dots & (dots - 1));
  const digits1 = first;
  const digits2 = second - first - 1;
  const digits3 = third - second - 1;
  const digits4 = n - third - 1;
  if (((digits1 - 1) | (digits2 - 1) | (digits3 - 1) | (digits4 - 1)) < 0) return false;
  if (max(max(digits1, digits2), max(digits3, digits4)) > 3) return false;
  const part1 = octet(start, digits1);
  const part2 = octet(start + (first as usize) + 1, digits2);
  const part3 = octet(start + (second as usize) + 1, digits3);
  const part4 = octet(start + (third as usize) + 1, digits4);
  if (max(max(part1, part2), max(part3, part4)) > 255) return false;
  store<i32>(to, (part1 << 24) | (part2 << 16) | (part3 << 8) | part4);
  return true;
}

/** Writes the lanes of the client at [start, end) whose agent has this hash, one after the other. */
export function clientKeys(start: usize, end: usize, agent: i32, to: usize): void {
  if (end - start < 16 && dotted(start, (end - start) as i32, to)) {
    store<i32>(to, agent, 4);
    return;
  }
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
