/**
 * What a run needs once (its plan, the pre-flight, the summary), apart from what every VU holds: the build wraps this module
 * and all that it imports in one function, which VUs never call, so that it costs them no memory.
 */
export { makePlan } from './plan.ts';
export { checkTarget, preflight } from './preflight.ts';
export { summarise } from './summary/report.ts';
export { ALLOW_TARGET, PREFLIGHT } from './variables.ts';
