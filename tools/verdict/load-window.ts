/**
 * How long load was sent: the one window by which rates and needed lengths are reckoned. It lasts from the begin of the
 * first session of a phase to that of the last: what comes before (setup) and after (the last sessions' end) grows with no
 * test. Its length is the DURATION that the run was given, to the gap between two sessions.
 */
import { largest, smallest } from '../../lib/model/extremes.ts';
import type { Database } from './database.ts';
import { PHASE_SQL } from './populations.ts';
import { LOAD_SQL } from './samples/tag-columns.ts';

/** Sessions that must begin before their begins tell how long load was sent. */
const FEWEST_SESSIONS = 20;

interface Begins {
  readonly n: number;
  readonly seconds: number;
}

export interface Load {
  /** Seconds of load by phase; setup and teardown, which are no load, are not in it. */
  readonly seconds: ReadonlyMap<string, number>;
  /** First session or request begun and last one ended, of all those phases, ms since 1970; undefined of a run without any. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

export async function loadWindow(database: Database): Promise<Load> {
  const rows = await database.query<{
    phase: string | null;
    metric: string;
    n: number;
    seconds: number;
    fromMs: number;
    toMs: number;
  }>(`
    SELECT coalesce(${PHASE_SQL}, '') AS phase, metric, count(*) AS n, (max(t - v * 1000) - min(t - v * 1000)) / 1e6 AS seconds,
      min(t - v * 1000) / 1000 AS fromMs, max(t) / 1000 AS toMs
    FROM samples JOIN series USING (h) WHERE metric IN ('iteration_duration', 'http_req_duration')
      AND ${LOAD_SQL} GROUP BY ALL`);
  const of = (metric: string) =>
    new Map(rows.filter((row) => row.metric === metric).map((row) => [row.phase ?? '', row]));
  const [sessions, requests] = [of('iteration_duration'), of('http_req_duration')];
  const phases = [...new Set([...sessions.keys(), ...requests.keys()])];
  return {
    seconds: new Map(phases.map((phase) => [phase, secondsOf(sessions.get(phase), requests.get(phase))])),
    ...(rows.length > 0 && {
      fromMs: smallest(rows.map((row) => row.fromMs)),
      toMs: largest(rows.map((row) => row.toMs)),
    }),
  };
}

/** Few sessions, or ones that all begin at once and last (a loop within an iteration), say less than their requests do. Pure. */
export function secondsOf(sessions: Begins | undefined, requests: Begins | undefined): number {
  const byRequests = requests?.seconds ?? 0;
  if (sessions === undefined || sessions.n < FEWEST_SESSIONS || sessions.seconds < byRequests / 2) return byRequests;
  return sessions.seconds;
}
