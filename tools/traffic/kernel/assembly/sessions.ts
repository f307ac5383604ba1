/**
 * Adds requests in time order to their clients' sessions. What happens with each request is here; what happens once in a while
 * (a session begins or ends, a minute is over) is told to the caller, who sees the record in this memory.
 */
import { findRecords, growClients, recordIfKnown, recordOf, rehash } from './clients';
import { endRun } from './gaps';
import { addItems } from './items';
import {
  BEGINS,
  BY_ID,
  COUNT,
  EIGHTHS,
  END,
  ENDS,
  FIRST,
  FIXED_END,
  GAP,
  GAPS,
  HEAP,
  IN_MINUTE,
  KEPT_STEPS,
  LATE,
  LATEST,
  NEXT_SWEEP,
  OVERLAPPING,
  OVERLAPS,
  RECORD_BYTES,
  RECORDS,
  REPEATED,
  REQUESTS,
  ROWS,
  SAMPLES,
  SILENCE_BINS,
  SILENCES,
  SLACK,
  STEPS,
  USED,
} from './session-layout';

export { isShared, offerGaps } from './gaps';
export { ENDS_KEPT } from './items';
export { CHUNK_VALUES, CHUNKS, OFFERED, SAMPLE_BYTES } from './sample';
export {
  BURST_GAPS,
  BY_ID,
  EARLY,
  EIGHTHS,
  GAP,
  ITEM_CELLS,
  ITEM_SIZE,
  LATE,
  LATEST,
  LONG_PAIRS,
  MOST_ROWS,
  NEAR,
  OVERLAPPING,
  PAIRS,
  RECENT,
  RECENT_AT,
  REPEATED,
  ROWS,
  SHARED_CLIENTS,
  SILENCES,
  SLACK,
  VIEWS,
} from './session-layout';

/** A client's first request. */
declare function fresh(client1: i32, client2: i32): void;
/** A session is over. */
declare function closed(record: i32): void;
declare function begun(start: f64, byId: bool): void;
/** The first request of a session id: what went before without it may be given to it, see `adopt`. */
declare function named(record: i32, client1: i32, client2: i32, start: f64): void;
/** So many requests were in the minute that holds this time. */
declare function minute(time: f64, requests: i32): void;

/** Requests whose clients are looked up together. */
const BATCH: i32 = 64;
/** Bit of a row's status that says that a session id names the client (`ID_BIT` of `events.ts`). */
const ID_BIT: i32 = 0x8000;
/** A server that gives out session ids logs none with so many requests of a session at most. */
const MOST_ADOPTED: i32 = 3;
const SWEEP_FROM: i32 = 65_536;

/** Begins anew, also in memory that has been used before. */
export function open(gap: f64, slack: f64, samples: i32): void {
  const heapStart = (__heap_base + 127) & ~127;
  const heap = load<u32>(HEAP) as usize;
  memory.fill(0, 0, FIXED_END);
  if (heap > heapStart) memory.fill(heapStart, 0, heap - heapStart);
  store<f64>(LATEST, -Infinity);
  store<f64>(GAP, gap);
  store<f64>(SLACK, slack);
  store<i32>(SAMPLES, samples);
  store<f64>(BEGINS, NaN);
  store<f64>(ENDS, NaN);
  store<i32>(NEXT_SWEEP, SWEEP_FROM);
  store<u32>(HEAP, heapStart as u32);
  growClients();
}

/** floor(8 log2 seconds) for seconds >= 1, within the histogram, without a logarithm. */
function silenceBin(seconds: f64): i32 {
  if (seconds >= 1048576.0) return SILENCE_BINS - 1;
  const octave = 31 - (clz<i32>(seconds as i32) as i32);
  const within = seconds / ((1 << octave) as f64);
  let eighth: i32 = 0;
  for (let i: usize = 0; i < 7; i++) eighth += (within >= load<f64>(EIGHTHS + i * 8)) as i32;
  return 8 * octave + eighth;
}

function newMinute(start: f64): void {
  tellMinute();
  const begins = Math.floor(start / 60000.0) * 60000.0;
  store<f64>(BEGINS, begins);
  store<f64>(ENDS, begins + 60000.0);
}

function tellMinute(): void {
  const requests = load<i32>(IN_MINUTE);
  if (requests > 0) minute(load<f64>(BEGINS), requests);
  store<i32>(IN_MINUTE, 0);
}

function close(record: usize): void {
  if (load<i32>(record + COUNT) > 0) closed(record as i32);
  store<i32>(record + COUNT, 0);
}

