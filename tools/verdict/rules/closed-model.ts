import { shortPercent } from '../../../lib/model/figures.ts';
import type { WithheldLoad } from '../closed-loops.ts';
import type { Facts } from '../facts.ts';
import { isBatch, type ScenarioLoad } from '../planned-load.ts';
import { ms, notJudged, plural, type Reason, type Rule, reasons, round } from '../rule.ts';

/** Scenarios in which users wait for the system. */
export const rule: Rule = {
  id: 'closed-model',
  title: 'Closed model',
  judge: (facts, limits) => {
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
    const users: Reason = {
      rule: rule.id,
      severity: 'note',
      message: `Closed model: ${named(closed)} send the next request only after the last answer, so the load depends on the system; ${heldBack(facts.withheld)}.`,
      numbers: { scenarios: closed.length },
      limit: 'none where the system never slowed down',
      remedy:
        'to hold the load whatever the system does take constant-arrival-rate or ramping-arrival-rate with enough VUs',
    };
    const backedOff = (facts.withheld ?? []).filter(
      ({ slowSeconds, sent, withheld }) =>
        slowSeconds >= limits(rule.id, 'slowSeconds') &&
        withheld >= limits(rule.id, 'withheldShare') * (sent + withheld),
    );
    if (backedOff.length > 0) {
      return reasons(...backedOff.map((one) => suspect(one, facts, limits(rule.id, 'withheldShare'))), note);
    }
    return reasons(users, note);
  },
};

/** What is known of the load that waiting users did not send. */
function heldBack(withheld: Facts['withheld']): string {
  if (withheld === undefined || withheld.length === 0) return 'too few requests tell whether it ever backed off';
  return 'here it was never held back for long';
}

/** A loop that sent less while the system was slow. */
function suspect(one: WithheldLoad, { omission }: Facts, limit: number): Reason {
  const factor = omission === undefined ? 1 : omission.correctedP99Ms / Math.max(1e-9, omission.observedP99Ms);
  const p99 =
    omission === undefined || factor < 1.1
      ? ''
      : ` The longest answer took ${ms(omission.longestMs)} at a pace of ${ms(omission.paceMs)}: with the requests that were never sent the p99 is ${ms(omission.correctedP99Ms)} instead of ${ms(omission.observedP99Ms)}, ${round(factor, 1)} times as much.`;
  return {
    rule: rule.id,
    severity: 'suspect',
    message: `Closed model: scenario ${one.scenario} waited. During ${round(one.slowSeconds, 1)} of ${round(one.seconds, 1)} s answers took ${round(one.times, 1)} times as long as usual, and some ${plural(Math.round(one.withheld), 'request')} beside the ${one.sent} were not sent meanwhile: its percentiles are flattered.${p99}`,
    numbers: {
      scenario: one.scenario,
      slowSeconds: one.slowSeconds,
      withheld: one.withheld,
      sent: one.sent,
      omissionFactor: factor,
    },
    limit: `less than ${shortPercent(limit)} of the load withheld`,
    remedy: 'use constant-arrival-rate or ramping-arrival-rate with enough VUs',
  };
}
