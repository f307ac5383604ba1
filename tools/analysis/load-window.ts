/**
 * How long load was sent: the one window by which rates and needed lengths are reckoned. It lasts from the begin of the
 * first session of a phase to that of the last: what comes before (setup) and after (the last sessions' end) grows with no
 * test. Its length is the DURATION that the run was given, to the gap between two sessions.
 */
import type { Database } from './database.ts';
import { PHASE_SQL } from './populations.ts';

/** Sessions that must begin before their begins tell how long load was sent. */
const FEWEST_SESSIONS = 20;

interface Begins {
  readonly n: number;
  readonly seconds: number;
}

/** Seconds of load by phase; setup and teardown, which are no load, are not in it. */
export async function loadSeconds(database: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query<{ phase: string | null; metric: string; n: number; seconds: number }>(`
    SELECT coalesce(${PHASE_SQL}, '') AS phase, metric, count(*) AS n, (max(t - v * 1000) - min(t - v * 1000)) / 1e6 AS seconds
    FROM samples JOIN series USING (h) WHERE metric IN ('iteration_duration', 'http_req_duration')
      AND NOT starts_with(grp, '::setup') AND NOT starts_with(grp, '::teardown') GROUP BY ALL`);
  const of = (metric: string) =>
    new Map(rows.filter((row) => row.metric === metric).map((row) => [row.phase ?? '', row]));
  const [sessions, requests] = [of('iteration_duration'), of('http_req_duration')];
  const phases = [...new Set([...sessions.keys(), ...requests.keys()])].filter(
    (phase) => phase !== 'setup' && phase !== 'teardown',
  );
  return new Map(phases.map((phase) => [phase, secondsOf(sessions.get(phase), requests.get(phase))]));
}

/** When the first session or request outside setup and teardown began and the last one ended, ms since 1970. */
export async function underLoad(database: Database): Promise<{ loadFromMs?: number; loadToMs?: number }> {
  const [row] = await database.query<{ first: number | null; last: number | null }>(`
    SELECT min(t - v * 1000) / 1000 AS first, max(t) / 1000 AS last
    FROM samples JOIN series USING (h) WHERE metric IN ('iteration_duration', 'http_req_duration')
      AND NOT starts_with(grp, '::setup') AND NOT starts_with(grp, '::teardown')
      AND coalesce(${PHASE_SQL}, '') NOT IN ('setup', 'teardown')`);
  return row === undefined || row.first === null || row.last === null
    ? {}
    : { loadFromMs: row.first, loadToMs: row.last };
}

/** Few sessions, or ones that all begin at once and last (a loop within an iteration), say less than their requests do. Pure. */
export function secondsOf(sessions: Begins | undefined, requests: Begins | undefined): number {
  const byRequests = requests?.seconds ?? 0;
  if (sessions === undefined || sessions.n < FEWEST_SESSIONS || sessions.seconds < byRequests / 2) return byRequests;
  return sessions.seconds;
}
