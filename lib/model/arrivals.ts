/**
 * Arrival processes for k6's arrival-rate executors, whose ticks are a metronome: evenly spaced, and in step over scenarios.
 *
 * A Poisson process with a given total is the total thrown uniformly over the run. It is built in two parts: the run is cut
 * into short steps, the step counts are multinomial (`poissonCounts`), k6 spreads a step's sessions evenly over it, and every
 * session then waits a random time of up to SHIFT_STEPS steps.
 *
 * How Poisson is it? Let p(x) be the probability that a tick at x lands in a window of length w. The counts give the right
 * variance between steps; only the even spacing within a step removes some, namely rate * sum over steps of step * Var(p).
 * With a shift of S = 2 steps p is a trapezoid of slope 1/S, so the index of dispersion falls short of 1 by at most
 * step^2 / (6 S max(S, w)), 1/24 for any window. A fixed total lowers it further by the window's share of the run.
 */
import { binomial } from './binomial.ts';
import type { Random } from './random.ts';

/** A session waits up to this many steps; see the derivation above. */
const SHIFT_STEPS = 2;
/** Longest step, s: at 20 sessions/s its shift costs ten more open sessions. */
const MAX_STEP_SECONDS = 0.5;
/** Sessions a step holds at high rates, where a shorter step does the same for fewer sleeping VUs. */
const SESSIONS_PER_STEP = 50;
const MIN_STEP_SECONDS = 0.1;
/** Most steps of a run: each is two stages of k6's options, which a day in half seconds would make 60 MB. */
const MAX_STEPS = 20_000;
/**
 * k6 starts a session whenever the integral of the rate reaches a whole number. The last one falls on the very end, where
 * rounding and k6's own deadline would decide about it; so the steps end this much early, and a burst of half a session lifts
 * the integral safely above the planned total.
 */
const CLOSING_SECONDS = 0.2;
const LIFT_SECONDS = 0.001;

/** How a run is cut into steps. */
export interface ArrivalSteps {
  readonly steps: number;
  readonly stepSeconds: number;
  /** Each session waits a random time in [0, shiftSeconds) before its first request. */
  readonly shiftSeconds: number;
}

/** The part of k6's `ramping-arrival-rate` options that makes the pattern. */
export interface PoissonStages {
  readonly startRate: number;
  readonly timeUnit: string;
  readonly stages: { target: number; duration: string }[];
}

/**
 * Cuts `seconds` of arrivals at `rate` sessions/s into equal steps of at most half a second (longer in runs of more than
 * MAX_STEPS steps); a short rest closes the run.
 * @param rate sessions/s, > 0
 * @param seconds length of the run, > 0
 * @param unit a whole number of steps must fit in this much time, s, of which `seconds` is a multiple
 */
export function arrivalSteps(rate: number, seconds: number, unit = seconds): ArrivalSteps {
  const fine = Math.max(MIN_STEP_SECONDS, Math.min(MAX_STEP_SECONDS, SESSIONS_PER_STEP / rate));
  const wanted = Math.max(fine, seconds / MAX_STEPS);
  const steps = Math.ceil(unit / wanted - 1e-9) * Math.round(seconds / unit);
  const stepSeconds = (seconds - Math.min(CLOSING_SECONDS, seconds / 10)) / steps;
  return { steps, stepSeconds, shiftSeconds: SHIFT_STEPS * stepSeconds };
}

/**
 * Multinomial counts: `total` sessions thrown independently and uniformly into `steps` equal steps. The counts of a Poisson
 * process given its total have exactly this law. Drawn by halving: of n sessions in a range of steps, a binomial number
 * falls into its left half; so the work grows with the steps and not with the sessions.
 * @param total integer >= 0
 * @param steps integer >= 1
 */
export function poissonCounts(total: number, steps: number, random: Random): number[] {
  const counts = new Array<number>(steps).fill(0);
  const share = (n: number, from: number, to: number): void => {
    if (n === 0) return;
    if (to - from === 1) {
      counts[from] = n;
      return;
    }
    const middle = (from + to) >> 1;
    const left = binomial(n, (middle - from) / (to - from), random);
    share(left, from, middle);
    share(n - left, middle, to);
  };
  share(total, 0, steps);
  return counts;
}

/**
 * Stages for `ramping-arrival-rate` that start `counts[i]` sessions in step i of `stepSeconds`, each count an integer >= 0, and then
 * rest shortly: each step holds its own rate, and a stage of zero length jumps to the next. Use only where k6 reads options
 * (`__VU === 0`). With execution segments every worker gets its stripe of the same ticks, so the workers together keep the pattern.
 */
export function stepStages(counts: readonly number[], stepSeconds: number): PoissonStages {
  const stages: { target: number; duration: string }[] = [];
  let at = 0;
  // Ends are rounded, not lengths, so that the sum stays exact.
  const hold = (target: number, until: number): void => {
    if (at > 0) stages.push({ target, duration: '0s' });
    stages.push({ target, duration: milliseconds(until, at) });
    at = until;
  };
  counts.forEach((count, i) => {
    // Equal neighbours share a stage.
    if (count !== counts[i + 1]) hold(count, (i + 1) * stepSeconds);
  });
  const end = at;
  const rest = Math.min(CLOSING_SECONDS, end / 9);
  const lift = Math.min(LIFT_SECONDS, rest / 2);
  hold(Math.round(stepSeconds / lift / 2), end + lift);
  hold(0, end + rest);
  return { startRate: counts[0] ?? 0, timeUnit: milliseconds(stepSeconds, 0), stages };
}

/**
 * Integer `rate` and fitting `timeUnit` for `constant-arrival-rate`, which takes no fractional rates: 2.5/s is 3 per 1,200 ms.
 * @param rate sessions/s, > 0
 */
export function metronomeRate(rate: number): { rate: number; timeUnit: string } {
  const whole = Math.max(1, Math.round(rate));
  return { rate: whole, timeUnit: milliseconds(whole / rate, 0) };
}

/** Time between two instants in seconds as a k6 duration, exact to the nanosecond that k6 counts in. */
function milliseconds(to: number, from: number): string {
  return `${+((Math.round(to * 1e9) - Math.round(from * 1e9)) / 1e6).toFixed(6)}ms`;
}
