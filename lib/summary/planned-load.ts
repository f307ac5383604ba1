/** The load planned up to the time a run ended: one that was stopped owes nothing of what would have come later. */

import { durationSeconds } from '../k6/duration.ts';
import { arrivedBy } from '../k6/ramp.ts';
import { largest } from '../model/extremes.ts';
import type { Plan, PlannedScenario } from '../plan/planned.ts';
import type { SummaryData } from './data.ts';

/** What `setup` hands over beside the target's answer: k6 counts the set-up as part of the run. */
export interface SetupTime {
  readonly setupSeconds?: number;
}

/** k6 may end a run this much before its last stage does, s. */
const TICK = 0.5;

/** Seconds of load: that were sent, and that the plan has, warm-up included. */
export function loadSeconds(
  { state, setup_data }: SummaryData,
  { scenarios }: Pick<Plan, 'scenarios'>,
): { readonly ran: number; readonly planned: number } {
  const { setupSeconds = 0 } = (setup_data ?? {}) as SetupTime;
  const ends = scenarios.map((one) => startOf(one) + one.seconds);
  return { ran: Math.max(0, state.testRunDurationMs / 1000 - setupSeconds), planned: largest(ends, 0) };
}

export function stoppedEarly(data: SummaryData, plan: Pick<Plan, 'scenarios'>): boolean {
  const { ran, planned } = loadSeconds(data, plan);
  return ran < planned - TICK;
}

/** Whether the run ended before any load: a pre-flight that refused, a stop during the set-up. */
export function nothingSent({ metrics }: SummaryData): boolean {
  const counts = Object.keys(metrics).filter((key) => /^http_reqs\{.*phase:/.test(key));
  const count = (key: string) => metrics[key]?.values['count'] ?? 0;
  // Sessions that were all dropped are a result: the run had its time, and no VU for it.
  const dropped = count('dropped_iterations') > 0;
  return !dropped && counts.length > 0 && count('iterations') === 0 && counts.every((key) => count(key) === 0);
}

/** Seconds of the measured phase that were run. */
export function measuredSeconds(data: SummaryData, plan: Pick<Plan, 'scenarios'>): number {
  const { ran } = loadSeconds(data, plan);
  const spans = plan.scenarios
    .filter((one) => one.phase === 'measure')
    .map((one) => Math.min(one.seconds, ran - startOf(one)));
  return largest(spans, 0);
}

/** Sessions of a scenario that were planned up to the end of the run; undefined in a closed loop. */
export function dueSessions(
  data: SummaryData,
  plan: Pick<Plan, 'scenarios'>,
  scenario: PlannedScenario,
): number | undefined {
  const { sessions } = scenario;
  if (sessions === undefined) return undefined;
  if (nothingSent(data)) return 0;
  const elapsed = loadSeconds(data, plan).ran - startOf(scenario);
  if (elapsed >= scenario.seconds - TICK) return sessions;
  return Math.min(sessions, Math.floor(arrivedBy(scenario.k6, elapsed)));
}

const startOf = ({ k6 }: PlannedScenario): number =>
  durationSeconds((k6?.['startTime'] as string | undefined) ?? '0s') ?? 0;
