/**
 * How many sessions are open at once (Little's law) and how many VUs k6 needs before the first of them starts: a VU that is
 * made during the run costs a dropped session.
 */

/** Sessions of one flow; all times in seconds. */
export interface SessionModel {
  /** Sessions per second. */
  readonly rate: number;
  /** Mean think time of a session, already scaled. */
  readonly thinkSeconds: number;
  /** Requests a session sends. */
  readonly requests: number;
  /** Mean time that one request takes. */
  readonly latencySeconds: number;
  /** Longest random wait before the first request (arrivals.ts); 0 for the metronome. */
  readonly shiftSeconds: number;
}

/** Expected number of dropped sessions of a whole run that the VUs are sized for. */
const TOLERATED_DROPS = 0.001;

/** Mean time for which a session holds its VU: the wait (half the longest), thinking, and its requests. */
export function vuSeconds(model: SessionModel): number {
  return model.shiftSeconds / 2 + model.thinkSeconds + model.requests * model.latencySeconds;
}

/** Little's law, L = lambda W: the mean number of busy VUs. With `shiftSeconds` 0 it is the mean number of open sessions. */
export function meanOpenSessions(model: SessionModel): number {
  return model.rate * vuSeconds(model);
}

/**
 * Smallest v > mean for which `looks` * P(N >= v) <= `risk` by Chernoff's bound on a Poisson number N,
 * P(N >= v) <= exp(v - mean - v ln(v / mean)): a few above the exact quantile, never below it.
 */
export function poissonCeiling(mean: number, looks: number, risk: number): number {
  let v = Math.floor(mean) + 1;
  while (mean > 0 && Math.log(looks / risk) + v - mean - v * Math.log(v / mean) > 0) v++;
  return v;
}

/**
 * VUs to preallocate. Poisson arrivals that stay for any law of times leave a Poisson number of sessions open (M/G/infinity),
 * and an arrival sees the time average (PASTA): an arrival finds v VUs busy with probability P(N >= v), so a run of `sessions`
 * loses at most sessions * P(N >= v). Give the degraded latency: the test must not run out of VUs when the system slows down.
 * @param seconds length of the run; no run needs more VUs than it has sessions
 */
export function preallocatedVus(model: SessionModel, seconds: number): number {
  const sessions = Math.ceil(model.rate * seconds) + 1;
  return Math.min(sessions, poissonCeiling(meanOpenSessions(model), sessions, TOLERATED_DROPS));
}
