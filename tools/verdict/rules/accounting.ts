import { shortPercent } from '../../../lib/model/figures.ts';
import type { Limits } from '../limits.ts';
import { planned } from '../planned.ts';
import { notJudged, plural, type Reason, type Rule, reasons } from '../rule.ts';

/** planned = finished + dropped + unaccounted: the only way to see sessions that the end of the run cut off. */
export const rule: Rule = {
  id: 'accounting',
  title: 'Planned = finished + dropped + unaccounted',
  judge: (facts, limits) => {
    const pairs = planned(facts).filter(({ plan }) => plan.iterations !== undefined);
    if (pairs.length === 0) {
      const { interrupted } = facts.log ?? {};
      return interrupted === undefined
        ? notJudged('the number of planned iterations is unknown; give --plan rate=…,duration=…')
        : reasons(interruptions(interrupted, facts.iterations.finished, limits));
    }
    const workers = Math.max(1, facts.workers.length);
    const found: Reason[] = [];
    for (const { plan, finished, dropped } of pairs) {
      const wanted = plan.iterations ?? 0;
      const missing = Math.round(wanted) - finished - dropped;
      const slack = limits(rule.id, 'slackPerScenario') * workers;
      if (Math.abs(missing) <= slack || wanted === 0) continue;
      // Of the same whole number that is printed: nothing of 360.6 planned is 361 of 361.
      const share = Math.abs(missing) / Math.max(1, Math.round(wanted));
      if (share <= limits(rule.id, 'suspectShare')) continue;
      const cut = facts.log?.interrupted;
      const name = plan.name === '*' ? 'The run' : `Scenario ${plan.name}`;
      found.push({
        rule: rule.id,
        severity: share > limits(rule.id, 'invalidShare') ? 'invalid' : 'suspect',
        message:
          missing > 0
            ? `${name} planned ${Math.round(wanted)} iterations, finished ${finished} and dropped ${dropped}: ${plural(missing, 'iteration')} (${shortPercent(share)}) left no trace${cut === undefined ? '' : `; k6 reports ${cut} interrupted`}.`
            : `${name} planned ${Math.round(wanted)} iterations but ${finished + dropped} were started: not the planned load.`,
        numbers: { scenario: plan.name, planned: Math.round(wanted), finished, dropped, unaccounted: missing, share },
        limit: `at most ${shortPercent(limits(rule.id, 'suspectShare'))} unaccounted (and ${slack} iterations)`,
        remedy:
          missing > 0
            ? 'raise gracefulStop above the longest session; if the file was cut, run again'
            : 'check that the plan belongs to this run (k6 inspect prints what k6 would do)',
      });
    }
    return reasons(...found);
  },
};

/** Without a planned count: what k6 itself says that the end of the run cut off, against what finished. */
function interruptions(interrupted: number, finished: number, limits: Limits): Reason | undefined {
  const share = interrupted / Math.max(1, interrupted + finished);
  if (share <= limits(rule.id, 'suspectShare')) return undefined;
  return {
    rule: rule.id,
    severity: share > limits(rule.id, 'invalidShare') ? 'invalid' : 'suspect',
    message: `k6 reports ${plural(interrupted, 'interrupted iteration')} beside ${finished} that finished (${shortPercent(share)}): the end of the run cut them off, and the longest ones first.`,
    numbers: { interrupted, finished, share },
    limit: `at most ${shortPercent(limits(rule.id, 'suspectShare'))} interrupted`,
    remedy: 'raise gracefulStop (and gracefulRampDown) above the longest session, or maxDuration of a batch',
  };
}
