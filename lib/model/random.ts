/**
 * Seeded random numbers: a text is hashed once at init, a session only mixes two integers. In k6's engine the mix and the
 * generator cost a few microseconds, where hashing a text for every session costs tens. What every VU holds is written as
 * arrow functions, here and in the other samplers: k6's engine makes a prototype object for each `function`.
 */

/** Draws a number, uniform in [0, 1), a multiple of 2^-32. */
export type Random = () => number;

/** Bijection of 32-bit integers in which every input bit reaches every output bit (MurmurHash3's finaliser, A. Appleby). */
const mix = (h: number): number => {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
};

/** Unsigned 32-bit hash of a text: FNV-1a over its UTF-16 code units, then mixed. For init only, never per session. */
export function hashSeed(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h) >>> 0;
}

/**
 * A generator that every session of a VU begins anew: given base and iteration it first begins the numbers of that session. Under
 * one base no two iterations get the same state, because an odd multiplier and the mix are bijections; so a session is the same in
 * every run and on every worker that uses the same base.
 * @param base `hashSeed` of seed and scenario
 * @param iteration number of the session in the whole test, an integer >= 0
 */
export type SeededRandom = (base?: number, iteration?: number) => number;

/** The generator is mulberry32 (T. Ettinger, public domain), period 2^32; made once a VU, since each function costs time. */
export const seededRandom = (): SeededRandom => {
  // Looked up once: a look at a global object and its method takes k6's engine longer than the sum.
  const { imul } = Math;
  let state = 0;
  return (base, iteration) => {
    if (base !== undefined) {
      // `mix`, written out: called from here alone, it would be made anew for each session.
      let h = base ^ imul(iteration as number, 0x9e3779b1);
      h = imul(h ^ (h >>> 16), 0x85ebca6b);
      h = imul(h ^ (h >>> 13), 0xc2b2ae35);
      state = h ^ (h >>> 16);
    }
    state = (state + 0x6d2b79f5) | 0;
    let t = imul(state ^ (state >>> 15), state | 1);
    t ^= t + imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

/** Generator of one session, for those that run few: see {@link SeededRandom}. */
export const sessionRandom = (base: number, iteration: number): Random => {
  const random = seededRandom();
  let begun = false;
  return () => {
    if (begun) return random();
    begun = true;
    return random(base, iteration);
  };
};
