/** Bins for the silences between the requests of a client. */

/** Bin i holds [2^(i/8), 2^((i+1)/8)) seconds; the last one everything beyond. */
export const SILENCE_BINS = 8 * 20;

const EIGHTHS = Float64Array.from({ length: 7 }, (_, i) => 2 ** ((i + 1) / 8));

/** floor(8 log2 seconds) for seconds >= 1, within the histogram, without a logarithm. */
export function silenceBin(seconds: number): number {
  if (seconds >= 2 ** 20) return SILENCE_BINS - 1;
  const octave = 31 - Math.clz32(seconds);
  const within = seconds / (1 << octave);
  let eighth = 0;
  while (eighth < 7 && within >= (EIGHTHS[eighth] as number)) eighth++;
  return 8 * octave + eighth;
}
