/**
 * Draws whole sessions of flows that are data (`FlowSessions`): which flow, which steps, how long it thinks before each.
 *
 * The sessions of a run are strata: session i of n stands at a place of its own among n equal parts of [0, 1), in an order
 * that looks random, and flows and forms are stretches of [0, 1). So a run has each flow and each form as often as is due,
 * to a whole session, whatever its length. The sessions of a chain share a Latin hypercube: at each step their random numbers
 * are one from each of m equal parts, in an order of that step (M. D. McKay et al., Technometrics 21, 1979), which keeps
 * their mean length closer to what is due.
 */

import type { Random } from './random.ts';
import { drawThinkTime } from './think-times.ts';
import { ANY_STEP, type FlowSessions, type StepChain, type ThinkTimeLaw } from './workload.ts';

/** A flow with what is needed to draw its sessions. */
export interface DrawnFlow {
  readonly name: string;
  readonly thinkTimes: Readonly<Record<string, ThinkTimeLaw>>;
  readonly sessions: FlowSessions;
}

export interface DrawnSession {
  readonly flow: string;
  readonly steps: readonly string[];
  /** Think time before each step, s; 0 before the first. */
  readonly waits: readonly number[];
}

/** A chain that has not ended by then is one that never does. */
const MOST_STEPS = 10_000;

/** The sessions of a run, for drawing one of them. */
export interface SessionPlan {
  /** Share of each flow, and the flow of a share. */
  readonly shares: readonly number[];
  readonly flowAt: (index: number) => DrawnFlow;
  /** Sessions of the run. */
  readonly n: number;
  /** `hashSeed` of the seed. */
  readonly base: number;
}

/**
 * Session i of a plan.
 * @param random its own random numbers
 */
export function drawSession({ shares, flowAt, n, base }: SessionPlan, i: number, random: Random): DrawnSession {
  const total = shares.reduce((sum, share) => sum + share, 0);
  const place = stratum(i, n, base, random) * total;
  let before = 0;
  let index = 0;
  while (index < shares.length - 1 && place >= before + (shares[index] as number)) before += shares[index++] as number;
  const share = shares[index] as number;
  const { name, sessions, thinkTimes } = flowAt(index);
  const inForms = sessions.forms.reduce((sum, form) => sum + form.share, 0);
  // The first of the sessions in a chain, and how many there are.
  const first = Math.floor(((before + share * inForms) / total) * n);
  const m = Math.max(1, Math.ceil(((before + share) / total) * n) - first);
  const mine = Math.floor((place / total) * n) - first;
  const chance = (step: number): number => stratum(mine, m, base ^ Math.imul(step, 0x2c1b3c6d), random);
  const steps = drawSteps(sessions, Math.min(1, (place - before) / share), chance);
  const waits = steps.map((step, k) => {
    const law = k === 0 ? undefined : thinkTimeOf(thinkTimes, steps[k - 1] as string, step);
    return law === undefined ? 0 : drawThinkTime(law, random);
  });
  return { flow: name, steps, waits };
}

/** The law between two steps, or that of steps without one of their own. */
function thinkTimeOf(laws: Readonly<Record<string, ThinkTimeLaw>>, from: string, to: string): ThinkTimeLaw | undefined {
  return laws[`${from}->${to}`] ?? laws[ANY_STEP];
}

/**
 * @param place within the flow, 0 to 1: chooses the form
 * @param chance a number in [0, 1) for each step of a chain, counted from 1
 */
function drawSteps({ forms, chain }: FlowSessions, place: number, chance: (step: number) => number): readonly string[] {
  let rest = place;
  for (const { share, steps } of forms) {
    if (rest < share) return steps;
    rest -= share;
  }
  // Shares that add up to 1 do so to rounding only.
  return chain === undefined ? (forms[forms.length - 1]?.steps ?? []) : walk(chain, chance);
}

function walk({ starts, next }: StepChain, chance: (step: number) => number): string[] {
  const steps: string[] = [];
  let step = chosen(starts, chance(1)) ?? Object.keys(starts)[0];
  while (step !== undefined && steps.length < MOST_STEPS) {
    steps.push(step);
    const after: Readonly<Record<string, number>> | undefined = next[step];
    step = after === undefined ? undefined : chosen(after, chance(steps.length + 1));
  }
  return steps;
}

function chosen(chances: Readonly<Record<string, number>>, place: number): string | undefined {
  let rest = place;
  for (const [step, chance] of Object.entries(chances)) {
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
