import { shortPercent } from '../../../lib/model/figures.ts';
import { planned } from '../planned.ts';
import { notJudged, type Reason, type Rule, reasons } from '../rule.ts';

/** Shares of the scenarios (flows) against the plan. */
export const rule: Rule = {
  id: 'mix-drift',
  title: 'Mix of the flows',
  needsSamples: true,
  judge: (facts, limits) => {
    const pairs = planned(facts).filter(({ plan }) => plan.name !== '*' && (plan.iterations ?? 0) > 0);
    if (pairs.length < 2)
      return notJudged('the plan names fewer than two scenarios with a planned number of iterations');
    const wanted = pairs.reduce((sum, { plan }) => sum + (plan.iterations ?? 0), 0);
    const finished = pairs.reduce((sum, pair) => sum + pair.finished, 0);
    if (finished === 0) return notJudged('no iteration of the planned scenarios finished');
    const found: Reason[] = [];
    for (const { plan, finished: own } of pairs) {
      const share = (plan.iterations ?? 0) / wanted;
      const reached = own / finished;
      const error = Math.sqrt((share * (1 - share)) / finished);
      if (Math.abs(reached - share) <= Math.max(limits(rule.id, 'points'), limits(rule.id, 'sigmas') * error)) continue;
      found.push({
        rule: rule.id,
        severity: 'suspect',
        message: `Scenario ${plan.name} made ${shortPercent(reached)} of the iterations, planned were ${shortPercent(share)}: another mix than designed.`,
        numbers: { scenario: plan.name, reached, planned: share, iterations: finished },
        limit: `within ${limits(rule.id, 'points') * 100} points of the planned share`,
        remedy: 'one flow lost sessions (drops, time-outs, exceptions) that the others did not; see its own rows',
      });
    }
    return reasons(...found);
  },
};
