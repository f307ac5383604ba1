import { FINE, ms, notJudged, type Rule, reasons, round } from '../rule.ts';

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
    const hidden = facts.omission;
    const factor =
      hidden === undefined || hidden.observedP99Ms === 0 ? 1 : hidden.correctedP99Ms / hidden.observedP99Ms;
    const shown =
      hidden === undefined || factor < 1.1
        ? ''
        : ` The longest answer took ${ms(hidden.longestMs)} at a pace of ${ms(hidden.paceMs)}: with the requests that were never sent the p99 is ${ms(hidden.correctedP99Ms)} instead of ${ms(hidden.observedP99Ms)}, ${round(factor, 1)} times as much.`;
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `Closed model: ${names.join(', ')} send the next request only after the last answer, so the load backs off when the system is slow and its percentiles are flattered.${shown}`,
      numbers: { scenarios: closed.length, omissionFactor: factor },
      limit: 'an arrival rate that does not depend on the answers',
      remedy: 'use constant-arrival-rate or ramping-arrival-rate with enough VUs',
    });
  },
};
