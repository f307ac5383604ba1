/** Everything that a run ends with: text for people, JSON for tools, JUnit for CI. */

import { hostOf, isLoopback, type TargetStatus } from '../../scenarios/bookstore/preflight.ts';
import { shortPercent } from '../model/figures.ts';
import type { Plan } from '../plan/plan.ts';
import { type Env, read } from '../plan/variable.ts';
import { JUNIT_XML, PREFLIGHT, SUMMARY_JSON } from '../plan/variables.ts';
import type { SummaryData } from './data.ts';
import { loadSeconds, type SetupTime, stoppedEarly } from './due.ts';
import { junitXml } from './junit.ts';
import { populationsOf, requestRows, sessionRows } from './populations.ts';
import { remarksOf } from './remarks.ts';
import { remarks, textSummary } from './text.ts';

export const SUMMARY_SCHEMA_VERSION = 1;

/** Files of handleSummary by path; `stdout` is the text. */
export function summarise(
  data: SummaryData,
  plan: Plan,
  env: Env,
  baseUrl: string,
  text?: (data: SummaryData) => string,
): Record<string, string> {
  const target = targetOf(data);
  const head = headOf(plan, baseUrl, target, read(PREFLIGHT, env) === 'on');
  const files: Record<string, string> = {
    stdout: text ? [text(data), ...head, ...remarks(data, plan), ''].join('\n') : textSummary(data, plan, head),
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
      remarks: remarksOf(data, plan),
    };
    files[json] = JSON.stringify({ ...data, bookstoreLoad });
  }
  const junit = read(JUNIT_XML, env);
  if (junit !== '') files[junit] = junitXml(data, plan.spec.name, stoppedEarly(data, plan));
  return files;
}

function targetOf({ setup_data }: SummaryData): TargetStatus | undefined {
  if (setup_data === undefined || setup_data === null) return undefined;
  const { setupSeconds: _, ...target } = setup_data as TargetStatus & SetupTime;
  return target;
}

function facts(plan: Plan, baseUrl: string) {
  const { spec, profile, cache, seed, think, arrivals, popularity, thresholdsName, scenarios, workerShare = 1 } = plan;
  return {
    scenario: spec.name,
    baseUrl: baseUrl.replace(/\/\/[^/@]*@/, '//'),
    profile,
    cache,
    seed,
    think,
    arrivals,
    popularity,
    thresholds: thresholdsName,
    workerShare,
    scenarios: scenarios.map(({ k6, ...rest }) => ({ ...rest, executor: k6['executor'] })),
  };
}

function headOf(plan: Plan, baseUrl: string, target: TargetStatus | undefined, asked: boolean): string[] {
  const { spec, cache, seed, think, arrivals, popularity, thresholdsName, scenarios, workerShare } = plan;
  const measured = scenarios.filter((one) => one.phase === 'measure');
  const rate = measured.reduce((sum, one) => sum + one.rate, 0);
  const length = Math.max(...measured.map((one) => one.seconds));
  const steps = plan.profile === 'stress' || plan.profile === 'spike';
  const load =
    spec.shape === 'closed'
      ? 'closed loop'
      : `${spec.shape === 'ramp' ? 'ramp to ' : steps ? 'up to ' : ''}${+rate.toFixed(3)} sessions/s`;
  const vus = measured.reduce((sum, one) => sum + one.maxVus, 0);
  const host = hostOf(baseUrl);
  const where = `${host !== undefined && isLoopback(host) ? 'same host, no network' : 'another host'}, ${/^https/i.test(baseUrl) ? 'TLS' : 'no TLS'}`;
  const { things = 'books' } = plan;
  const law = popularity === 'once' ? `every ${things.slice(0, -1)} once` : popularityText(popularity);
  return [
    `${spec.name}: ${load} for ${length} s, ${spec.shape ? '' : `${arrivals} arrivals, `}${things} by ${law}, think time x ${think}, seed ${seed}, at most ${vus} VUs${workerShare === undefined ? '' : `; this worker runs ${shortPercent(workerShare, 2)} of it`}`,
    `target ${baseUrl.replace(/\/\/[^/@]*@/, '//')} (${where}), cache ${cache || 'state not declared'}, objectives ${thresholdsName}`,
    target
      ? `payments ${target.payments}, rate limiter ${target.rateLimit === null ? 'off' : `${target.rateLimit.perSecond}/s`}, output cache ${target.cacheTtlSeconds} s, ${target.books} books`
      : `${asked ? 'the pre-flight did not get through' : 'the target was not asked (PREFLIGHT=off)'}: payments, rate limiter and cache are unknown`,
  ];
}

function popularityText(law: Exclude<Plan['popularity'], 'once'>): string {
  if (law.law === 'power') return `power law g=${law.g}`;
  if (law.law === 'zipf') return `Zipf s=${+law.s.toFixed(4)}`;
  return law.law;
}
