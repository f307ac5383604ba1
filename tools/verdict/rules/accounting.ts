import { shortPercent } from '../../../lib/model/figures.ts';
import { planned } from '../planned.ts';
import { notJudged, plural, type Reason, type Rule, reasons } from '../rule.ts';

/** planned = finished + dropped + unaccounted: the only way to see sessions that the end of the run cut off. */
export const rule: Rule = {
  id: 'accounting',
  title: 'Planned = finished + dropped + unaccounted',
  judge: (facts, limits) => {
    const pairs = planned(facts).filter(({ plan }) => plan.iterations !== undefined);
    if (pairs.length === 0)
      return notJudged('the number of planned iterations is unknown; give --plan rate=…,duration=…');
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
