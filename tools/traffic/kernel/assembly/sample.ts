/**
 * A uniform sample of a stream of unknown length, as `events/reservoir.ts` draws it: beyond the capacity the number of values to
 * skip is drawn (K.-H. Li, algorithm L, ACM TOMS 20, 1994). Same seed, same generator, same sample.
 */
import { mix32 } from './hash';
import { take } from './heap';
import { SAMPLES } from './session-layout';

/** Places in a sample: values offered, number of the next that is kept, Li's W as doubles; chunks of values; generator. */
export const OFFERED: usize = 0;
const NEXT: usize = 8;
const WEIGHT: usize = 16;
export const CHUNKS: usize = 24;
const STATE: usize = 28;
export const SAMPLE_BYTES: usize = 32;
/** Values in a chunk. */
export const CHUNK_VALUES: i32 = 1024;

/** mulberry32 (T. Ettinger, public domain), as in `lib/model/random.ts`. */
function random(sample: usize): f64 {
  const state = load<i32>(sample + STATE) + 0x6d2b79f5;
  store<i32>(sample + STATE, state);
  let t = (state ^ (((state as u32) >> 15) as i32)) * (state | 1);
  t ^= t + (t ^ (((t as u32) >> 7) as i32)) * (t | 61);
  return ((t ^ (((t as u32) >> 14) as i32)) as u32 as f64) / 4294967296.0;
}

/** @param base seed as `hashSeed` gives it; it is mixed as for the first session of a generator */
export function beginSample(sample: usize, base: i32): void {
  store<i32>(sample + STATE, mix32(base));
  store<f64>(sample + WEIGHT, 1);
  store<f64>(sample + NEXT, 1);
  const chunks = (load<i32>(SAMPLES) + CHUNK_VALUES - 1) / CHUNK_VALUES;
  store<u32>(sample + CHUNKS, take((chunks as usize) * 4) as u32);
}

function put(sample: usize, at: i32, value: f64): void {
  const chunk = (load<u32>(sample + CHUNKS) as usize) + ((at / CHUNK_VALUES) as usize) * 4;
  if (load<u32>(chunk) === 0) store<u32>(chunk, take((CHUNK_VALUES as usize) * 8) as u32);
  store<f64>((load<u32>(chunk) as usize) + ((at % CHUNK_VALUES) as usize) * 8, value);
}

function skip(sample: usize, n: f64): void {
  const capacity = load<i32>(SAMPLES) as f64;
  const weight = load<f64>(sample + WEIGHT) * Math.exp(Math.log(1.0 - random(sample)) / capacity);
  store<f64>(sample + WEIGHT, weight);
  store<f64>(sample + NEXT, n + Math.floor(Math.log(1.0 - random(sample)) / Math.log1p(-weight)) + 1.0);
}

export function addToSample(sample: usize, value: f64): void {
  const n = load<f64>(sample + OFFERED) + 1.0;
  store<f64>(sample + OFFERED, n);
  if (n < load<f64>(sample + NEXT)) return;
  const capacity = load<i32>(SAMPLES);
  if (n > (capacity as f64)) {
    put(sample, Math.floor(random(sample) * (capacity as f64)) as i32, value);
    skip(sample, n);
    return;
  }
  put(sample, (n as i32) - 1, value);
  if ((n as i32) === capacity) skip(sample, n);
  else store<f64>(sample + NEXT, n + 1.0);
}
