/**
 * How often each item was asked for: a hash table by open addressing whose cells hold a key and its count side by side, so that
 * a look-up waits for memory once. The first and the latest views are kept in order, for the drift.
 */
import { PRIME } from './hash';
import { take } from './heap';
import {
  EARLY,
  ITEM_CELLS,
  ITEM_PLACES,
  ITEM_SIZE,
  ITEMS_USED,
  RECENT,
  RECENT_AT,
  SOME_ITEMS,
  VIEWS,
} from './session-layout';

/** Views that are kept at each end of the log. */
export const ENDS_KEPT: i32 = 20_000;
/** Items that are looked up together. */
const BATCH: i32 = 64;
const CELL_BYTES: usize = 16;
const FIRST_SIZE: i32 = 4096;

function firstPlaceOf(key: i64, size: i32): i32 {
  const hash = ((key as u64) ^ ((key as u64) >> 32)) * PRIME;
  return ((hash >> 32) as i32) & (size - 1);
}

/** Place of the key, or of the empty cell for it; counts begin at 1. */
function placeOf(cells: usize, size: i32, key: i64, first: i32): usize {
  let place = first;
  let cell = cells + (place as usize) * CELL_BYTES;
  while (load<i64>(cell) !== key && load<f64>(cell, 8) !== 0) {
    place = (place + 1) & (size - 1);
    cell = cells + (place as usize) * CELL_BYTES;
  }
  return cell;
}

function grow(): void {
  const before = load<i32>(ITEM_SIZE);
  const old = load<u32>(ITEM_CELLS) as usize;
  const size = before === 0 ? FIRST_SIZE : before * 2;
  if (before === 0) {
    store<u32>(EARLY, take((ENDS_KEPT as usize) * 8) as u32);
    store<u32>(RECENT, take((ENDS_KEPT as usize) * 8) as u32);
  }
  const cells = take((size as usize) * CELL_BYTES);
  for (let i = 0; i < before; i++) {
    const from = old + (i as usize) * CELL_BYTES;
    if (load<f64>(from, 8) === 0) continue;
    const key = load<i64>(from);
    const to = placeOf(cells, size, key, firstPlaceOf(key, size));
    store<i64>(to, key);
    store<f64>(to, load<f64>(from, 8), 8);
  }
  store<u32>(ITEM_CELLS, cells as u32);
  store<i32>(ITEM_SIZE, size);
}

function addBatch(n: i32): void {
  if ((load<i32>(ITEMS_USED) + n) * 2 > load<i32>(ITEM_SIZE)) grow();
  const cells = load<u32>(ITEM_CELLS) as usize;
  const size = load<i32>(ITEM_SIZE);
  // A first round that waits for nothing, so that the processor asks for many cells at once.
  let touched: i64 = 0;
  for (let k = 0; k < n; k++) {
    const place = firstPlaceOf(load<i64>(SOME_ITEMS + (k as usize) * 8), size);
    store<i32>(ITEM_PLACES + (k as usize) * 4, place);
    touched ^= load<i64>(cells + (place as usize) * CELL_BYTES);
  }
  store<i64>(ITEM_PLACES + (BATCH as usize) * 4, touched);
  const early = load<u32>(EARLY) as usize;
  const recent = load<u32>(RECENT) as usize;
  const views = load<f64>(VIEWS);
  let at = load<i32>(RECENT_AT);
  let used = load<i32>(ITEMS_USED);
  for (let k = 0; k < n; k++) {
    const key = load<i64>(SOME_ITEMS + (k as usize) * 8);
    const cell = placeOf(cells, size, key, load<i32>(ITEM_PLACES + (k as usize) * 4));
    const count = load<f64>(cell, 8);
    if (count === 0) {
      store<i64>(cell, key);
      used++;
    }
    store<f64>(cell, count + 1, 8);
    store<i64>(recent + (at as usize) * 8, key);
    at = at === ENDS_KEPT - 1 ? 0 : at + 1;
  }
  for (let k = 0; k < n && views + (k as f64) < (ENDS_KEPT as f64); k++) {
    store<i64>(early + ((views as i32) + k) * 8, load<i64>(SOME_ITEMS + (k as usize) * 8));
  }
  store<i32>(ITEMS_USED, used);
  store<i32>(RECENT_AT, at);
  store<f64>(VIEWS, views + (n as f64));
}

/** Counts the items of `n` rows; NaN is none. @param items place of the first row's item */
export function addItems(items: usize, n: i32): void {
  let m: i32 = 0;
  for (let i = 0; i < n; i++) {
    const item = load<f64>(items + (i as usize) * 32);
    if (!(abs<f64>(item) >= 0)) continue;
    store<f64>(SOME_ITEMS + (m as usize) * 8, item);
    if (++m === BATCH) {
      addBatch(m);
      m = 0;
    }
  }
  if (m > 0) addBatch(m);
}
