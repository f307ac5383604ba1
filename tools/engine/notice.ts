/** Said once a run: what the numbers of this engine are good for. */
export const EMBEDDED_NOTICE =
  'embedded engine: k6 was not used; one thread runs all users, so the latencies are for trying the suite, not for a report';
