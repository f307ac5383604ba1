/**
 * Gaps between the steps of a session: which of them are think times. Those between the most common routes go to samples in
 * this memory, the others to the caller.
 */
import { addToSample, beginSample, CHUNKS, SAMPLE_BYTES } from './sample';
import {
  BURST_GAPS,
  BY_ID,
  FAST_RUNS,
  GAPS,
  KEPT_STEPS,
  LONG_PAIRS,
  NEAR,
  OVERLAPS,
  PAIRS,
  REQUESTS,
  SAMPLES,
  SHARED_CLIENTS,
  STEPS,
} from './session-layout';

/** A gap, s, between two routes of which one is not below NEAR, and whether it is of a session of more than KEPT_STEPS. */
declare function gap(from: i32, to: i32, seconds: f64, long: bool): void;
/** Seed of the sample for two routes. */
declare function seed(from: i32, to: i32): i32;

/** KEPT_STEPS requests in less than this are faster than one person clicks, s. */
const FAST_RUN: f64 = (KEPT_STEPS as f64) / 2;
/** Value of FAST_RUNS for a client that holds many users. */
const SHARED: i32 = 0xffff;

function offer(from: i32, to: i32, seconds: f64, long: bool): void {
  if (load<i32>(SAMPLES) === 0) return;
  if (from >= NEAR || to >= NEAR) {
    gap(from, to, seconds, long);
    return;
  }
  const sample = (long ? LONG_PAIRS : PAIRS) + ((from * NEAR + to) as usize) * SAMPLE_BYTES;
  if (load<u32>(sample + CHUNKS) === 0) beginSample(sample, seed(from, to));
  addToSample(sample, seconds);
}

/**
 * Hands on the gaps between the first `n` steps that are kept.
 * @param long whether the session has more than KEPT_STEPS requests
 */
export function offerGaps(record: usize, n: i32, long: bool): void {
  for (let i: usize = 1; i < (n as usize); i++) {
    const step = record + STEPS + i * 2;
    offer(load<u16>(step - 2) as i32, load<u16>(step) as i32, load<f32>(record + GAPS + i * 4) as f64, long);
  }
}

/** A session id is one user's, however fast. */
function markShared(record: usize): void {
  if ((load<i32>(record + REQUESTS) & BY_ID) !== 0) return;
  if ((load<u16>(record + FAST_RUNS) as i32) !== SHARED) store<i32>(SHARED_CLIENTS, load<i32>(SHARED_CLIENTS) + 1);
  store<u16>(record + FAST_RUNS, SHARED as u16);
}

/** Whether the client's address holds many users: its requests overlap, or no person is that fast. */
export function isShared(record: usize): bool {
  const n = load<i32>(record + REQUESTS) & (BY_ID - 1);
  if (n >= 20 && (load<i32>(record + OVERLAPS) as f64) >= 0.1 * (n as f64)) markShared(record);
  return (load<u16>(record + FAST_RUNS) as i32) === SHARED;
}

/**
 * A run of KEPT_STEPS is full: its gaps are handed on, unless no person is that fast.
 * @param silence after it, ms
 * @param route that is asked for then
 */
export function endRun(record: usize, silence: f64, route: i32): void {
  let seconds = silence / 1000.0;
  for (let i: usize = 1; i < (KEPT_STEPS as usize); i++) {
    seconds += max<f64>(0.0, load<f32>(record + GAPS + i * 4) as f64);
  }
  const runs = load<u16>(record + FAST_RUNS) as i32;
  if (seconds < FAST_RUN) {
    store<i32>(BURST_GAPS, load<i32>(BURST_GAPS) + KEPT_STEPS - 1);
    if (runs === 3) markShared(record);
    else if (runs !== SHARED) store<u16>(record + FAST_RUNS, (runs + 1) as u16);
  } else if (runs !== SHARED) {
    store<u16>(record + FAST_RUNS, 0);
    offerGaps(record, KEPT_STEPS, true);
    offer(load<u16>(record + STEPS + ((KEPT_STEPS - 1) as usize) * 2) as i32, route, silence / 1000.0, true);
  }
}
