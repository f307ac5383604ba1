/** Everything that a run ends with: text for people, JSON for tools, JUnit for CI. */
import { largest } from '../model/extremes.ts';
import { shortPercent } from '../model/figures.ts';
import type { PickLaw } from '../model/session-settings.ts';
import { type Plan, popularPool } from '../plan/planned.ts';
import type { TargetFacts } from '../plan/preflight.ts';
import { hostOf, isLoopback, withoutUser } from '../plan/target.ts';
import { type Env, read } from '../plan/variable.ts';
import { JUNIT_XML, PREFLIGHT, SUMMARY_JSON } from '../plan/variables.ts';
import { type Counters, counterRows } from './counters.ts';
import type { SummaryData } from './data.ts';
import { junitXml } from './junit.ts';
import { loadSeconds, stoppedEarly } from './planned-load.ts';
import { populationsOf, requestRows, sessionRows } from './populations.ts';
import { remarksOf } from './remarks.ts';
import { remarks, textSummary } from './text.ts';

export const SUMMARY_SCHEMA_VERSION = 1;

/** What a summary goes back to. */
export interface SummarisedRun {
  readonly plan: Plan;
  readonly env: Env;
  readonly baseUrl: string;
  /** Counters of the suite's own. */
  readonly counters: Counters;
}

/** Files of handleSummary by path; `stdout` is the text. */
export function summarise(
  data: SummaryData,
  { plan, env, baseUrl, counters }: SummarisedRun,
  text?: (data: SummaryData) => string,
): Record<string, string> {
  const target = targetOf(data);
  const head = headOf(plan, baseUrl, target, read(PREFLIGHT, env) === 'on');
  const files: Record<string, string> = {
    stdout: text
      ? [text(data), ...head, ...remarks(data, plan, counters), ''].join('\n')
      : textSummary(data, plan, head, counters),
  };
  const json = read(SUMMARY_JSON, env);
  if (json !== '') {
    const bookstoreLoad = {
      schemaVersion: SUMMARY_SCHEMA_VERSION,
      ...facts(plan, baseUrl),
      target: target ?? null,
      populations: populationsOf(data, plan),
      load: loadSeconds(data, plan),
      requests: requestRows(data, plan),
      sessions: sessionRows(data, plan),
      counters: counterRows(data, counters),
      remarks: remarksOf(data, plan, counters),
    };
    files[json] = JSON.stringify({ ...data, bookstoreLoad });
  }
  const junit = read(JUNIT_XML, env);
  if (junit !== '') files[junit] = junitXml(data, plan.test.name, stoppedEarly(data, plan));
  return files;
}

function targetOf({ setup_data }: SummaryData): TargetFacts | undefined {
  return (setup_data as { readonly target?: TargetFacts } | null | undefined)?.target;
}

function facts(plan: Plan, baseUrl: string) {
  const { test, profile, cache, seed, think, arrivals, thresholdsName, scenarios, workerShare = 1 } = plan;
  return {
    scenario: test.name,
    baseUrl: withoutUser(baseUrl),
    profile,
    cache,
    seed,
    think,
    arrivals,
    popularity: popularPool(plan)?.law ?? null,
    pools: plan.pools.map(({ name, rows, law }) => ({ name, rows, law })),
    thresholds: thresholdsName,
    workerShare,
    scenarios: scenarios.map(({ k6, ...rest }) => ({ ...rest, executor: k6['executor'] })),
  };
}

function headOf(plan: Plan, baseUrl: string, target: TargetFacts | undefined, asked: boolean): string[] {
  const { test, cache, seed, think, arrivals, thresholdsName, scenarios, workerShare } = plan;
  const measured = scenarios.filter((one) => one.phase === 'measure');
  const rate = measured.reduce((sum, one) => sum + one.rate, 0);
  const length = largest(measured.map((one) => one.seconds));
  const steps = plan.profile === 'stress' || plan.profile === 'spike';
  const load =
    test.shape === 'closed'
      ? 'closed loop'
      : `${test.shape === 'ramp' ? 'ramp to ' : steps ? 'up to ' : ''}${+rate.toFixed(3)} sessions/s`;
  const vus = measured.reduce((sum, one) => sum + one.maxVus, 0);
  const host = hostOf(baseUrl);
  const where = `${host !== undefined && isLoopback(host) ? 'same host, no network' : 'another host'}, ${/^https/i.test(baseUrl) ? 'TLS' : 'no TLS'}`;
  const pool = popularPool(plan);
  const picks = pool === undefined ? '' : `${pool.name} by ${lawText(pool.law)}, `;
  return [
    `${test.name}: ${load} for ${length} s, ${test.shape ? '' : `${arrivals} arrivals, `}${picks}think time x ${think}, seed ${seed}, at most ${vus} VUs${workerShare === undefined ? '' : `; this worker runs ${shortPercent(workerShare, 2)} of it`}`,
    `target ${withoutUser(baseUrl)} (${where}), cache ${cache || 'state not declared'}, objectives ${thresholdsName}`,
    target?.line ??
      `${asked ? 'the pre-flight did not get through' : 'the target was not asked (PREFLIGHT=off)'}: nothing is known of it`,
  ];
}

function lawText(law: PickLaw): string {
  if (law === 'once') return 'each one once';
  if (law === 'sequential') return 'one after the other';
  if (law.law === 'power') return `power law g=${law.g}`;
  if (law.law === 'zipf') return `Zipf s=${+law.s.toFixed(4)}`;
  return law.law;
}
