/** Runs sessions in Node as a virtual user of k6 would, with the stand-ins for k6's modules. */
import type { AnyFlow } from '../../../lib/model/flow.ts';
import { SESSION_SETTINGS } from '../../../lib/model/session-settings.ts';
import type { Plan } from '../../../lib/plan/planned.ts';
import { sessionOf } from '../../../lib/session/session.ts';
import { fake } from './state.ts';

type Environment = Readonly<Record<string, string>>;

/** A virtual user that moves to a scenario of the plan; a new one has a new `__ENV`. */
export function enter(plan: Plan, scenario: string, env: Environment = {}): void {
  const own = plan.options.scenarios[scenario]?.['env'] as Environment | undefined;
  if (own?.[SESSION_SETTINGS] === undefined) throw new Error(`the plan has no scenario ${scenario}`);
  (globalThis as { __ENV?: Environment }).__ENV = { ...env, ...own };
}

/** One session of `flow`, number `iteration` of its scenario. @param shared what set-up gave */
export function runSession(flow: AnyFlow, iteration = 0, shared?: unknown): unknown {
  fake.iteration = iteration;
  return sessionOf(flow)({ shared });
}

/** Names of the checks that failed. */
export const failedChecks = (): string[] => fake.checks.filter(({ held }) => !held).map(({ name }) => name);

/** Values of a metric, in the order in which they were added. */
export const valuesOf = (metric: string): (number | boolean)[] =>
  fake.samples.filter((one) => one.metric === metric).map(({ value }) => value);
