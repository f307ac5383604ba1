/**
 * Reads the everyday shape of common and combined lines: `address - user [time] "METHOD /path?query HTTP/x" status bytes
 * "referer" "agent"`. Whatever is unusual, or asks for a path, minute or agent that is not in the tables, is handed back to the
 * caller, who reads the line with the general reader or fills the table. So this file knows the shape of a line and nothing
 * of routes, bots and noise, and it can be left out without a difference in any result.
 */

import { clientKeys } from './client';
import { mix, quoteEnd, quoteEndHashed, SEED } from './hash';
import { itemKey } from './item';
import {
  ADDRESS_BYTES,
  AGENT_BITS,
  AGENT_KEY,
  AGENTS,
  BY_KIND,
  CAPACITY,
  DROPPED,
  ENDPOINTS,
  EVENTS,
  FIRST_TIME,
  INVERSIONS,
  KNOWN,
  KNOWN_TIME,
  LAST_TIME,
  LATEST_TIME,
  LINES,
  NOISE,
  NOISE_COUNTS,
  PATH_BITS,
  PATH_KEY,
  PATHS,
  PLACES,
  QUERIES,
  QUERY_BITS,
  QUERY_KEY,
  REASON,
  ROWS,
  STATUS_COUNTS,
} from './layout';
import { pathEnd, queryKey } from './path';

/** Reasons to come back, beside 0 at the end. */
export const UNUSUAL: i32 = 1;
export const NEW_TIME: i32 = 2;
export const NEW_PATH: i32 = 3;
export const NEW_QUERY: i32 = 4;
export const NEW_AGENT: i32 = 5;
export const FULL: i32 = 6;

/** An entry: 8 bytes of key, then these. */
const VALUE: usize = 8;
const CLASS: usize = 12;
const FLAGS: usize = 13;
const SEGMENT: usize = 14;
const USED: u8 = 1;
const BY_QUERY: u8 = 2;
const OPTIONS: u8 = 4;

function entryOf(table: usize, bits: i32, key: u64): usize {
  return table + ((key >> (64 - bits)) as usize) * 16;
}

/** @returns the entry of this key, 0 when there is none */
function find(table: usize, bits: i32, key: u64): usize {
  const entry = entryOf(table, bits, key);
  return load<u64>(entry) === key && (load<u8>(entry + FLAGS) & USED) !== 0 ? entry : 0;
}

/** Remembers what the path under way is: its route, and whether a key in the query chooses another one. */
export function putPath(route: i32, pathClass: i32, byQuery: bool, options: bool, itemSegment: i32): void {
  const key = load<u64>(PATH_KEY);
  const entry = entryOf(PATHS, PATH_BITS, key);
  store<u64>(entry, key);
  store<i32>(entry + VALUE, route);
  store<u8>(entry + CLASS, pathClass as u8);
  store<u8>(entry + FLAGS, USED | (byQuery ? BY_QUERY : 0) | (options ? OPTIONS : 0));
  store<i8>(entry + SEGMENT, itemSegment as i8);
}

/** Remembers the route that the query under way chooses. */
export function putQuery(route: i32): void {
  put(QUERIES, QUERY_BITS, load<u64>(QUERY_KEY), route, 0);
}

/** Remembers the agent under way: the general reader's hash of it, and its class. */
export function putAgent(hash: i32, agentClass: i32): void {
  put(AGENTS, AGENT_BITS, load<u64>(AGENT_KEY), hash, agentClass);
}

function put(table: usize, bits: i32, key: u64, value: i32, kind: i32): void {
  const entry = entryOf(table, bits, key);
  store<u64>(entry, key);
  store<i32>(entry + VALUE, value);
  store<u8>(entry + CLASS, kind as u8);
  store<u8>(entry + FLAGS, USED);
}

/** A bit for each digit and dot. */
function addressBytes(block: v128): i32 {
  // From `.` to `9`, without the slash between them.
  const near = i8x16.le_u(i8x16.sub(block, i8x16.splat(46)), i8x16.splat(11));
  return i8x16.bitmask(v128.andnot(near, i8x16.eq(block, i8x16.splat(47))));
}

