import { FINE, notJudged, type Rule, reasons } from '../rule.ts';

/** Scenarios in which users wait for the system. */
export const rule: Rule = {
  id: 'closed-model',
  title: 'Closed model',
  judge: (facts) => {
    if (facts.plan === undefined)
      return notJudged('the executors are unknown; give --plan rate=… or vus=…, or run through bookstore-load run');
    const closed = facts.plan.scenarios.filter((scenario) => !scenario.open);
    if (closed.length === 0) return FINE;
    const names = closed.map((scenario) =>
      scenario.name === '*' ? scenario.executor : `${scenario.name} (${scenario.executor})`,
    );
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `Closed model: ${names.join(', ')} send the next request only after the last answer, so the load backs off when the system is slow and its percentiles are flattered.`,
      numbers: { scenarios: closed.length },
      limit: 'an arrival rate that does not depend on the answers',
      remedy: 'use constant-arrival-rate or ramping-arrival-rate with enough VUs',
    });
  },
};