function addOne(record: usize, start: f64, took: f64, route: i32): void {
  if (start < load<f64>(LATEST)) store<i32>(LATE, load<i32>(LATE) + 1);
  else store<f64>(LATEST, start);
  store<i32>(record + REQUESTS, load<i32>(record + REQUESTS) + 1);
  let count = load<i32>(record + COUNT);
  let silence: f64 = 0;
  if (count > 0) {
    silence = start - load<f64>(record + END);
    if (silence >= 1000.0) {
      const bin = SILENCES + (silenceBin(silence / 1000.0) as usize) * 8;
      store<f64>(bin, load<f64>(bin) + 1);
    }
    if (silence > load<f64>(GAP)) {
      close(record);
      count = 0;
    } else if (silence < -load<f64>(SLACK)) {
      store<i32>(OVERLAPPING, load<i32>(OVERLAPPING) + 1);
      store<i32>(record + OVERLAPS, load<i32>(record + OVERLAPS) + 1);
    }
    // Few requests come here: those that begin before the one before has ended, or in the same step of the stamps.
    if (silence <= 0 && start + took === load<f64>(record + END)) {
      const before = ((count + KEPT_STEPS - 1) % KEPT_STEPS) as usize;
      const same = (load<u16>(record + STEPS + before * 2) as i32) === route;
      if (same && count > 0) store<i32>(REPEATED, load<i32>(REPEATED) + 1);
    }
  }
  if (count === 0) {
    store<f64>(record + FIRST, start);
    store<f64>(record + END, start);
    begun(start, (load<i32>(record + REQUESTS) & BY_ID) !== 0);
  }
  const place = count % KEPT_STEPS;
  if (count > 0 && place === 0) endRun(record, silence, route);
  store<u16>(record + STEPS + (place as usize) * 2, route as u16);
  store<f32>(record + GAPS + (place as usize) * 4, (silence / 1000.0) as f32);
  store<i32>(record + COUNT, count + 1);
  store<f64>(record + END, max<f64>(load<f64>(record + END), start + took));
}

/**
 * Gives the open session of an address and agent to the session id that its client has been given meanwhile.
 * @param record of the session id, new
 * @param start of its first request
 * @returns whether there is such a session, of few requests and not too long ago
 */
export function adopt(record: usize, client1: i32, client2: i32, start: f64): bool {
  const other = recordIfKnown(client1, client2);
  if (other === 0 || (load<i32>(other + REQUESTS) & BY_ID) !== 0) return false;
  const count = load<i32>(other + COUNT);
  if (count === 0 || count > MOST_ADOPTED || start - load<f64>(other + END) > load<f64>(GAP)) return false;
  store<f64>(record + FIRST, load<f64>(other + FIRST));
  store<f64>(record + END, load<f64>(other + END));
  memory.copy(record + GAPS, other + GAPS, RECORD_BYTES - GAPS);
  store<i32>(record + COUNT, count);
  store<i32>(record + REQUESTS, BY_ID | count);
  store<i32>(other + COUNT, 0);
  store<i32>(other + REQUESTS, load<i32>(other + REQUESTS) - count);
  return true;
}

/** Adds the first `n` rows at ROWS; the clients of every 64 are looked up together. */
export function add(n: i32): void {
  for (let first = 0; first < n; first += BATCH) {
    if (load<i32>(USED) >= load<i32>(NEXT_SWEEP)) sweep();
    const rows = ROWS + (first as usize) * 32;
    const some = min<i32>(BATCH, n - first);
    findRecords(rows + 16, some);
    for (let k = 0; k < some; k++) {
      const row = rows + (k as usize) * 32;
      const record = load<u32>(RECORDS + (k as usize) * 4) as usize;
      const start = load<f64>(row);
      // NaN when it is not logged.
      const duration = load<f32>(row, 24) as f64;
      if (!(start >= load<f64>(BEGINS) && start < load<f64>(ENDS))) newMinute(start);
      store<i32>(IN_MINUTE, load<i32>(IN_MINUTE) + 1);
      if (load<i32>(record + REQUESTS) === 0) {
        fresh(load<i32>(row, 16), load<i32>(row, 20));
        if (((load<u16>(row, 30) as i32) & ID_BIT) !== 0) {
          store<i32>(record + REQUESTS, BY_ID);
          named(record as i32, load<i32>(row, 16), load<i32>(row, 20), start);
        }
      }
      addOne(record, start, abs<f64>(duration) >= 0 ? duration : 0, load<u16>(row, 28) as i32);
    }
  }
  addItems(ROWS + 8, n);
}

/** Ends the sessions of clients that have been silent for longer than any gap, and gives up their records. */
function sweep(): void {
  const used = load<i32>(USED);
  const longest = max<f64>(load<f64>(GAP), 3600000.0);
  let kept: i32 = 0;
  for (let slot = 0; slot < used; slot++) {
    const record = recordOf(slot);
    if (!(load<f64>(LATEST) - load<f64>(record + END) <= longest)) {
      close(record);
      continue;
    }
    if (kept !== slot) memory.copy(recordOf(kept), record, RECORD_BYTES);
    kept++;
  }
  store<i32>(USED, kept);
  rehash();
  store<i32>(NEXT_SWEEP, max<i32>(SWEEP_FROM, kept * 2));
}

/** Ends all sessions. */
export function finish(): void {
  tellMinute();
  const used = load<i32>(USED);
  for (let slot = 0; slot < used; slot++) close(recordOf(slot));
}