function setPlace(index: usize, start: usize, end: usize): void {
  store<u32>(PLACES + index * 8, start as u32);
  store<u32>(PLACES + index * 8 + 4, end as u32);
}

/** Reads lines in [from, end), the last byte of which is a newline. @returns place of the first line that is not read */
export function scan(from: usize, end: usize): usize {
  let pos = from;
  let n = load<i32>(EVENTS);
  let lines = load<i32>(LINES);
  let reason: i32 = 0;
  while (pos < end) {
    if (n === CAPACITY) {
      reason = FULL;
      break;
    }
    // Until the line turns out to be of the shape.
    reason = UNUSUAL;
    let i = pos;
    let c = load<u8>(i) as u32;
    if (c === 45) break;
    let colons: u32 = 0;
    let seen: u32 = 0;
    const space = ctz<i32>(i8x16.bitmask(i8x16.eq(v128.load(i), i8x16.splat(32))) | 0x10000);
    const before16 = (1 << space) - 1;
    // Digits and dots.
    if (space < 16 && (addressBytes(v128.load(i)) & before16) === before16) i += space as usize;
    else {
      for (;;) {
        const kind = load<u8>(ADDRESS_BYTES + c) as u32;
        if (kind === 0) break;
        seen |= kind;
        colons += (kind >> 1) & 1;
        c = load<u8>(++i) as u32;
      }
    }
    const clientEnd = i;
    // One colon is a port, which the general reader cuts off, as it does what stands before an address (`access.log:7:`).
    if (colons === 1 || (colons > 0 && (seen & 4) !== 0) || i === pos || (load<u32>(i) & 0xffffff) !== 0x202d20) break;
    i += 3;
    c = load<u8>(i) as u32;
    while (c > 32 && c !== 91) c = load<u8>(++i) as u32;
    if (load<u16>(i) !== 0x5b20) break;
    const at = i + 2;
    const sameMinute =
      i8x16.all_true(i8x16.eq(v128.load(at), v128.load(KNOWN))) &&
      load<u16>(at + 16) === load<u16>(KNOWN + 16) &&
      load<u64>(at + 20) === load<u64>(KNOWN + 20);
    if (!sameMinute) {
      setPlace(0, at, at + 26);
      reason = NEW_TIME;
      break;
    }
    const tens = (load<u8>(at + 18) as u32) - 48;
    const ones = (load<u8>(at + 19) as u32) - 48;
    if (tens > 5 || ones > 9 || load<u8>(at + 28) !== 34) break;
    const time = (load<f64>(KNOWN_TIME) + (tens * 10 + ones) * 1000) as f64;

    i = at + 29;
    const methodStart = i;
    let h: u64 = 0;
    c = load<u8>(i) as u32;
    while (c >= 65 && c <= 90) {
      h = (h << 5) ^ (h >> 59) ^ (c as u64);
      c = load<u8>(++i) as u32;
    }
    if (i === methodStart || i - methodStart > 12 || load<u16>(i) !== 0x2f20) break;
    setPlace(1, methodStart, i);
    const pathStart = i + 1;
    h = mix(SEED, h);
    i = pathEnd(pathStart, h, load<u8>(BY_KIND));
    if (i === 0) break;
    setPlace(2, pathStart, i);
    let queryStart = i;
    if (load<u8>(i) === 63) {
      queryStart = ++i;
      for (;;) {
        const block = v128.load(i);
        const stops = i8x16.bitmask(
          v128.or(
            v128.or(i8x16.le_u(block, i8x16.splat(32)), i8x16.eq(block, i8x16.splat(34))),
            v128.or(i8x16.eq(block, i8x16.splat(92)), i8x16.eq(block, i8x16.splat(35))),
          ),
        );
        if (stops !== 0) {
          i += ctz(stops) as usize;
          break;
        }
        i += 16;
      }
    }
    const queryEnd = i;
    setPlace(3, queryStart, queryEnd);
    // ` HTTP/`
    if (load<u32>(i) !== 0x54544820 || (load<u32>(i + 3) & 0xffffff) !== 0x2f5054) break;
    i += 6;
    c = load<u8>(i) as u32;
    while (c > 32 && c !== 34 && c !== 92) c = load<u8>(++i) as u32;
    if (load<u16>(i) !== 0x2022) break;
    const s1 = (load<u8>(i + 2) as u32) - 48;
    const s2 = (load<u8>(i + 3) as u32) - 48;
    const s3 = (load<u8>(i + 4) as u32) - 48;
    if (s1 - 1 > 8 || s2 > 9 || s3 > 9 || load<u8>(i + 5) !== 32) break;
    const status = s1 * 100 + s2 * 10 + s3;
    i += 6;
    c = load<u8>(i) as u32;
    if (c === 45) c = load<u8>(++i) as u32;
    else while (c - 48 <= 9) c = load<u8>(++i) as u32;
    if (c === 32) {
      if (load<u8>(i + 1) !== 34) break;
      i = quoteEnd(i + 2);
      // `" "`
      if ((load<u32>(i) & 0xffffff) !== 0x222022) break;
      const agentStart = i + 3;
      i = quoteEndHashed(agentStart, AGENT_KEY);
      if (load<u8>(i) !== 34) break;
      setPlace(4, agentStart, i);
      c = load<u8>(++i) as u32;
    } else {
      setPlace(4, i, i);
      store<u64>(AGENT_KEY, 0);
    }
    if (c === 13) c = load<u8>(++i) as u32;
    if (c !== 10) break;
    const next = i + 1;

    const path = find(PATHS, PATH_BITS, load<u64>(PATH_KEY));
    if (path === 0) {
      reason = NEW_PATH;
      break;
    }
    let route = load<i32>(path + VALUE);
    const flags = load<u8>(path + FLAGS);
    if ((flags & BY_QUERY) !== 0 && queryEnd > queryStart) {
      const key = queryKey(queryStart, queryEnd, load<u64>(PATH_KEY));
      store<u64>(QUERY_KEY, key);
      const query = find(QUERIES, QUERY_BITS, key);
      if (query === 0) {
        reason = NEW_QUERY;
        break;
      }
      route = load<i32>(query + VALUE);
    }
    const agent = find(AGENTS, AGENT_BITS, load<u64>(AGENT_KEY));
    if (agent === 0) {
      reason = NEW_AGENT;
      break;
    }

    // From here on the line is read.
    reason = 0;
    lines++;
    const lineStart = pos;
    pos = next;
    const options: usize = (flags & OPTIONS) !== 0 ? 1 : 0;
    const kind = ((load<u8>(path + CLASS) as usize) * 3 + (load<u8>(agent + CLASS) as usize)) * 2 + options;
    const noise = load<u8>(NOISE + kind * 1000 + status) as usize;
    store<u32>(NOISE_COUNTS + noise * 4, load<u32>(NOISE_COUNTS + noise * 4) + 1);
    const hundreds = (s1 < 6 ? s1 : 0) as usize;
    store<u32>(STATUS_COUNTS + hundreds * 4, load<u32>(STATUS_COUNTS + hundreds * 4) + 1);
    const before = load<f64>(LAST_TIME);
    if (!(load<f64>(FIRST_TIME) <= time)) store<f64>(FIRST_TIME, time);
    if (!(load<f64>(LATEST_TIME) >= time)) store<f64>(LATEST_TIME, time);
    if (time < before) store<i32>(INVERSIONS, load<i32>(INVERSIONS) + 1);
    store<f64>(LAST_TIME, time);
    if (load<u8>(DROPPED + noise) !== 0) continue;
    const cell = ENDPOINTS + ((route as usize) * 6 + hundreds) * 4;
    store<u32>(cell, load<u32>(cell) + 1);
    const row = ROWS + (n as usize) * 32;
    const segment = load<i8>(path + SEGMENT) as i32;
    store<f64>(row, time);
    store<f64>(row, segment < 0 ? f64.NaN : itemKey(segment), 8);
    clientKeys(lineStart, clientEnd, load<i32>(agent + VALUE), row + 16);
    store<f32>(row, f32.NaN, 24);
    store<u16>(row, route as u16, 28);
    store<u16>(row, status as u16, 30);
    n++;
  }
  store<i32>(EVENTS, n);
  store<i32>(LINES, lines);
  store<i32>(REASON, reason);
  return pos;
}
