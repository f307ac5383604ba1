/** The clients' hash table: two 32-bit keys to records; blocks of records are never moved, the cells are made anew. */
import { mix32 } from './hash';
import { take } from './heap';
import {
  BLOCK_BITS,
  BLOCKS,
  CAPACITY,
  CELLS,
  FIRST_CELLS,
  HASHES,
  KEY_1,
  KEY_2,
  MOST_BLOCKS,
  RECORD_BYTES,
  RECORDS,
  USED,
} from './session-layout';

const EMPTY: i32 = 0;

function hashOf(client1: i32, client2: i32): i32 {
  return mix32(client1 ^ (client2 * (0x9e3779b1 as i32)));
}

export function recordOf(slot: i32): usize {
  const block = load<u32>(BLOCKS + ((slot >> BLOCK_BITS) as usize) * 4) as usize;
  return block + ((slot & ((1 << BLOCK_BITS) - 1)) as usize) * RECORD_BYTES;
}

function placeOfCell(hash: i32, low: i32): usize {
  return (((hash as u32) >> 8) & (low as u32)) as usize;
}

/** Cells hold slot + 1 in the low bits and bits of the hash above, which say "another client" without a look at the record. */
function cellOf(hash: i32, client1: i32, client2: i32): usize {
  const cells = load<u32>(CELLS) as usize;
  const low = load<i32>(CAPACITY) * 2 - 1;
  let place = placeOfCell(hash, low);
  let cell = load<i32>(cells + place * 4);
  while (cell !== EMPTY) {
    if (((cell ^ hash) & ~low) === 0) {
      const record = recordOf((cell & low) - 1);
      if (load<i32>(record + KEY_1) === client1 && load<i32>(record + KEY_2) === client2) break;
    }
    place = (place + 1) & (low as usize);
    cell = load<i32>(cells + place * 4);
  }
  return cells + place * 4;
}

/** Fills the cells, all of them empty, from the records. */
function fillCells(): void {
  const used = load<i32>(USED);
  const low = load<i32>(CAPACITY) * 2 - 1;
  for (let slot = 0; slot < used; slot++) {
    const record = recordOf(slot);
    const client1 = load<i32>(record + KEY_1);
    const client2 = load<i32>(record + KEY_2);
    const hash = hashOf(client1, client2);
    store<i32>(cellOf(hash, client1, client2), (hash & ~low) | (slot + 1));
  }
}

/** Makes room for twice as many clients, or for the first ones. */
export function growClients(): void {
  const before = load<i32>(CAPACITY);
  const capacity = before === 0 ? 1 << BLOCK_BITS : before * 2;
  const blocks = capacity >> BLOCK_BITS;
  if (blocks > MOST_BLOCKS) unreachable();
  for (let block = before >> BLOCK_BITS; block < blocks; block++) {
    store<u32>(BLOCKS + (block as usize) * 4, take(RECORD_BYTES << BLOCK_BITS) as u32);
  }
  store<u32>(CELLS, take((capacity as usize) * 8) as u32);
  store<i32>(CAPACITY, capacity);
  fillCells();
}

/** Makes the cells anew, after records have moved. */
export function rehash(): void {
  memory.fill(load<u32>(CELLS) as usize, 0, (load<i32>(CAPACITY) as usize) * 8);
  fillCells();
}

/** The record of a client, 0 when it has none. */
export function recordIfKnown(client1: i32, client2: i32): usize {
  const cell = load<i32>(cellOf(hashOf(client1, client2), client1, client2));
  return cell === EMPTY ? 0 : recordOf((cell & (load<i32>(CAPACITY) * 2 - 1)) - 1);
}

function insert(hash: i32, client1: i32, client2: i32): usize {
  let place = cellOf(hash, client1, client2);
  const cell = load<i32>(place);
  if (cell !== EMPTY) return recordOf((cell & (load<i32>(CAPACITY) * 2 - 1)) - 1);
  const used = load<i32>(USED);
  if (used === load<i32>(CAPACITY)) {
    growClients();
    place = cellOf(hash, client1, client2);
  }
  const record = recordOf(used);
  memory.fill(record, 0, RECORD_BYTES);
  store<i32>(record + KEY_1, client1);
  store<i32>(record + KEY_2, client2);
  store<i32>(place, (hash & ~(load<i32>(CAPACITY) * 2 - 1)) | (used + 1));
  store<i32>(USED, used + 1);
  return record;
}

/**
 * Leaves the records of the clients in `n` rows at RECORDS; a new one is empty. Many at a time and in short rounds whose turns
 * do not wait for each other, so that the processor asks for much of the memory at once.
 * @param keys place of the first row's keys
 */
export function findRecords(keys: usize, n: i32): void {
  const cells = load<u32>(CELLS) as usize;
  const low = load<i32>(CAPACITY) * 2 - 1;
  for (let k = 0; k < n; k++) {
    const row = keys + (k as usize) * 32;
    const hash = hashOf(load<i32>(row), load<i32>(row, 4));
    store<i32>(HASHES + (k as usize) * 4, hash);
    store<i32>(FIRST_CELLS + (k as usize) * 4, load<i32>(cells + placeOfCell(hash, low) * 4));
  }
  for (let k = 0; k < n; k++) {
    const hash = load<i32>(HASHES + (k as usize) * 4);
    let cell = load<i32>(FIRST_CELLS + (k as usize) * 4);
    if (cell !== EMPTY && ((cell ^ hash) & ~low) !== 0) {
      let place = placeOfCell(hash, low);
      do {
        place = (place + 1) & (low as usize);
        cell = load<i32>(cells + place * 4);
      } while (cell !== EMPTY && ((cell ^ hash) & ~low) !== 0);
    }
    store<u32>(RECORDS + (k as usize) * 4, (cell === EMPTY ? (0 as usize) : recordOf((cell & low) - 1)) as u32);
  }
  // Both cache lines of each record (of none those at 0, which are there anyway): in a round of its own, because after a branch
  // that was guessed wrong, as in the round before, the processor asks for all of it again.
  let touched: i32 = 0;
  for (let k = 0; k < n; k++) {
    const record = load<u32>(RECORDS + (k as usize) * 4) as usize;
    touched ^= load<i32>(record + KEY_1) ^ load<i32>(record + 64);
  }
  store<i32>(FIRST_CELLS, touched);
  for (let k = 0; k < n; k++) {
    const row = keys + (k as usize) * 32;
    const record = load<u32>(RECORDS + (k as usize) * 4) as usize;
    const client1 = load<i32>(row);
    const client2 = load<i32>(row, 4);
    if (record !== 0 && load<i32>(record + KEY_1) === client1 && load<i32>(record + KEY_2) === client2) continue;
    store<u32>(RECORDS + (k as usize) * 4, insert(load<i32>(HASHES + (k as usize) * 4), client1, client2) as u32);
  }
}
