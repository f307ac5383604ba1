/**
 * Whether a closed loop sent less because the system was slow (coordinated omission): times in which most answers took far
 * longer than usual, and the requests that were not sent meanwhile. Answers that are slow one by one, beside others that are
 * not, hold nobody back but their own user, and are left to the percentiles.
 */
import { largest } from '../../lib/model/extremes.ts';
import { type Database, text } from './database.ts';
import { MEASURED_SQL } from './populations.ts';

/** What is known of a closed scenario. */
export interface ClosedScenario {
  readonly name: string;
  /** Iterations. */
  readonly finished: number;
  readonly requests: number;
  readonly iteration?: { readonly p50Ms: number };
}

export interface WithheldLoad {
  readonly scenario: string;
  /** Time of the load, s. */
  readonly seconds: number;
  /** In which answers were slow, s. */
  readonly slowSeconds: number;
  /** How many times as long as usual the slow ones took: median of those times. */
  readonly times: number;
  /** Requests begun, and those that the same users would have begun beside them with the usual answers. */
  readonly sent: number;
  readonly withheld: number;
}

/** A stretch of time: requests begun in it, the median of their durations relative to their endpoint's, and the last end. */
export interface Stretch {
  readonly n: number;
  readonly relative: number;
  /** End of the latest of them, in stretches after the first. */
  readonly until: number;
}

/** Most stretches that a run is cut into, and their shortest length, s. */
const MOST = 1000;
const SHORTEST = 0.1;
/** Requests of a stretch whose median tells a slow system from a few slow answers: of 30, half are twice the median in 1 of 500. */
const ENOUGH = 30;
/** Fewer stretches tell no slow time from a usual one. */
const FEWEST = 10;

export interface UsualPace {
  /** Median duration, ms. */
  readonly requestMs: number;
  readonly requestsPerIteration: number;
  /** Time of an iteration outside requests, ms. */
  readonly otherMs: number;
}

/**
 * @param stretches of equal length, in order; undefined where no request began
 * @param slow from how many times the usual duration on a stretch is slow
 */
export function withheldOf(
  stretches: readonly (Stretch | undefined)[],
  secondsEach: number,
  pace: UsualPace,
  slow: { readonly ratio: number; readonly ms: number },
): Omit<WithheldLoad, 'scenario'> {
  const inRequests = pace.requestMs * pace.requestsPerIteration;
  const isSlow = (relative: number) => relative >= slow.ratio && (relative - 1) * pace.requestMs >= slow.ms;
  const slowOnes: number[] = [];
  let [sent, withheld] = [0, 0];
  // Numbers of the latest two stretches that were not slow: a stall may begin in the last of them.
  let usual = [0, 0];
  let before: Stretch | undefined;
  stretches.forEach((one, i) => {
    if (one !== undefined) {
      before = one;
      sent += one.n;
      if (!isSlow(one.relative)) {
        usual = [one.n, usual[0] as number];
        return;
      }
      slowOnes.push(one.relative);
      // The same users take so much longer for an iteration.
      withheld += (one.n * (one.relative - 1) * inRequests) / (inRequests + pace.otherMs);
      return;
    }
    // Nothing began while what had begun before was still under way.
    const waiting = (((before?.until ?? 0) - i) * secondsEach * 1000) / pace.requestMs;
    if (!isSlow(waiting)) return;
    slowOnes.push(waiting);
    withheld += largest(usual);
  });
  slowOnes.sort((a, b) => a - b);
  return {
    seconds: stretches.length * secondsEach,
    slowSeconds: slowOnes.length * secondsEach,
    times: slowOnes[slowOnes.length >> 1] ?? 1,
    sent,
    withheld,
  };
}

/** Of each closed scenario of the measured phase with enough requests; by the time at which requests began. */
export async function withheldLoads(
  database: Database,
  scenarios: readonly ClosedScenario[],
  slow: { readonly ratio: number; readonly ms: number },
): Promise<WithheldLoad[]> {
  const found: WithheldLoad[] = [];
  for (const { name, iteration, finished, requests } of scenarios) {
    if (iteration === undefined || finished === 0 || requests === 0) continue;
    const ours = `metric = 'http_req_duration' AND ${MEASURED_SQL} AND coalesce(nullif(scenario, ''), 'default') = ${text(name)}`;
    const [span] = await database.query<{ from: number | null; to: number | null; n: number; usual: number | null }>(
      `SELECT min(t - v * 1000) AS from, max(t - v * 1000) AS to, count(*) AS n, median(v) AS usual FROM samples JOIN series USING (h) WHERE ${ours}`,
    );
    const { from, to, n, usual } = span ?? { from: null, to: null, n: 0, usual: null };
    if (from === null || to === null || usual === null || usual <= 0) continue;
    const seconds = (to - from) / 1e6;
    const count = Math.floor(Math.min(MOST, seconds / SHORTEST, n / ENOUGH));
    if (count < FEWEST) continue;
    const width = (to - from) / count;
    const rows = await database.query<{ bin: number; n: number; relative: number; until: number }>(`
      WITH ours AS (SELECT name, t, v, t - v * 1000 AS b FROM samples JOIN series USING (h) WHERE ${ours}),
        typical AS (SELECT name, median(v) AS m FROM ours GROUP BY name)
      SELECT CAST(least(${count - 1}, floor((b - ${from}) / ${width})) AS INTEGER) AS bin, count(*) AS n, median(v / m) AS relative,
        max((t - ${from}) / ${width}) AS until
      FROM ours JOIN typical USING (name) WHERE m > 0 GROUP BY bin`);
    const at = new Map(rows.map((row) => [row.bin, row]));
    const stretches = Array.from({ length: count }, (_, bin) => at.get(bin));
    const requestsPerIteration = requests / finished;
    const otherMs = Math.max(0, iteration.p50Ms - requestsPerIteration * usual);
    const pace = { requestMs: usual, requestsPerIteration, otherMs };
    found.push({ scenario: name, ...withheldOf(stretches, width / 1e6, pace, slow) });
  }
  return found;
}

/**
 * Index of dispersion of the begins of iterations, in windows of a twentieth of the median iteration: 1 for independent users, the
 * number of users for those who all begin at once.
 */
export async function dispersions(
  database: Database,
  scenarios: readonly ClosedScenario[],
): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { name, iteration } of scenarios) {
    if (iteration === undefined || iteration.p50Ms <= 0) continue;
    const width = iteration.p50Ms * 50;
    const [row] = await database.query<{ n: number; squares: number; windows: number }>(`
      WITH counts AS (SELECT floor((t - v * 1000) / ${width}) AS w, count(*) AS n FROM samples JOIN series USING (h)
        WHERE metric = 'iteration_duration' AND ${MEASURED_SQL} AND coalesce(nullif(scenario, ''), 'default') = ${text(name)} GROUP BY w)
      SELECT sum(n)::BIGINT AS n, sum(n * n)::DOUBLE AS squares, (max(w) - min(w) + 1)::DOUBLE AS windows FROM counts`);
    if (row === undefined || !row.n) continue;
    const mean = row.n / row.windows;
    found[name] = row.squares / row.windows / mean - mean;
  }
  return found;
}
