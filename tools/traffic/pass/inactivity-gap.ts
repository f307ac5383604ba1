/** The silence that ends a session, from the histogram of silences between requests of the same client. */
import { largest } from '../../../lib/model/extremes.ts';
import { percent } from '../../../lib/model/figures.ts';

export interface InactivityGap {
  readonly ms: number;
  /** How it was found, in words. */
  readonly reason: string;
}

/** What web analytics uses by custom, ms. */
const FALLBACK_GAP = 30 * 60_000;
const BINS_PER_OCTAVE = 8;
const MIN_GAP = 60_000;
const MAX_GAP = 4 * 3_600_000;

/**
 * Silences within a session and between two sessions make two hills on a logarithmic time axis; the gap is the lowest place
 * between them, when it lies between 1 minute and 4 hours, holds less than half of the lower hill, and the log is three
 * times as long. Otherwise 30 minutes.
 * @param silences bin i counts silences of [2^(i/8), 2^((i+1)/8)) seconds
 * @param span length of the log in ms
 */
export function inactivityGap(silences: Float64Array, span: number): InactivityGap {
  const smooth = smoothed(silences);
  let total = 0;
  for (const n of silences) total += n;
  const fallback = (why: string): InactivityGap => ({ ms: FALLBACK_GAP, reason: `30 minutes by custom: ${why}` });
  if (total < 1000) return fallback(`only ${total} silences of a second or more, 1000 are needed to see two hills`);
  let best: { bin: number; depth: number } | undefined;
  for (let bin = binOf(MIN_GAP); bin <= binOf(MAX_GAP); bin++) {
    const left = largest(smooth.slice(0, bin));
    const right = largest(smooth.slice(bin + 1));
    const lower = Math.min(left, right);
    if (lower < 20) continue;
    const depth = (smooth[bin] as number) / lower;
    if (depth < 0.5 && (best === undefined || depth < best.depth)) best = { bin, depth };
  }
  if (best === undefined) return fallback('the silences show no valley between 1 minute and 4 hours');
  const ms = Math.round(1000 * 2 ** ((best.bin + 0.5) / BINS_PER_OCTAVE));
  if (span < 3 * ms) return fallback('the log is too short for the valley to be trusted');
  return {
    ms,
    reason: `the valley of the silences at ${Math.round(ms / 1000)} s, ${percent(best.depth, 0)} of the lower hill beside it`,
  };
}

function binOf(ms: number): number {
  return Math.floor(BINS_PER_OCTAVE * Math.log2(ms / 1000));
}

/** Running mean over five bins. */
function smoothed(values: Float64Array): number[] {
  return Array.from(values, (_, i) => {
    let sum = 0;
    for (let k = i - 2; k <= i + 2; k++) sum += values[Math.min(values.length - 1, Math.max(0, k))] as number;
    return sum / 5;
  });
}
