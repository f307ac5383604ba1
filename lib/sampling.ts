/**
 * The sampling of this suite as one file for scenarios outside it: `traffic --skeleton` puts `dist/lib/sampling.js` beside the
 * scenario that it writes. What a scenario sees of it is declared in `tools/traffic/skeleton/sampling.d.ts`.
 */
import { bareSeconds } from './k6/duration.ts';
import { arrivalSteps, metronomeRate, poissonCounts, stepStages } from './model/arrivals.ts';
import { type DrawnFlow, type DrawnSession, drawSession } from './model/drawn-sessions.ts';
import { hashSeed, sessionRandom } from './model/random.ts';
import { preallocatedVus } from './model/sizing.ts';
import type { Stage } from './model/workload.ts';

export { popularitySampler } from './model/popularity.ts';
export { requestPath } from './model/request-path.ts';
export { hashSeed, sessionRandom };

/** A stretch of the run and its session rate, sessions/s. */
export interface Piece {
  readonly seconds: number;
  readonly rate: number;
}

/** Sessions of a run. */
export interface RunLoad {
  /** The run from its start to its end; some rate is above 0. */
  readonly pieces: readonly Piece[];
  readonly process: 'poisson' | 'metronome';
  /** The same text gives the same arrivals and sessions. */
  readonly seed: string;
  /** Share of each flow. */
  readonly shares: readonly number[];
  readonly flowAt: (index: number) => DrawnFlow;
  /** Factor of all think times. */
  readonly think: number;
  /** Mean time of a request when the system is slow, s: the test must not run out of VUs then. */
  readonly latencySeconds: number;
  /** After this time a request counts as unanswered, s. */
  readonly timeoutSeconds: number;
}

/** Sessions looked at beforehand: of more, some are. */
const LOOK_AT = 10_000;
/** Some sessions that nobody looked at are longer than the longest of those that were. */
const UNSEEN = 2;

/**
 * Seconds of `90`, `90s`, `3m`, `1h30m`, `500ms`.
 * @param name of the variable, for the message
 * @throws Error for anything else and for no time at all
 */
export function durationSeconds(text: string, name = 'DURATION'): number {
  const found = bareSeconds(text) ?? 0;
  if (!(found > 0)) throw new Error(`${name}=${text} is not valid: give a duration as in 90s, 3m or 1h30m`);
  return found;
}

/**
 * The pieces of a run that follows stages, stretched or shortened to last so long and raised or lowered to have such a mean.
 * @param length s; the stages' own when undefined
 * @param mean sessions/s; the stages' own when undefined
 */
export function stagePieces(stages: readonly Stage[], length?: number, mean?: number): Piece[] {
  const own = stages.map(({ duration, target }) => ({ seconds: durationSeconds(duration, 'stages'), rate: target }));
  const total = own.reduce((sum, piece) => sum + piece.seconds, 0);
  const sessions = sessionsOf(own);
  const [stretch, lift] = [(length ?? total) / total, mean === undefined ? 1 : (mean * total) / sessions];
  return own.map((piece) => ({ seconds: piece.seconds * stretch, rate: piece.rate * lift }));
}

/** Longest random wait of a session before its first request, s: see arrivals.ts. */
export function shiftSeconds({ pieces, process }: Pick<RunLoad, 'pieces' | 'process'>): number {
  return process === 'poisson' ? arrivalSteps(peakOf(pieces), lengthOf(pieces)).shiftSeconds : 0;
}

/** Session i of a run; the numbers that follow from `random` are the session's own too. */
export function sessionOf(
  load: Pick<RunLoad, 'pieces' | 'seed' | 'shares' | 'flowAt'>,
  i: number,
): DrawnSession & { random: () => number } {
  const base = hashSeed(load.seed);
  const random = sessionRandom(base, i);
  const plan = { shares: load.shares, flowAt: load.flowAt, n: Math.round(sessionsOf(load.pieces)), base };
  return { ...drawSession(plan, i, random), random };
}

/**
 * k6's arrival-rate options for all sessions, with the VUs that Little's law asks for and a `gracefulStop` in which the longest
 * session ends even when each of its requests takes as long as it may. Ask only where k6 reads options: it draws the sessions.
 */
export function runOptions(load: RunLoad): Record<string, unknown> {
  const { pieces, seed, think, latencySeconds, timeoutSeconds } = load;
  const rate = peakOf(pieces);
  const length = lengthOf(pieces);
  const total = Math.max(1, Math.round(sessionsOf(pieces)));
  const shift = shiftSeconds(load);
  const looked = Math.min(total, LOOK_AT);
  let [thinkSum, requestSum, longest] = [0, 0, 0];
  for (let k = 0; k < looked; k++) {
    const { waits } = sessionOf(load, Math.floor((k * total) / looked));
    const thought = think * waits.reduce((sum, wait) => sum + wait, 0);
    thinkSum += thought;
    requestSum += waits.length;
    longest = Math.max(longest, thought + waits.length * timeoutSeconds);
  }
  const session = {
    rate,
    requests: requestSum / looked,
    thinkSeconds: thinkSum / looked,
    latencySeconds,
    shiftSeconds: shift,
  };
  const vus = preallocatedVus(session, Math.max(length, total / rate));
  const executor =
    load.process === 'poisson' || pieces.length > 1
      ? { executor: 'ramping-arrival-rate', ...piecesStages(pieces, hashSeed(`${seed}/arrivals`)) }
      : { executor: 'constant-arrival-rate', duration: `${length}s`, ...metronomeRate(rate) };
  return {
    ...executor,
    preAllocatedVUs: vus,
    maxVUs: 2 * vus,
    gracefulStop: `${Math.ceil(shift + longest * (looked < total ? UNSEEN : 1)) + 1}s`,
  };
}

/** A Poisson process given its total, whose rate is that of the pieces. */
function piecesStages(pieces: readonly Piece[], base: number) {
  const length = lengthOf(pieces);
  const { steps, stepSeconds } = arrivalSteps(peakOf(pieces), length);
  // Sessions due before each step.
  const due = [0];
  let [piece, into] = [0, 0];
  for (let step = 0, sum = 0; step < steps; step++) {
    for (let rest = length / steps; rest > 0 && piece < pieces.length; ) {
      const { seconds, rate } = pieces[piece] as Piece;
      const part = Math.min(rest, seconds - into);
      sum += rate * part;
      rest -= part;
      into += part;
      if (into >= seconds) [piece, into] = [piece + 1, 0];
    }
    due.push(sum);
  }
  const total = Math.round(sessionsOf(pieces));
  const before = pieces.length === 1 ? undefined : (step: number): number => due[step] as number;
  return stepStages(poissonCounts(total, steps, sessionRandom(base, 0), before), stepSeconds);
}

function sessionsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.rate * piece.seconds, 0);
}
function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.seconds, 0);
}
function peakOf(pieces: readonly Piece[]): number {
  return Math.max(...pieces.map((piece) => piece.rate));
}
