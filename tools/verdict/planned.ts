/** Pairs what each scenario planned with what it did. */
import type { Facts } from './facts.ts';
import type { ScenarioLoad } from './planned-load.ts';

export interface PlannedAndDone {
  readonly plan: ScenarioLoad;
  readonly finished: number;
  readonly dropped: number;
}

/** A plan given in words speaks of the whole run (`*`). */
export function planned(facts: Facts): PlannedAndDone[] {
  return (facts.plan?.scenarios ?? []).map((plan) => {
    if (plan.name === '*') return { plan, finished: facts.iterations.finished, dropped: facts.iterations.dropped };
    const done = facts.scenarios.find((scenario) => scenario.name === plan.name);
    return { plan, finished: done?.finished ?? 0, dropped: done?.dropped ?? 0 };
  });
}
