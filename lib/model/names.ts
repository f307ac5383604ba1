/**
 * The one place for metric names, tag names and phases: scenarios write them, thresholds bind to them, and the Node
 * tools read them back from result files.
 */

/**
 * Latency Trends, ms: `http_req_duration` of the answers of a status class. A request without an answer (status 0) has none, nor
 * has a 1xx.
 */
export const DURATION_METRICS = {
  '2xx': 'duration_2xx',
  '3xx': 'duration_3xx',
  '4xx': 'duration_4xx',
  '5xx': 'duration_5xx',
} as const;
export type StatusClass = keyof typeof DURATION_METRICS;
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const satisfies readonly StatusClass[];

/** Classes of all that a log may say of an answer, each at the first digit of its status; `none` is no status, or none of HTTP. */
export const ANSWER_CLASSES = ['none', '1xx', ...STATUS_CLASSES] as const;

/** Other custom metrics of the suite; k6's own metrics keep k6's names. */
export const METRICS = {
  /** Counter: requests without any answer, tagged with k6's `error_code`; never a latency. */
  noResponse: 'no_response',
  /** Counter: 429 answers. Fast rejections flatter percentiles, so they are counted apart. */
  rateLimited: 'rate_limited',
  /** Counter: logins that the API no longer took and that were renewed; no failure of an endpoint. */
  loginsRenewed: 'logins_renewed',
  /** Counter: steps of other protocols than HTTP, each under the name of its endpoint. */
  steps: 'steps',
  /** Counter: a data pool was used up (policy `stop`) or began again (policy `wrap`). */
  dataExhausted: 'data_exhausted',
  /** Rate: share of sessions that ended with an exception. */
  flowErrors: 'flow_errors',
  /** Trend, ms: length of a session from its first request to its last answer, think time included. */
  sessionDuration: 'session_duration',
} as const;

/** What k6 measures of every request: rows of its CSV output, sub-metrics of its summary. */
export const K6_HTTP_METRICS = [
  'http_reqs',
  'http_req_duration',
  'http_req_blocked',
  'http_req_connecting',
  'http_req_tls_handshaking',
  'http_req_sending',
  'http_req_waiting',
  'http_req_receiving',
  'http_req_failed',
] as const;

/** Tags that the suite sets itself, beside k6's system tags (`name`, `status`, `method`, `scenario`, `error_code`). */
export const TAGS = {
  /** What a session does: browse, search, checkout. */
  flow: 'flow',
  /** `warmup` or `measure`. */
  phase: 'phase',
  /** `HIT` or `MISS`, from the answer's `X-Cache`; on the suite's latency Trends only, where CACHE or CACHE_TAG ask for it. */
  cache: 'cache',
  /** Id that the request was about; beside `cache`, with CACHE_TAG=item. */
  item: 'item',
} as const;

export const PHASES = ['warmup', 'measure'] as const;
export type Phase = (typeof PHASES)[number];

/** Index in `ANSWER_CLASSES` of an HTTP status. */
export function answerClassOf(status: number): number {
  return status >= 100 && status < 600 ? Math.floor(status / 100) : 0;
}

/** Status class of an HTTP status; `undefined` for 0 (no answer) and for 1xx. */
export function statusClassOf(status: number): StatusClass | undefined {
  return STATUS_CLASSES[answerClassOf(status) - 2];
}
