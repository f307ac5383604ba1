/** k6's options as environment variables: above the script's, below those of the command line. */
import { UserError } from '../base/user-error.ts';

type Reader = (text: string, variable: string) => unknown;

const asText: Reader = (text) => text;
const asList: Reader = (text) => text.split(',').map((item) => item.trim());

const asWhole: Reader = (text, variable) => {
  if (/^-?[0-9]+$/.test(text)) return Number(text);
  throw new UserError(`${variable}: "${text}" is not a whole number`);
};

const asFlag: Reader = (text, variable) => {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new UserError(`${variable}: "${text}" is neither true nor false`);
};

const asStages: Reader = (text, variable) =>
  text.split(',').map((stage) => {
    const [duration = '', target = ''] = stage.trim().split(':');
    return { duration, target: asWhole(target, variable) };
  });

/** Variable without `K6_`, option, and how its text is read. */
const OFFERED: Readonly<Record<string, readonly [option: string, read: Reader]>> = {
  VUS: ['vus', asWhole],
  ITERATIONS: ['iterations', asWhole],
  DURATION: ['duration', asText],
  STAGES: ['stages', asStages],
  NO_SETUP: ['noSetup', asFlag],
  NO_TEARDOWN: ['noTeardown', asFlag],
  SETUP_TIMEOUT: ['setupTimeout', asText],
  TEARDOWN_TIMEOUT: ['teardownTimeout', asText],
  HANDLE_SUMMARY_TIMEOUT: ['handleSummaryTimeout', asText],
  MAX_REDIRECTS: ['maxRedirects', asWhole],
  USER_AGENT: ['userAgent', asText],
  BATCH: ['batch', asWhole],
  BATCH_PER_HOST: ['batchPerHost', asWhole],
  INSECURE_SKIP_TLS_VERIFY: ['insecureSkipTLSVerify', asFlag],
  THROW: ['throw', asFlag],
  NO_CONNECTION_REUSE: ['noConnectionReuse', asFlag],
  NO_VU_CONNECTION_REUSE: ['noVUConnectionReuse', asFlag],
  NO_COOKIES_RESET: ['noCookiesReset', asFlag],
  DISCARD_RESPONSE_BODIES: ['discardResponseBodies', asFlag],
  SUMMARY_TREND_STATS: ['summaryTrendStats', asList],
  SUMMARY_TIME_UNIT: ['summaryTimeUnit', asText],
};

/** What would change the load, its target or its judgement in k6, and does nothing here. */
const REFUSED =
  'RPS HOSTS BLACKLIST_IPS BLOCK_HOSTNAMES LOCAL_IPS TLSAUTH TLS_CIPHER_SUITES MIN_ITERATION_DURATION PAUSED THRESHOLDS SYSTEM_TAGS TAGS CONFIG OUT EXECUTION_SEGMENT EXECUTION_SEGMENT_SEQUENCE'.split(
    ' ',
  );

const LOAD_OPTIONS = ['iterations', 'duration', 'stages'];

/**
 * The options that the environment sets and the flags do not.
 * @throws UserError for a value that is none, and for an option that this engine does not have
 */
export function environmentOptions(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const given = (name: string) => environment[`K6_${name}`] ?? '';
  const refused = REFUSED.find((name) => given(name) !== '');
  if (refused !== undefined) {
    throw new UserError(
      `K6_${refused} is not offered by the embedded engine; unset it, or run this script with k6 (--engine k6)`,
    );
  }
  // A load on the command line replaces the whole load of the environment.
  const hasLoad = LOAD_OPTIONS.some((option) => flags[option] !== undefined);
  const options: Record<string, unknown> = {};
  for (const [name, [option, read]] of Object.entries(OFFERED)) {
    if (given(name) === '' || flags[option] !== undefined || (hasLoad && LOAD_OPTIONS.includes(option))) continue;
    options[option] = read(given(name), `K6_${name}`);
  }
  return options;
}
