/** k6's options: where each may stand, what it holds, and whether this engine carries it. One table for reading, refusing and documents. */
import { durationMs } from '../../lib/k6/duration.ts';
import { EngineError } from './engine-error.ts';

export type OptionKind = 'whole' | 'flag' | 'text' | 'duration' | 'list' | 'texts' | 'stages' | 'any';

export interface RunOption {
  readonly kind: OptionKind;
  /** `no effect`: what it changes in k6 is neither the load nor what is measured. */
  readonly carried: 'runs' | 'no effect' | 'refused';
  /** Environment variable, without `K6_`; undefined where k6 has none. */
  readonly variable?: string;
  /** It is not in `exec.test.options` unless a script gives it. */
  readonly hidden?: true;
}

const option = (kind: OptionKind, carried: RunOption['carried'], variable?: string): RunOption => ({
  kind,
  carried,
  ...(variable !== undefined && { variable }),
});
const hidden = (given: RunOption): RunOption => ({ ...given, hidden: true });

/** In the order in which k6 shows them to a script. */
export const RUN_OPTIONS: Readonly<Record<string, RunOption>> = {
  paused: option('flag', 'refused', 'PAUSED'),
  vus: hidden(option('whole', 'runs', 'VUS')),
  duration: hidden(option('duration', 'runs', 'DURATION')),
  iterations: hidden(option('whole', 'runs', 'ITERATIONS')),
  stages: hidden(option('stages', 'runs', 'STAGES')),
  scenarios: option('any', 'runs'),
  executionSegment: option('text', 'runs'),
  executionSegmentSequence: option('text', 'runs'),
  noSetup: option('flag', 'runs', 'NO_SETUP'),
  setupTimeout: option('duration', 'runs', 'SETUP_TIMEOUT'),
  noTeardown: option('flag', 'runs', 'NO_TEARDOWN'),
  teardownTimeout: option('duration', 'runs', 'TEARDOWN_TIMEOUT'),
  handleSummaryTimeout: option('duration', 'runs', 'HANDLE_SUMMARY_TIMEOUT'),
  rps: option('whole', 'runs', 'RPS'),
  dns: option('any', 'refused', 'DNS'),
  maxRedirects: option('whole', 'runs', 'MAX_REDIRECTS'),
  userAgent: option('text', 'runs', 'USER_AGENT'),
  batch: option('whole', 'runs', 'BATCH'),
  batchPerHost: option('whole', 'runs', 'BATCH_PER_HOST'),
  httpDebug: option('text', 'refused', 'HTTP_DEBUG'),
  insecureSkipTLSVerify: option('flag', 'runs', 'INSECURE_SKIP_TLS_VERIFY'),
  tlsCipherSuites: option('any', 'refused', 'TLS_CIPHER_SUITES'),
  tlsVersion: option('any', 'refused', 'TLS_VERSION'),
  tlsAuth: option('any', 'refused', 'TLSAUTH'),
  throw: option('flag', 'runs', 'THROW'),
  thresholds: option('any', 'runs'),
  blacklistIPs: option('list', 'refused', 'BLACKLIST_IPS'),
  blockHostnames: option('list', 'runs', 'BLOCK_HOSTNAMES'),
  hosts: option('texts', 'runs', 'HOSTS'),
  noConnectionReuse: option('flag', 'runs', 'NO_CONNECTION_REUSE'),
  noVUConnectionReuse: option('flag', 'runs', 'NO_VU_CONNECTION_REUSE'),
  minIterationDuration: option('duration', 'runs', 'MIN_ITERATION_DURATION'),
  cloud: hidden(option('any', 'no effect')),
  ext: option('any', 'no effect'),
  summaryTrendStats: option('list', 'runs', 'SUMMARY_TREND_STATS'),
  summaryTimeUnit: option('text', 'runs', 'SUMMARY_TIME_UNIT'),
  systemTags: option('list', 'runs', 'SYSTEM_TAGS'),
  tags: option('texts', 'runs', 'TAGS'),
  metricSamplesBufferSize: option('whole', 'no effect', 'METRIC_SAMPLES_BUFFER_SIZE'),
  noCookiesReset: option('flag', 'runs', 'NO_COOKIES_RESET'),
  discardResponseBodies: option('flag', 'runs', 'DISCARD_RESPONSE_BODIES'),
  features: option('any', 'refused', 'FEATURES'),
  consoleOutput: option('text', 'refused', 'CONSOLE_OUTPUT'),
  localIPs: option('any', 'refused', 'LOCAL_IPS'),
};

/** Environment variables of k6 that stand for flags, and that this engine does not have. */
export const REFUSED_VARIABLES: readonly string[] =
  'THRESHOLDS CONFIG ADDRESS LINGER LOG_FORMAT LOG_OUTPUT NEW_MACHINE_READABLE_SUMMARY PROFILING_ENABLED SECRET_SOURCE TRACES_OUTPUT WEB_DASHBOARD'.split(
    ' ',
  );
/** Those that this engine reads. */
export const CARRIED_VARIABLES: readonly string[] =
  'OUT NO_THRESHOLDS SUMMARY_MODE SUMMARY_EXPORT INCLUDE_SYSTEM_ENV_VARS CSV_FILENAME CSV_TIME_FORMAT CSV_SAVE_INTERVAL'.split(
    ' ',
  );

/** Options of k6's declarations that k6 v2.2 itself does not know: a warning in both. */
export const UNKNOWN_TO_K6: readonly string[] = ['linger', 'noUsageReport', 'tlsAIAFetch', 'vusMax'];

export const refusedOptionNames = (): string[] =>
  Object.keys(RUN_OPTIONS).filter((name) => RUN_OPTIONS[name]?.carried === 'refused');

type Options = Readonly<Record<string, unknown>>;

const BY_LOWER_CASE = new Map(Object.keys(RUN_OPTIONS).map((name) => [name.toLowerCase(), name]));

/**
 * A script's options under k6's names, checked by kind; what is null is left out.
 * @throws EngineError (104) for a value of another kind
 */
export function namedOptions(script: Options, unknown: (key: string) => void): Options {
  const options: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(script)) {
    // Go reads names in any case.
    const name = BY_LOWER_CASE.get(key.toLowerCase());
    if (name === undefined) unknown(key);
    else if (value !== null && value !== undefined) options[name] = ofKind(name, value);
  }
  return options;
}

function ofKind(name: string, value: unknown): unknown {
  const { kind } = RUN_OPTIONS[name] as RunOption;
  const wrong = (what: string) =>
    EngineError.config(`the option "${name}" must be ${what}, not ${JSON.stringify(value)}`);
  switch (kind) {
    case 'whole':
      return wholeNumber(value) ?? fail(wrong('a whole number'));
    case 'flag':
      return typeof value === 'boolean' ? value : fail(wrong('true or false'));
    case 'text':
      return typeof value === 'string' ? value : fail(wrong('a text'));
    case 'duration':
      return isDuration(value) ? value : fail(wrong('a duration such as "30s"'));
    case 'list':
    case 'stages':
      return Array.isArray(value) ? value : fail(wrong('a list'));
    case 'texts':
      return isTexts(value) ? value : fail(wrong('an object of texts'));
    case 'any':
      return value;
  }
}

/** A whole number, or the text of one, as Go's reader takes both. */
export function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'string' && /^[+-]?\d+$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}

const isDuration = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number') && durationMs(value) !== undefined;

const isTexts = (value: unknown) =>
  typeof value === 'object' &&
  !Array.isArray(value) &&
  Object.values(value as object).every((item) => typeof item === 'string');

function fail(error: EngineError): never {
  throw error;
}
