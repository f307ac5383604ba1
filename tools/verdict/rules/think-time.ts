import { shortPercent } from '../../../lib/model/figures.ts';
import { isBatch } from '../planned-load.ts';
import { ms, notJudged, type Reason, type Rule, reasons } from '../rule.ts';

/** Think time that is missing, or the same for everybody. */
export const rule: Rule = {
  id: 'think-time',
  title: 'Think time missing or fixed',
  needsSamples: true,
  judge: (facts, limits) => {
    const judged = facts.scenarios.filter(
      (scenario) =>
        scenario.iteration !== undefined &&
        scenario.finished >= limits(rule.id, 'minimumIterations') &&
        scenario.requests > 0,
    );
    if (judged.length === 0) return notJudged('too few finished iterations with a duration');
    const found: Reason[] = [];
    for (const { name, iteration, finished, requests, requestMs } of judged) {
      if (iteration === undefined) continue;
      const plan =
        facts.plan?.scenarios.find((one) => one.name === name) ?? facts.plan?.scenarios.find((one) => one.name === '*');
      if (plan !== undefined && isBatch(plan)) continue;
      const closed = plan?.open === false;
      const think = iteration.meanMs - requestMs;
      const spread = iteration.p90Ms - iteration.p10Ms;
      const missing = think < limits(rule.id, 'missingShare') * iteration.meanMs || think < 1;
      if (missing && (closed || requests / finished > 1.5)) {
        found.push({
          rule: rule.id,
          severity: 'note',
          message: `Scenario ${name} thinks ${ms(Math.max(0, think))} in an iteration of ${ms(iteration.meanMs)} with ${Math.round((requests / finished) * 10) / 10} requests: nobody reads a page that fast.`,
          numbers: {
            scenario: name,
            thinkMs: think,
            iterationMs: iteration.meanMs,
            requestsPerIteration: requests / finished,
          },
          limit: `think time of at least ${shortPercent(limits(rule.id, 'missingShare'))} of the iteration`,
          remedy: 'pause between the steps as users do; the access log gives the ranges',
        });
      } else if (think > 50 && think > iteration.meanMs / 2 && spread < limits(rule.id, 'fixedSpread') * think) {
        // Of few users, or of users who began apart, the same think time makes no crowd.
        const together = closed ? (facts.dispersion?.[name] ?? 0) : 0;
        const crowd = together >= limits(rule.id, 'crowd');
        found.push({
          rule: rule.id,
          severity: crowd ? 'suspect' : 'note',
          message: `Scenario ${name} thinks the same ${ms(think)} every time (80 % of its iterations last within ${ms(spread)})${crowd ? `: users wake up together, some ${Math.round(together)} at once, and queue behind each other` : ''}.`,
          numbers: { scenario: name, thinkMs: think, spreadMs: spread, dispersion: together },
          limit: `iterations that spread by at least ${shortPercent(limits(rule.id, 'fixedSpread'))} of the think time`,
          remedy: 'draw think times from a range or a law instead of a constant',
        });
      }
    }
    return reasons(...found);
  },
};
