import { shortPercent } from '../../../lib/model/figures.ts';
import { planned } from '../planned.ts';
import { notJudged, type Reason, type Rule, reasons, round } from '../rule.ts';

/** Finished iterations per second against the plan, scenario by scenario. */
export const rule: Rule = {
  id: 'rate-achieved',
  title: 'Arrival rate reached',
  judge: (facts, limits) => {
    if (facts.plan === undefined) return notJudged('the planned rate is unknown; give --plan rate=…,duration=…');
    const pairs = planned(facts).filter(
      ({ plan }) => plan.open && plan.iterations !== undefined && (plan.seconds ?? 0) > 0,
    );
    if (pairs.length === 0) return notJudged('no scenario of the plan has an arrival rate');
    const found: Reason[] = [];
    for (const { plan, finished } of pairs) {
      const wanted = plan.iterations ?? 0;
      const seconds = plan.seconds ?? 1;
      // One iteration more or less is the grid of the ticks, not a missed rate.
      if (wanted <= 0 || finished >= wanted - 1) continue;
      const share = finished / wanted;
      if (share >= limits(rule.id, 'suspectBelow')) continue;
      const reached = round(finished / seconds);
      const asked = round(wanted / seconds);
      found.push({
        rule: rule.id,
        severity: share < limits(rule.id, 'invalidBelow') ? 'invalid' : 'suspect',
        message: `${plan.name === '*' ? 'The run' : `Scenario ${plan.name}`} reached ${reached} iterations/s of ${asked}/s planned (${shortPercent(share)}).`,
        numbers: {
          scenario: plan.name,
          reachedPerSecond: finished / seconds,
          plannedPerSecond: wanted / seconds,
          share,
        },
        limit: `at least ${shortPercent(limits(rule.id, 'suspectBelow'))} of the planned rate, invalid below ${shortPercent(limits(rule.id, 'invalidBelow'))}`,
        remedy: 'see the reasons beside this one (drops, VU ceiling, early end); more VUs or a lower rate',
      });
    }
    return reasons(...found);
  },
};
