/** What the plan of a run tells the VUs of one scenario, through the scenario's own `env`. */
export const SCENARIO_ENV = {
  /** Longest random wait before a session's first request, s. */
  shift: 'SESSION_SHIFT',
  /** `scenario/scenarios/rowsPerSession`: the rows of data pools that are this scenario's. */
  stripe: 'SESSION_STRIPE',
} as const;
