/**
 * Draws the steps of whole sessions of a flow that is data (`FlowSessions`).
 *
 * The sessions of a run are strata: session i of n stands at a place of its own among n equal parts of [0, 1), in an order
 * that looks random, and forms are stretches of [0, 1). So a run has each form as often as is due, to a whole session,
 * whatever its length. The sessions of a chain share a Latin hypercube: at each step their random numbers are one from each of
 * m equal parts, in an order of that step (M. D. McKay et al., Technometrics 21, 1979), which keeps their mean length closer
 * to what is due.
 */

import type { DrawnForm, DrawnHead, DrawnNext } from './drawn-rows.ts';
import type { Random } from './random.ts';

/** A chain that has not ended by then is one that never does. */
const MOST_STEPS = 10_000;

/** Sessions of one flow in a run, for drawing one of them. */
export interface DrawnPlan {
  /** Row of the flow by its place, see `drawnRows`. */
  readonly row: (place: number) => unknown;
  /** Sessions of the flow in the run; those beyond are drawn independently. */
  readonly n: number;
  /** `hashSeed` of the seed. */
  readonly base: number;
}

/**
 * Steps of session i of a plan, each with the row of the think time before it.
 * @param random its own random numbers
 */
export function drawSteps({ row, n, base }: DrawnPlan, i: number, random: Random): DrawnForm {
  const { shares, starts, next } = row(0) as DrawnHead;
  const place = stratum(i, n, base, random);
  let inForms = 0;
  for (let k = 0; k < shares.length; k++) {
    inForms += shares[k] as number;
    // Shares that add up to 1 do so to rounding only.
    const last = starts === undefined && k === shares.length - 1;
    if (place < inForms || last) return row(1 + k) as DrawnForm;
  }
  // The sessions of the chain are the last ones.
  const first = Math.floor(inForms * n);
  const m = Math.max(1, n - first);
  const mine = Math.floor(place * n) - first;
  const steps: string[] = [];
  const thinks: number[] = [];
  const chance = (): number => stratum(mine, m, base ^ Math.imul(steps.length + 1, 0x2c1b3c6d), random);
  let step = chosen(starts ?? {}, chance()) ?? firstOf(starts ?? {});
  while (step !== undefined && steps.length < MOST_STEPS) {
    steps.push(step);
    const at = next[step];
    if (at === undefined) break;
    const after = row(at) as DrawnNext;
    step = chosen(after, chance());
    if (step !== undefined) thinks.push((after[step] as DrawnNext[string])[1]);
  }
  return { steps, thinks };
}

function firstOf(chances: Readonly<Record<string, unknown>>): string | undefined {
  for (const step in chances) return step;
  return undefined;
}

function chosen(chances: Readonly<Record<string, number | DrawnNext[string]>>, place: number): string | undefined {
  let rest = place;
  for (const step in chances) {
    const entry = chances[step] as number | DrawnNext[string];
    const chance = typeof entry === 'number' ? entry : entry[0];
    if (rest < chance) return step;
    rest -= chance;
  }
  return undefined;
}

/**
 * Place of session i of n in [0, 1): i is sent to one of n equal parts by a permutation, and lies anywhere within it. The
 * permutation is a Feistel network of four rounds over the next power of four, walked until it falls below n (J. Black and
 * P. Rogaway, "Ciphers with arbitrary finite domains", 2002); nobody has to keep a table of it.
 * @param base `hashSeed` of the seed
 */
export function stratum(i: number, n: number, base: number, random: Random): number {
  const within = random();
  if (!(i >= 0 && i < n)) return within;
  let half = 1;
  while (4 ** half < n) half++;
  const size = 2 ** half;
  let at = i;
  do {
    let left = Math.floor(at / size);
    let right = at % size;
    for (let round = 1; round <= 4; round++) {
      const mixed = mix(base ^ Math.imul(right + 1, 0x9e3779b1) ^ Math.imul(round, 0x7feb352d)) & (size - 1);
      [left, right] = [right, left ^ mixed];
    }
    at = left * size + right;
  } while (at >= n);
  return (at + within) / n;
}

/** MurmurHash3's finaliser (A. Appleby): every input bit reaches every output bit. */
function mix(h: number): number {
  let x = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
