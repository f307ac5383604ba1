// Touches k6: what a suite is written with. Its virtual users hold only what their flows import.
export { loadTest } from './load-test.ts';
export type { EndpointEntry, EndpointTable, ParametersOf } from './model/endpoints.ts';
export type { Answer, CallOptions, Flow, Session, SuiteTypes } from './model/flow.ts';
export type {
  ModelledAnswer,
  ModelledRequest,
  ModelledServer,
  ServerSettings,
  SuiteServer,
} from './model/server-model.ts';
export type { PopularityLaw, ThinkTimeLaw, Workload } from './model/workload.ts';
export type { LoadTest } from './plan/load-test.ts';
export type { PoolDefinition } from './plan/pool-definition.ts';
export { answersAtAll, type PreflightInput, type TargetFacts } from './plan/preflight.ts';
export {
  type CounterDefinition,
  defineSuite,
  type SetupTools,
  type SuiteDefinition,
  type SuiteOf,
} from './plan/suite-definition.ts';
export { add, check, headerOf } from './session/checks.ts';
export { type DrawnRequests, drawnFlow } from './session/drawn-flow.ts';
export { basic, bearer } from './session/login.ts';
export { type Add, counter, rate, trend } from './session/metrics.ts';
export { page } from './session/page.ts';
export { sessionOf } from './session/session.ts';
export { timed } from './session/timed.ts';
