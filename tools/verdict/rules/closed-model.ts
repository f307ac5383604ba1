import { isBatch, type ScenarioLoad } from '../planned-load.ts';
import { ms, notJudged, type Reason, type Rule, reasons, round } from '../rule.ts';

/** Scenarios in which users wait for the system. */
export const rule: Rule = {
  id: 'closed-model',
  title: 'Closed model',
  judge: (facts) => {
    if (facts.plan === undefined)
      return notJudged('the executors are unknown; give --plan rate=… or vus=…, or run through bookstore-load run');
    const named = (scenarios: readonly ScenarioLoad[]) =>
      scenarios.map(({ name, executor }) => (name === '*' ? executor : `${name} (${executor})`)).join(', ');
    const jobs = facts.plan.scenarios.filter(isBatch);
    const closed = facts.plan.scenarios.filter((scenario) => !scenario.open && !isBatch(scenario));
    const batch: Reason = {
      rule: rule.id,
      severity: 'note',
      message: `A batch job: ${named(jobs)} works off a number of iterations as fast as the answers come; its latencies are those of that job, not of users who arrive by themselves.`,
      numbers: { scenarios: jobs.length },
      limit: 'none: a batch job is no model of users',
      remedy: 'nothing to do for a job; to model users take constant-arrival-rate or ramping-arrival-rate',
    };
    const note = jobs.length === 0 ? undefined : batch;
    if (closed.length === 0) return reasons(note);
    const hidden = facts.omission;
    const factor =
      hidden === undefined || hidden.observedP99Ms === 0 ? 1 : hidden.correctedP99Ms / hidden.observedP99Ms;
    const shown =
      hidden === undefined || factor < 1.1
        ? ''
        : ` The longest answer took ${ms(hidden.longestMs)} at a pace of ${ms(hidden.paceMs)}: with the requests that were never sent the p99 is ${ms(hidden.correctedP99Ms)} instead of ${ms(hidden.observedP99Ms)}, ${round(factor, 1)} times as much.`;
    const users: Reason = {
      rule: rule.id,
      severity: 'suspect',
      message: `Closed model: ${named(closed)} send the next request only after the last answer, so the load backs off when the system is slow and its percentiles are flattered.${shown}`,
      numbers: { scenarios: closed.length, omissionFactor: factor },
      limit: 'an arrival rate that does not depend on the answers',
      remedy: 'use constant-arrival-rate or ramping-arrival-rate with enough VUs',
    };
    return reasons(users, note);
  },
};
